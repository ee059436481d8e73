"""Damaged corpus files: read right, or refused by our own error; nothing lost in silence, nothing slow."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count
from math import log

import pytest
from mutations import mutants

from ccgkit import Category, Dependency, Sentence, Supertag, Token
from ccgkit.corpora import CorpusError, FormatError, codec, formats
from ccgkit.corpora.words import FLOOR
from ccgkit.grammar import Derivation, Rule

COUNT = 400
SECONDS = 2.0  # for one small file, on the slowest machine


def leaf(word: str, pos: str, category: str) -> Derivation:
    return Derivation(Category.parse(category), token=Token(word, pos))


def sample() -> list[Sentence]:
    """Two sentences with everything that a format can say."""
    subject = leaf("Ada", "NNP", "NP")
    verb, thing = leaf("likes", "VBZ", r"(S[dcl]\NP)/NP"), leaf("it", "PRP", "NP")
    phrase = Derivation(Category.parse(r"S[dcl]\NP"), (verb, thing), None, Rule.FORWARD_APPLICATION)
    tree = Derivation(Category.parse("S[dcl]"), (subject, phrase), None, Rule.BACKWARD_APPLICATION, 1)
    tags = tuple(
        (Supertag(node.category, -0.25), Supertag(Category.parse("N"), -1.5)) for node in tree.leaves()
    )
    links = (Dependency(1, verb.category, 1, 0), Dependency(1, verb.category, 2, 2))
    whole = Sentence(tree.tokens, tags, (tree,), links, "a.1")
    return [whole, replace(whole, id="a.2")]


@pytest.mark.parametrize("name", sorted(formats()))
def test_damaged_files(name: str, request: pytest.FixtureRequest) -> None:
    wanted = codec(name)
    text = wanted.dumps(sample())
    for damaged in mutants(text, name, request.config.getoption("--fuzz") or COUNT):
        started = time.process_time()
        try:
            read = list(wanted.load(as_file(damaged)))
        except CorpusError:
            read = []
        assert time.process_time() - started < SECONDS, damaged[:500]
        if read:
            check_kept(wanted, read, damaged)


def as_file(text: str):
    """The text as bytes in a file: what is no character there is no UTF-8."""
    import io

    return io.BytesIO(text.encode("utf-8", "surrogatepass"))


def check_kept(wanted, read: list[Sentence], damaged: str) -> None:
    """What was read is written and read back the same, or refused."""
    try:
        written = wanted.dumps(read)
    except FormatError:
        return
    again = list(wanted.load(as_file(written)))
    assert list(map(bare, again, count(1))) == list(map(bare, read, count(1))), damaged


def bare(sentence: Sentence, number: int) -> Sentence:
    """Without what is about the file; sentences without a name are numbered."""
    tags = sentence.tags and tuple(
        tuple((tag.category, round(max(tag.logprob, log(FLOOR)), 6)) for tag in k_best)
        for k_best in sentence.tags
    )
    meta = {
        name: value
        for name, value in sentence.meta.items()
        if name not in ("newline", "preface", "comments", "conllu")
    }
    return replace(sentence, id=sentence.id or str(number), tags=tags, meta=meta)
