"""The corpora of the experiments: open ones under their names in a folder, or CCGbank as the LDC has it."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ccgkit.corpora import load, load_ccgbank
from ccgkit.grammar import Category
from ccgkit.sentence import Sentence
from ccgkit.training.data import DataError, Example, fingerprint

from . import ccg_tut, running_text
from .errors import ExperimentError

__all__ = ["CCGBANK", "CCG_TUT", "CORPORA", "Corpus", "CorpusCache", "find_corpus", "percent_of"]

CCGBANK = "ccgbank"
_PMB = {"pmb-en": "en", "pmb-de": "de", "pmb-it": "it", "pmb-nl": "nl"}
CCG_TUT = "ccg-tut"
RUNNING_TEXT = "running-text"
CORPORA = (*_PMB, "udccg-en", RUNNING_TEXT, CCG_TUT, CCGBANK)
_TITLES = {
    "pmb-en": "Parallel Meaning Bank 4.0.0, English", "pmb-de": "Parallel Meaning Bank 4.0.0, German",
    "pmb-it": "Parallel Meaning Bank 4.0.0, Italian", "pmb-nl": "Parallel Meaning Bank 4.0.0, Dutch",
    "udccg-en": "UD-CCG, English EWT", RUNNING_TEXT: "treebank of running text, whole derivations",
    CCG_TUT: "CCG-TUT, Italian news (8:1:1)",
    CCGBANK: "CCGbank (02-21, 00, 23)",
}  # fmt: skip
_SPLITS = ("train", "dev", "test")
_DOMAIN = "domain-"
#: what the name of a file has in it → the paper's name of the set: Clark et al. 2009, Rimell and Clark 2009
_PAPERS_SETS = {"wiki": "wiki", "bio": "bioinfer", "genia": "bioinfer"}
_PART = "@"


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the sentences of a set come from."""

    path: Path
    load: Callable[[Path], Iterator[Sentence]] = load
    trees: bool = False  #: whether its sentences have derivations

    def sentences(self) -> Iterator[Sentence]:
        return self.load(self.path)


@dataclass(frozen=True)
class Corpus:
    """Training, dev and test sentences, and further sets that models of this corpus are measured on."""

    name: str
    sources: Mapping[str, _Source] = field(repr=False)
    percent: int = 100  #: of the training sentences

    @property
    def title(self) -> str:
        """The name for people."""
        return _TITLES[self.name.split(_PART)[0]]

    @property
    def domains(self) -> dict[str, str]:
        """The out-of-domain sets: their names for people → their names as sets."""
        return {name.removeprefix(_DOMAIN): name for name in self.sources if name.startswith(_DOMAIN)}

    def trees(self, split: str) -> str | None:
        """The set with gold derivations that belongs to a split."""
        for name in (f"trees-{split}", split):
            if name in self.sources and self.sources[name].trees:
                return name
        return None

    def sentences(self, name: str) -> list[Sentence]:
        """The sentences of a set, with their categories.

        Raises `DataError` where there are none, or one has no categories.
        """
        found = [sentence for sentence in self.sources[name].sentences() if sentence.tokens]
        where = self.sources[name].path
        if not found:
            raise DataError(f"there is no sentence in {where}")
        if any(sentence.categories is None for sentence in found):
            raise DataError(f"{where} has sentences without categories")
        return _sample(found, self.percent) if name == "train" and self.percent < 100 else found

    def examples(self, name: str) -> list[Example]:
        """The same as a tagger learns from them.

        Raises `DataError` where there are none, or one has no categories.
        """
        return [Example(one.words, one.categories or ()) for one in self.sentences(name)]

    def part(self, percent: int) -> Corpus:
        """The corpus with a part of its training sentences; a larger part holds the smaller ones."""
        if percent == 100:
            return self
        return replace(self, name=f"{self.name}{_PART}{percent}", percent=percent)


def percent_of(name: str) -> int:
    """How much of its training sentences a corpus of this name has.

    >>> percent_of("pmb-en@25"), percent_of("pmb-en")
    (25, 100)
    """
    return int(name.partition(_PART)[2] or 100)


