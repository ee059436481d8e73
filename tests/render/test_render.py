"""Pages, pictures, LaTeX and differences of derivations."""

from __future__ import annotations

import builtins
import re
import struct
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from trees import COMPOSED, leaf, left_branching, step

from ccgkit import Category, Derivation, Rule
from ccgkit.render import (
    DifferentWordsError,
    MissingLibraryError,
    compare,
    difference_page,
    latex,
    latex_document,
    page,
    png,
    svg,
    with_rules,
)
from ccgkit.render.html import Constituent
from ccgkit.render.svg import estimate

SVG = "{http://www.w3.org/2000/svg}"


PLAIN = step(
    "S[dcl]",
    Rule.BACKWARD_APPLICATION,
    leaf("Nadia", "NP"),
    step(r"S[dcl]\NP", Rule.FORWARD_APPLICATION, leaf("grows", r"(S[dcl]\NP)/NP"), leaf("figs", "NP")),
)
RAISED = step("S[dcl]", Rule.FORWARD_APPLICATION, COMPOSED, leaf("figs", "NP"))
CHARGED = step("NP", Rule.CONJUNCTION, leaf('<a href="x">&', "conj"), leaf("50%_{#}$~^\\", "NP[nb]"))


def constituent(start: int, end: int, category: str) -> Constituent:
    return start, end, Category.parse(category)


class Page(HTMLParser):
    """Counts tags, collects ids, links and text, and checks that elements are closed in order."""

    def __init__(self, pieces: Any) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.attributes: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.open: list[str] = []
        self.feed("".join(pieces))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


class TestPage:
    def test_it_is_self_contained_and_made_for_phones(self) -> None:
        html = "".join(page([("s1", PLAIN)]))
        assert '<meta charset="utf-8">' in html
        assert 'name="viewport" content="width=device-width' in html
        assert "prefers-color-scheme:dark" in html
        assert "overflow-x:auto" in html
        assert not re.search(r"https?:|src=|@import|url\(|<link|<script", html)

    def test_every_derivation_has_its_own_anchor(self) -> None:
        read = Page(page([("s 1", PLAIN), ("s 1", RAISED), ("s-1-2", PLAIN), ("", PLAIN)]))
        assert read.ids == ["s-1", "s-1-2", "s-1-2-2", "derivation"]

    def test_everything_is_escaped(self) -> None:
        read = Page(page([('<b>"&', CHARGED)], title="<i>"))
        assert read.open == []
        assert "a" in read.tags and read.tags.count("a") == 1  # the heading's, not the word's
        assert not {"b", "i"} & set(read.tags)
        assert '<a href="x">&' in read.text

    def test_pieces_come_one_by_one(self) -> None:
        taken: list[int] = []

        def endless() -> Any:
            while True:
                taken.append(1)
                yield "s", PLAIN

        pieces = page(endless())
        next(pieces), next(pieces)
        assert len(taken) == 1


class TestDifference:
    def test_constituents_that_only_one_side_has(self) -> None:
        found = compare(PLAIN, RAISED)
        assert found.left == {constituent(1, 3, r"S[dcl]\NP")}
        assert found.right == {constituent(0, 1, r"S/(S\NP)"), constituent(0, 2, "S[dcl]/NP")}
        assert found.rules == {constituent(0, 3, "S[dcl]"): ("<", ">")}

    def test_lexical_categories_count(self) -> None:
        found = compare(leaf("fish", "N"), leaf("fish", "NP"))
        assert (found.left, found.right) == ({constituent(0, 1, "N")}, {constituent(0, 1, "NP")})

    def test_equal_derivations_have_none(self) -> None:
        assert not compare(PLAIN, PLAIN)
        assert "No difference" in "".join(difference_page([("s", PLAIN, PLAIN)]))

    def test_a_repeated_category_over_the_same_words_is_seen(self) -> None:
        twice = step("NP", Rule.TYPE_CHANGE, leaf("fish", "NP"))
        assert compare(leaf("fish", "NP"), twice).rules == {constituent(0, 1, "NP"): ("", "*")}

    @pytest.mark.parametrize(
        ("other", "message"),
        [
            (step("NP", None, leaf("Nadia", "NP"), leaf("eats", r"NP\NP")), "word 2 is 'grows' .* 'eats'"),
            (leaf("Nadia", "NP"), "word 2 is 'grows' in the first and the end in the second"),
        ],
    )
    def test_other_words_are_refused(self, other: Derivation, message: str) -> None:
        with pytest.raises(DifferentWordsError, match=rf"\(s7\).*{message}"):
            compare(PLAIN, other, "s7")

    def test_the_page_marks_what_differs_and_nothing_else(self) -> None:
        html = "".join(difference_page([("s", PLAIN, RAISED)], ("<gold>", "parsed")))
        marked = re.findall(r'<span class="([^"]*) ccg-marked">(.*?)</span>', html)
        assert marked == [
            ("ccg-category", r"S<sub>dcl</sub>\NP"),
            ("ccg-symbol", "&lt;"),
            ("ccg-category", r"S/(S\NP)"),
            ("ccg-category", "S<sub>dcl</sub>/NP"),
            ("ccg-symbol", "&gt;"),
        ]
        read = Page([html])
        assert read.open == []
        assert "<gold>" in read.text
        assert "S<sub>dcl</sub> by &lt;" in html


