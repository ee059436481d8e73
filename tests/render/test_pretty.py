"""Derivations as text: the classical layout, its widths, and what happens where it does not fit."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import COMPOSED, leaf, left_branching, step
from wcwidth import wcswidth

from ccgkit import Derivation, Rule
from ccgkit.grammar.errors import visible
from ccgkit.render.layout import places, slots

COORDINATION = step(
    "S[dcl]",
    Rule.FORWARD_APPLICATION,
    COMPOSED,
    step(
        "NP",
        Rule.COORDINATION,
        leaf("figs", "NP"),
        step("NP[conj]", Rule.CONJUNCTION, leaf("and", "conj"), leaf("plums", "NP")),
    ),
)

words = st.text(st.sampled_from("aZ9é日한あ\u0301"), min_size=1, max_size=8)
categories = st.sampled_from(["NP", "N", r"S[dcl]\NP", r"((S[b]\NP)/NP)/PP", r"(S\NP)\(S\NP)"])
trees = st.recursive(
    st.builds(leaf, words, categories),
    lambda below: st.builds(
        lambda category, rule, children: step(category, rule, *children),
        categories,
        st.sampled_from([None, *Rule]),
        st.lists(below, min_size=1, max_size=2),
    ),
    max_leaves=12,
)


def test_the_classical_layout() -> None:
    assert COORDINATION.pretty().splitlines() == [
        " Nadia        grows       figs  and   plums",
        "   NP     (S[dcl]\\NP)/NP   NP   conj   NP",
        "------>T                        ----------&",
        "S/(S\\NP)                         NP[conj]",
        "---------------------->B  ----------------Φ",
        "       S[dcl]/NP                 NP",
        "------------------------------------------>",
        "                  S[dcl]",
    ]


def test_a_node_without_a_rule_has_a_plain_line() -> None:
    tree = step("S", None, leaf("it", "NP"), leaf("rains", r"S\NP"))
    assert tree.pretty().splitlines()[2] == "---------"


def test_a_single_word_is_a_word_over_a_category() -> None:
    assert leaf("Ada", "NP").pretty() == "Ada\nNP"


def test_wide_characters_take_two_columns() -> None:
    tree = step("NP", Rule.BACKWARD_APPLICATION, leaf("東京都庁", "NP"), leaf("が", r"NP\NP"))
    assert tree.pretty().splitlines() == [
        "東京都庁   が",
        "   NP     NP\\NP",
        "--------------<",
        "      NP",
    ]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("perché", 6),
        (unicodedata.normalize("NFD", "perché"), 6),
        ("日本", 4),
        ("ﾊﾝｶｸ", 4),
        ("한", 2),
        (unicodedata.normalize("NFD", "한"), 2),
        ("👩‍🔬", 2),
        ("❤️", 2),
    ],
)
def test_a_line_is_as_wide_as_the_word_above_it(text: str, width: int) -> None:
    tree = step("NP", Rule.TYPE_CHANGE, leaf(5 * text, "N"))
    assert tree.pretty().splitlines()[2] == "-" * (5 * width - 1) + "*"


def test_control_characters_are_shown_as_escapes() -> None:
    assert visible("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert "\x1b" not in leaf("\x1b[31m", "NP").pretty(colour=False)


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = COORDINATION.pretty(colour=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == COORDINATION.pretty()
    assert coloured != COORDINATION.pretty()


def test_a_narrow_terminal_gets_blocks_that_refer_to_each_other() -> None:
    assert COORDINATION.pretty(width=32).splitlines() == [
        "⟨1⟩ =",
        " Nadia        grows",
        "   NP     (S[dcl]\\NP)/NP",
        "------>T",
        "S/(S\\NP)",
        "---------------------->B",
        "       S[dcl]/NP",
        "",
        "   ⟨1⟩     figs  and   plums",
        "S[dcl]/NP   NP   conj   NP",
        "                 ----------&",
        "                  NP[conj]",
        "           ----------------Φ",
        "                  NP",
        "--------------------------->",
        "           S[dcl]",
    ]


def test_where_two_categories_do_not_fit_they_are_stacked() -> None:
    modal = r"(S\NP)/(S\NP)"
    tree = step(modal, Rule.FORWARD_COMPOSITION, leaf("might", modal), leaf("have", modal))
    assert tree.pretty(width=20).splitlines() == [
        "might  (S\\NP)/(S\\NP)",
        "have   (S\\NP)/(S\\NP)",
        "------------------>B",
        "(S\\NP)/(S\\NP)",
    ]
    assert tree.pretty(width=15).splitlines() == [
        "might",
        "  (S\\NP)/(S\\NP)",
        "have",
        "  (S\\NP)/(S\\NP)",
        "------------->B",
        "(S\\NP)/(S\\NP)",
    ]


def test_what_is_longer_than_a_line_goes_on_below() -> None:
    assert leaf("abcdefgh", r"(S\NP)/NP").pretty(width=6).splitlines() == ["abcdef", "gh", "(S\\NP)", "/NP"]


@given(trees, st.integers(8, 120))
def test_no_line_is_wider_than_asked(tree: Derivation, width: int) -> None:
    assert all(wcswidth(line) <= width for line in tree.pretty(width).splitlines())


@given(trees, st.integers(1, 120))
def test_every_word_is_drawn_and_every_step_once_at_any_width(tree: Derivation, width: int) -> None:
    drawn = tree.pretty(width)
    assert len(re.findall("-+", drawn)) == sum(1 for node in tree.nodes() if node.children)
    assert all(word in drawn for word in tree.words if wcswidth(word) <= width)


@given(trees)
def test_slots_nest_and_never_overlap(tree: Derivation) -> None:
    where = places(tree)
    room = slots(where, [len(str(place.node.category)) for place in where], 2)
    for place, slot in zip(where, room, strict=True):
        if not place.children:
            continue
        below = [room[child] for child in place.children]
        assert below[0].left == slot.left
        assert below[-1].left + below[-1].width == slot.left + slot.width
        assert all(b.left == a.left + a.width + 2 for a, b in pairwise(below))


def test_a_thousand_words_deep() -> None:
    tree = left_branching(1000)
    assert len(tree.pretty().splitlines()) == 2 * 1000
    assert max(map(wcswidth, tree.pretty(80).splitlines())) <= 80
    assert tree._repr_html_().count("<bdi>") == 1000


def test_html_escapes_what_words_hold_and_lowers_features() -> None:
    tree = step(
        "S[dcl]", Rule.BACKWARD_APPLICATION, leaf("<script>&", "NP", 'N"N'), leaf("runs", r"S[dcl]\NP")
    )
    html = tree._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;&amp;" in html
    assert 'title="N&quot;N"' in html
    assert "S<sub>dcl</sub>\\NP" in html
    assert 'title="backward application"' in html
    assert '<span class="ccg-symbol">&lt;</span>' in html


def test_html_places_each_node_in_the_grid() -> None:
    html = COORDINATION._repr_html_()
    assert 'style="grid-area:1/2/2/3"' in html  # the second word
    assert 'style="grid-area:5/1/6/6"' in html  # the root: under level 2, over all five columns