def find_corpus(data: Path, name: str | None = None) -> Corpus:
    """The corpus of that name under `data`; CCGbank is told from its tree, else `pmb-en` is meant."""
    bank = _is_ccgbank(data)
    name = name or (CCGBANK if bank else "pmb-en")
    if (name == CCGBANK) != bank:
        here = "is CCGbank" if bank else "is not CCGbank: it has no folder AUTO"
        raise ExperimentError(f"{data} {here}; the corpus asked for is {name}")
    sources = _ccgbank(data) if bank else _open(data, name)
    for split in _SPLITS:
        path = sources[split].path
        if not path.exists():
            raise ExperimentError(f"there is no corpus {name} under {data}: {path} is missing")
    return Corpus(name, {key: one for key, one in sources.items() if one.path.exists()})


def _open(data: Path, name: str) -> dict[str, _Source]:
    if name == "udccg-en":
        readable = partial(load, on_error="skip")
        return {
            split: _Source(data / "udccg" / f"en_ewt.{split}.auto", readable, trees=True) for split in _SPLITS
        }
    if name == RUNNING_TEXT:
        return {
            split: _Source(data / "treebank", partial(running_text.load_split, name=split), trees=True)
            for split in _SPLITS
        }
    if name == CCG_TUT:
        path = data / CCG_TUT / "news.txt"
        return {split: _Source(path, partial(ccg_tut.load_split, name=split)) for split in _SPLITS}
    language = _PMB[name]
    sources = {split: _Source(data / "pmb4" / f"{language}.{split}.stagged") for split in _SPLITS}
    for split in _SPLITS[1:]:
        sources[f"trees-{split}"] = _Source(data / "pmb5" / f"{language}.{split}.auto", trees=True)
    sources[f"{_DOMAIN}questions"] = _Source(data / "pmb4" / f"{language}.ood_questions.stagged")
    return sources


def _ccgbank(data: Path) -> dict[str, _Source]:
    sources = {split: _Source(data, partial(load_ccgbank, split=split), trees=True) for split in _SPLITS}
    for path in sorted((data / "domain").glob("[!.]*")):
        if not path.name.lower().startswith("readme"):
            sources[_DOMAIN + _domain(path.name, sources)] = _Source(path)
    return sources


def _domain(name: str, known: Container[str]) -> str:
    """What tables call the set in a file: by the paper's name where it is one of the paper's sets."""
    stem = name.split(".")[0]
    for part, column in _PAPERS_SETS.items():
        if part in stem.lower() and _DOMAIN + column not in known:
            return column
    return stem


def _is_ccgbank(data: Path) -> bool:
    places = (data, data / "AUTO", data / "data" / "AUTO")
    return any(place.name == "AUTO" and place.is_dir() for place in places)


def _sample(sentences: Sequence[Sentence], percent: int) -> list[Sentence]:
    order = list(range(len(sentences)))
    random.Random("training set size").shuffle(order)
    kept = sorted(order[: max(1, len(order) * percent // 100)])
    return [sentences[place] for place in kept]


class CorpusCache:
    """The sets that were read, each once."""

    def __init__(self) -> None:
        self._examples: dict[tuple[str, str], list[Example]] = {}
        self._digests: dict[tuple[str, str], str] = {}

    def examples(self, corpus: Corpus, name: str) -> list[Example]:
        """The sentences of a set of a corpus."""
        key = corpus.name, name
        if key not in self._examples:
            self._examples[key] = corpus.examples(name)
        return self._examples[key]

    def words(self, corpus: Corpus, name: str) -> list[tuple[str, ...]]:
        return [example.words for example in self.examples(corpus, name)]

    def gold(self, corpus: Corpus, name: str) -> list[tuple[Category, ...]]:
        return [example.categories for example in self.examples(corpus, name)]

    def digest(self, corpus: Corpus, name: str) -> str:
        """A digest that tells the set from any other."""
        key = corpus.name, name
        if key not in self._digests:
            self._digests[key] = fingerprint(self.examples(corpus, name))[:16]
        return self._digests[key]