class TestSVG:
    def test_it_is_xml_with_every_word_category_and_symbol(self) -> None:
        root = ElementTree.fromstring(svg(RAISED))
        texts = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
        assert texts == [
            "Nadia", "NP", ">T", r"S/(S\NP)", "grows", r"(Sdcl\NP)/NP",
            ">B", "Sdcl/NP", "figs", "NP", ">", "Sdcl",
        ]  # fmt: skip
        assert len(list(root.iter(f"{SVG}path"))) == 3

    def test_features_are_lowered_and_the_rest_is_raised_again(self) -> None:
        root = ElementTree.fromstring(svg(leaf("grows", r"(S[dcl]\NP)/NP")))
        spans = [(span.text, span.get("dy")) for span in root.iter(f"{SVG}tspan")]
        assert spans == [("dcl", "4"), (r"\NP)/NP", "-4")]

    def test_a_marked_feature_is_parted_by_a_comma(self) -> None:
        root = ElementTree.fromstring(svg(leaf("x", "S[dcl][conj]")))
        assert [span.text for span in root.iter(f"{SVG}tspan")] == ["dcl,conj"]

    def test_exact_widths_place_each_text_beside_the_last(self) -> None:
        root = ElementTree.fromstring(
            svg(leaf("x", "S[dcl]/NP"), measure=lambda text, size: 10.0 * len(text))
        )
        xs = [float(text.attrib["x"]) for text in root.iter(f"{SVG}text")][1:]
        assert [b - a for a, b in pairwise(xs)] == [10.0, 30.0]

    def test_words_may_hold_anything(self) -> None:
        root = ElementTree.fromstring(svg(step("NP", None, CHARGED, leaf("\x00\x1b", "NP"))))
        assert '<a href="x">&' in {text.text for text in root.iter(f"{SVG}text")}

    def test_wide_characters_need_more_room(self) -> None:
        assert estimate("日本", 10) == 20 > estimate("il", 10)


class TestLaTeX:
    def test_a_derivation_is_a_table(self) -> None:
        assert latex(RAISED).splitlines() == [
            r"\begin{ccgderivation}{3}",
            r"Nadia & grows & figs\\",
            r"\ccgcat{1}{\mathit{NP}} & "
            r"\ccgcat{1}{(\mathit{S}_{\mathit{dcl}}\backslash \mathit{NP})/\mathit{NP}} & "
            r"\ccgcat{1}{\mathit{NP}}\\",
            r"\ccgline{1}{{>}\mathbf{T}}\\",
            r"\ccgcat{1}{\mathit{S}/(\mathit{S}\backslash \mathit{NP})}\\",
            r"\ccgline{2}{{>}\mathbf{B}}\\",
            r"\ccgcat{2}{\mathit{S}_{\mathit{dcl}}/\mathit{NP}}\\",
            r"\ccgline{3}{{>}}\\",
            r"\ccgcat{3}{\mathit{S}_{\mathit{dcl}}}",
            r"\end{ccgderivation}",
        ]

    def test_special_characters_are_escaped(self) -> None:
        words = latex(CHARGED).splitlines()[1]
        assert r"50\%\_\{\#\}\$\textasciitilde{}\textasciicircum{}\textbackslash{}" in words
        assert r"\textgreater{}\&" in words

    def test_control_characters_are_spelt_out(self) -> None:
        assert latex(leaf("a\x1bb", "NP")).splitlines()[1] == r"a\textbackslash{}x1bb\\"

    def test_every_cell_stands_in_its_column(self) -> None:
        late = step("S", None, leaf("a", "S/N"), leaf("b", "N/N"), step("N", None, leaf("c", "N")))
        assert r" &  & \ccgline{1}{}\\" in latex(late).splitlines()

    def test_a_document_defines_what_it_uses(self) -> None:
        text = "".join(latex_document([("a_1", PLAIN), ("b", RAISED)]))
        for name in ("ccgcat", "ccgline"):
            assert rf"\newcommand{{\{name}}}" in text
        assert r"\newenvironment{ccgderivation}" in text
        assert r"\paragraph{a\_1}" in text
        assert text.startswith("%") and text.endswith("\\end{document}\n")
        assert set(re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", text)) == {
            "geometry", "iftex", "fontspec", "fontenc", "inputenc", "graphicx",
        }  # fmt: skip


