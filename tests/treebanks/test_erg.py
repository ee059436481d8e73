"""ERG derivations are read item by item, laid over our tokens, and damage is named where it is."""

import gzip
import json

import pytest

from ccgkit.corpora import CorpusError
from ccgkit.text import tokenize
from ccgkit.treebanks import erg
from ccgkit.treebanks.evidence import erg_evidence
from ccgkit.treebanks.phrases import is_known, phrases
from tests.treebanks.erg_trees import item, name, nested, noun, past, the

SLEPT = item("Ada slept", ("sb-hd_mc_c", name("Ada"), past("slept", "sleep")))


def line(one=SLEPT, **changes):
    data = {"id": one.id, "text": one.text, "root": "root_strict", "tree": nested(one.tree)}
    return json.dumps(data | changes) + "\n"


def write(path, text):
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
def test_items_come_one_after_the_other(tmp_path, suffix):
    path = write(tmp_path / f"a.{suffix}", line() + line(id="i2"))
    first, second = erg.load(path)
    assert (first.id, second.id, first.root) == ("i1", "i2", "root_strict")
    assert first.tree == second.tree == SLEPT.tree


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{\n", "expected a JSON object"),
        ('{"id": "x", "text": "a"}\n', "expected a JSON object with id, text and tree"),
        (line(text=7), "the text is not a string"),
        (line(tree=["rule"]), r'item i1: ["rule"] is not a node'),
        (line(tree=["rule", ["leaf", 0, 3, "NN"], 7]), "item i1: 7 is not a node"),
        (line(tree=["leaf", 0, 40, "NN"]), "item i1: leaf stands at 0 to 40 in a text of 9 characters"),
        (line(tree=["leaf", 4, 2, "NN"]), "item i1: leaf stands at 4 to 2"),
        (line()[:-1], "may be cut off"),
    ],
)
def test_damage_is_named_and_the_rest_goes_on(tmp_path, text, reason):
    path = write(tmp_path / "a.jsonl", line() + text)
    with pytest.raises(CorpusError) as caught:
        list(erg.load(path))
    assert reason in caught.value.reason
    assert (caught.value.path, caught.value.line) == (str(path), 2)
    if text.endswith("\n"):
        write(path, line() + text + line())
        errors = []
        assert [one.id for one in erg.load(path, errors.append)] == ["i1", "i1"]
        assert [error.line for error in errors] == [2]


def test_a_truncated_file_gives_what_it_has_and_says_so(tmp_path):
    whole = gzip.compress("".join(line(id=str(number)) for number in range(3000)).encode())
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    errors = []
    items = list(erg.load(path, errors.append))
    assert 0 < len(items) < 3000
    assert "damaged gzip" in errors[0].reason


def test_an_empty_file_is_an_error(tmp_path):
    path = write(tmp_path / "a.jsonl", "")
    with pytest.raises(CorpusError, match="the file is empty"):
        list(erg.load(path))
    errors = []
    assert list(erg.load(path, errors.append)) == []
    assert len(errors) == 1


def words_of(one):
    tokens = tokenize(one.text)
    words = [token.word for token in tokens]
    root = phrases(one, tokens)
    return [words[part.start : part.end] for part in root.descendants() if not part.children]


def test_tokens_are_those_of_the_text_as_one_sentence():
    one = item(
        "Ada didn't sleep.",
        ("sb-hd_mc_c", name("Ada"), ("hd-cmp_u_c", "did1_neg_4_u=didn't", "w_period=sleep.")),
    )
    assert list(erg_evidence(one).sentence.tokens) == list(tokenize(one.text))
    assert words_of(one) == [["Ada"], ["did", "n't"], ["sleep"]]


def test_words_with_a_hyphen_are_one_token():
    compound = ("n-v_j-cpd_c", ("hd-pct_nobrk_c", "word_n1=word", "dash_pct=-"), "based_a1=based")
    tree = ("sp-hd_n_c", "a_det=a", ("aj-hdn_norm_c", compound, noun("test")))
    assert words_of(item("a word-based test", tree)) == [["a"], ["word-based"], ["test"]]


def test_a_prefix_apart_in_the_tree_belongs_to_its_word():
    tree = ("aj-hdn_norm_c", "non_a2=non-", ("n-hdn_cpd_c", noun("word"), noun("test")))
    assert words_of(item("non-word test", tree)) == [["non-word"], ["test"]]


def test_offsets_that_are_one_off_find_their_words():
    one = erg.Item(
        "i1", "the old cat", erg.Node("x", (erg.Node("the_1", (), 0, 3), erg.Node("old_a1", (), 3, 6),
                                            erg.Node("cat_n1", (), 7, 10)))
    )  # fmt: skip
    binary = erg.Node("sp-hd_n_c", (one.tree.children[0], erg.Node("aj-hdn_norm_c", one.tree.children[1:])))
    assert words_of(erg.Item("i1", one.text, binary)) == [["the"], ["old"], ["cat"]]


def test_constituents_leave_marks_at_their_edges_out():
    said = ("sb-hd_nmc_c", name("Ada"), ("hd-pct_c", past("said", "say"), "comma_pct=,"))
    cat = the(("hd-pct_c", noun("cat"), "comma_pct=,"))
    one = item("the cat, Ada said, slept", ("sb-hd_mc_c", cat, ("aj-hd_scp_c", said, past("slept", "sleep"))))
    spans = erg_evidence(one).constraints.spans
    assert {(span.start, span.end) for span in spans} == {(0, 2), (3, 5), (3, 7)}


def test_an_item_of_nothing_but_marks_says_nothing():
    evidence = erg_evidence(item("...", "punct_ellipsis_r=..."))
    assert evidence.proposals == ((),)
    assert not evidence.constraints


@pytest.mark.slow
def test_rules_of_two_daughters_are_known_for_99_of_100_nodes_of_the_corpora(corpus_folder):
    nodes = known = 0
    for path in (corpus_folder / "erg").glob("*.jsonl.gz"):
        for one in erg.load(path):
            inner = [node for node in one.tree.nodes() if len(node.children) == 2]
            nodes += len(inner)
            known += sum(map(is_known, inner))
    assert known > 0.99 * nodes > 390_000
