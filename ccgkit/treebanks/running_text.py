"""The hand-checked running text: derivations that stand off from the corpora whose sentences they are of.

A line for each sentence: the corpus, the sentence's id in it, how many words it has, a checksum of them, and
the derivation as `.auto` has it with `_` for each word. `docs/annotation.md` says how it was annotated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType

from ..corpora import CorpusError, conllu
from ..corpora.auto import read_tree, write_tree
from ..corpora.blocks import Source
from ..grammar import Derivation, Token
from ..sentence import Sentence
from ..text import tokenize
from . import erg

__all__ = ["CORPORA", "SPLITS", "Annotation", "join", "load", "parse_line", "read_words", "stand_off"]

#: the parts of the set: models and parsers are chosen by the first, the second is for reporting
SPLITS = ("dev", "test")
_BLANK = Token("_")
_FIELDS = 5


@dataclass(frozen=True, slots=True)
class Annotation:
    """The derivation of one sentence of a corpus, without its words."""

    corpus: str
    id: str
    checksum: str  #: of the words that were annotated
    derivation: Derivation

    @property
    def length(self) -> int:
        """The number of words."""
        return len(self.derivation.tokens)

    @property
    def line(self) -> str:
        """The annotation as a line of a file."""
        return "\t".join((self.corpus, self.id, str(self.length), self.checksum, write_tree(self.derivation)))


def load(split: str) -> list[Annotation]:
    """The annotations of `dev` or `test`."""
    with as_file(files(__package__) / f"running-text.{split}.tsv") as path:
        source = Source.open(path)
        return [parse_line(line, source) for line in source]


def parse_line(line: str, source: Source) -> Annotation:
    """The annotation on the line that a source delivered last."""
    parts = line.split("\t")
    if len(parts) != _FIELDS:
        raise CorpusError(f"{_FIELDS} fields, not {len(parts)}", source.name, source.number)
    corpus, name, length, checksum, tree = parts
    found = read_tree(tree)
    if found is None:
        raise CorpusError("the last field is not a derivation", source.name, source.number)
    derivation, tokens = found
    if length != str(len(tokens)):
        reason = f"the derivation has {len(tokens)} words, not {length}"
        raise CorpusError(reason, source.name, source.number)
    return Annotation(corpus, name, checksum, derivation)


def stand_off(corpus: str, name: str, derivation: Derivation) -> Annotation:
    """A derivation without its words, which the corpus has."""
    checksum = _checksum(derivation.words)
    return Annotation(corpus, name, checksum, _with_tokens(derivation, [_BLANK] * len(derivation.tokens)))


def join(annotations: Iterable[Annotation], data: Path) -> Iterator[Sentence]:
    """The annotated sentences with their words, which are read from the corpora under `data`."""
    corpora: dict[str, dict[str, Sequence[str]]] = {}
    for annotation in annotations:
        name = annotation.corpus
        if name not in CORPORA:
            raise CorpusError(f"no corpus of the running text; those are {', '.join(CORPORA)}", name)
        path = data / CORPORA[name][0]
        if name not in corpora:
            corpora[name] = dict(read_words(name, path))
        yield _joined(annotation, corpora[name].get(annotation.id), path)


def read_words(corpus: str, path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The ids and words of a corpus's sentences."""
    return CORPORA[corpus][1](path)


def _joined(annotation: Annotation, words: Sequence[str] | None, path: Path) -> Sentence:
    if words is None:
        raise CorpusError(f"no sentence {annotation.id}, which is annotated", str(path))
    if _checksum(words) != annotation.checksum:
        reason = f"sentence {annotation.id} has other words than were annotated: {' '.join(words)}"
        raise CorpusError(reason, str(path))
    derivation = _with_tokens(annotation.derivation, list(map(Token, words)))
    return Sentence(derivation.tokens, derivations=(derivation,), id=f"{annotation.corpus}/{annotation.id}")


def _with_tokens(derivation: Derivation, tokens: Sequence[Token]) -> Derivation:
    """The same derivation over other tokens."""
    left = list(tokens)
    done: list[Derivation] = []
    for node in reversed(list(derivation.nodes())):
        if node.is_leaf:
            done.append(replace(node, token=left.pop()))
        else:
            done.append(replace(node, children=tuple(done.pop() for _ in node.children)))
    return done.pop()


def _checksum(words: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:12]


def _erg_words(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """An item's text is one sentence, whatever it says."""
    for item in erg.load(path):
        yield item.id, [token.word for token in tokenize(item.text)]


def _conllu_words(path: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """The syntactic words, not the surface tokens they are contracted to, nor empty nodes."""
    for sentence in conllu.load(path):
        yield sentence.id or "", sentence.words


Reader = Callable[[Path], Iterator[tuple[str, Sequence[str]]]]
#: the corpora that sentences were taken from: where they lie in the data, and how their words are read
CORPORA: MappingProxyType[str, tuple[str, Reader]] = MappingProxyType(
    {
        "wescience.dev": ("erg/wescience.dev.jsonl.gz", _erg_words),
        "en_ewt.dev": ("ud/en_ewt.dev.conllu.gz", _conllu_words),
    }
)