class TestPNG:
    def test_a_picture_twice_the_size_of_the_drawing(self) -> None:
        pytest.importorskip("cairosvg", exc_type=ImportError)
        width, height = struct.unpack(">II", png(PLAIN)[16:24])
        half = struct.unpack(">II", png(PLAIN, scale=1)[16:24])
        assert (width, height) == (2 * half[0], 2 * half[1])

    def test_without_the_library_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real = builtins.__import__

        def without(name: str, *args: Any, **kwargs: Any) -> Any:
            if name.startswith("cairosvg"):
                raise ImportError("No module named 'cairosvg'")
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(MissingLibraryError, match=r"pip install cairosvg"):
            png(PLAIN)


class TestRules:
    def bare(self) -> Derivation:
        verb = step(r"S[dcl]\NP", None, leaf("grows", r"(S[dcl]\NP)/NP"), leaf("figs", "NP"))
        return step("S[dcl]", None, leaf("Nadia", "NP"), verb)

    def test_the_rules_are_found_from_the_categories(self) -> None:
        (found,) = with_rules([self.bare()])
        assert [node.rule for node in found.nodes() if node.children] == [
            Rule.BACKWARD_APPLICATION,
            Rule.FORWARD_APPLICATION,
        ]

    def test_known_rules_are_kept(self) -> None:
        odd = step("S", Rule.TYPE_CHANGE, leaf("a", "NP"), leaf("b", r"S\NP"))
        assert list(with_rules([odd], "ccgbank")) == [odd]

    def test_the_rules_are_those_of_the_scheme_that_the_categories_tell(self) -> None:
        figs = step("NP", None, leaf("the", "NP/N"), leaf("figs", "N"))
        more = step(r"NP\NP", None, leaf("and", "conj"), leaf("Ada", "NP"))
        (found,) = with_rules([step("NP", None, figs, more)])
        assert found.children[1].rule is Rule.CONJUNCTION  # as in rebank; CCGbank's would be NP[conj]


def test_a_thousand_words_deep() -> None:
    tree = left_branching(1000)
    assert svg(tree).count("<path") == 999
    assert latex(tree).count(r"\ccgline") == 999
    assert "".join(page([("deep", tree)])).count('class="ccg-line"') == 999
    assert not compare(tree, left_branching(1000))


def test_a_page_has_contents_outlines_and_dependencies_and_says_where_there_is_no_derivation() -> None:
    html = "".join(page([("s1", PLAIN), ("s2", "failed: 300 words"), ("s3", PLAIN)]))
    assert html.count('<li><a href="#s') == 3 and html.index("<nav>") > html.index('id="s3"')
    assert (
        html.count("<summary>Outline</summary>") == 2 and html.count("<summary>Dependencies</summary>") == 2
    )
    assert "failed: 300 words" in html
    assert "<nav>" not in "".join(page([("s1", PLAIN)]))


def test_the_outline_of_a_long_sentence_is_open_and_says_what_a_folded_constituent_begins_with() -> None:
    short, long = ("".join(page([("s1", left_branching(size))])) for size in (24, 25))
    assert "<details><summary>Outline" in short and '<details open class="ccg-long"><summary>Outline' in long
    words = left_branching(25).words
    assert f"<bdi>{' '.join(words[:2])}</bdi>" in long and f"<bdi>{' '.join(words[:6])} …</bdi>" in long
