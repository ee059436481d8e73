"""depccg itself, where it is installed: its printers and ours write the same of the same trees."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as XML

import pytest

pytest.importorskip("depccg", reason="depccg is not installed: pip install --no-deps depccg lxml")

from depccg.cat import Category
from depccg.grammar import en
from depccg.lang import set_global_language_to
from depccg.printer import to_string
from depccg.tools.reader import read_jigg_xml, read_xml
from depccg.tree import ScoredTree, Tree
from depccg.types import Token
from parses import parsed

from ccgkit import Category as OurCategory
from ccgkit import Derivation, Sentence
from ccgkit.corpora import dumps, loads
from ccgkit.corpora.rule_names import written_tree
from ccgkit.grammar.rules import Kind

set_global_language_to("en")


def sentences() -> list[Sentence]:
    """Each parse twice, as if it were the two best."""
    return [
        replace(s, derivations=(s.derivations or ()) * 2, meta={"log_prob": f"-{place}.25 -{place}.5"})
        for place, s in enumerate(parsed())
    ]


def theirs(node: Derivation) -> Tree:
    """The node as depccg's, under the rule that depccg finds itself."""
    category = Category.parse(str(node.category))
    if node.token is not None:
        token = node.token
        known = {"lemma": token.lemma, "pos": token.pos, "entity": "XX", "chunk": "XX"}
        return Tree.make_terminal(Token(word=token.word, **known), category)
    children = [theirs(child) for child in node.children]
    if len(children) == 1:
        raised = node.rule is not None and node.rule.kind is Kind.TYPE_RAISING
        return Tree.make_unary(category, children[0], "tr" if raised else "lex", "<un>")
    found = en.apply_binary_rules(children[0].cat, children[1].cat)
    plain = [one for one in found if bare(one.cat) == bare(category)]
    assert plain, f"depccg has no rule for {children[0].cat} {children[1].cat} -> {category}"
    return Tree.make_binary(category, *children, plain[0].op_string, plain[0].op_symbol, node.head == 0)


def bare(category: Category) -> str:
    return str(OurCategory.parse(str(category)).without_features())


def printed(form: str) -> str:
    trees = [
        [
            ScoredTree(theirs(written_tree(tree)), float(score))
            for tree, score in zip(s.derivations or (), s.meta["log_prob"].split(), strict=True)
        ]
        for s in sentences()
    ]
    return str(to_string(trees, form))


def ours(form: str) -> str:
    return dumps([replace(sentence, id=None) for sentence in sentences()], form)


def shape(element: XML.Element) -> Any:
    """The element without what depccg leaves out or writes as XX where it does not know."""
    attributes = {name: value for name, value in element.attrib.items() if name not in ("chunk", "entity")}
    if element.tag == "sentence":
        attributes.pop("id", None)
    return element.tag, attributes, [shape(child) for child in element]


def test_json_is_the_same_to_the_byte() -> None:
    assert ours("depccg") == printed("json") + "\n"
    assert json.loads(ours("depccg"))["2"][1]["log_prob"] == -1.5


@pytest.mark.parametrize(("form", "name"), [("xml", "candc_xml"), ("jigg_xml", "jigg")])
def test_xml_says_the_same(form: str, name: str) -> None:
    assert shape(XML.fromstring(ours(name).encode())) == shape(XML.fromstring(printed(form)))


def test_auto_is_the_same_but_for_the_way_coordination_is_written() -> None:
    lines = zip(ours("auto").splitlines(), printed("auto").splitlines(), strict=True)
    different = [(mine, other) for mine, other in lines if mine != other]
    assert all("[conj]" in mine and "[conj]" not in other for mine, other in different)


@pytest.mark.parametrize(
    ("form", "name"), [("json", "depccg"), ("xml", "candc_xml"), ("jigg_xml", "jigg"), ("auto", "auto")]
)
def test_what_depccg_prints_is_read_with_its_n_best(form: str, name: str) -> None:
    read = list(loads(printed(form).rstrip("\n") + "\n", name))
    assert [s.words for s in read] == [s.words for s in sentences()]
    assert all(len(s.derivations or ()) == 2 for s in read)
    if name != "candc_xml":
        told = [[float(score) for score in s.meta["log_prob"].split()] for s in read]
        assert told == [[-place - 0.25, -place - 0.5] for place in range(len(read))]


@pytest.mark.parametrize(("reader", "name"), [(read_xml, "candc_xml"), (read_jigg_xml, "jigg")])
def test_depccg_reads_what_we_write(reader: Any, name: str, tmp_path: Path) -> None:
    (tmp_path / "file.xml").write_text(ours(name), encoding="utf-8")
    read = list(reader(str(tmp_path / "file.xml")))
    assert len(read) == 2 * len(sentences())
    assert [len(found.tokens) for found in read[::2]] == [len(s) for s in sentences()]
