"""lambeq: a parser for its pipelines, and derivations as its trees (`pip install 'ccgkit[lambeq]'`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lambeq import CCGParser, CCGTree

from ..corpora.lambeq import read_tree, tree_json
from ..grammar import CCGKitError, Derivation, Token
from ..pipeline import Pipeline, load
from ..sentence import Sentence
from ..text import tokenize

if TYPE_CHECKING:
    from ..parsing import ParseResult

__all__ = ["CCGKitParser", "LambeqError", "derivation_of_tree", "tree_of_derivation"]


class LambeqError(CCGKitError, ValueError):
    """A sentence, or a tree, that has no place in lambeq."""


def tree_of_derivation(derivation: Derivation) -> CCGTree:
    """The derivation as lambeq's tree, without features.

    Raises `FormatError` where it has an atom or a rule that lambeq does not know.
    """
    return CCGTree.from_json(tree_json(derivation))


def derivation_of_tree(tree: CCGTree) -> Derivation:
    """The derivation of one of lambeq's trees; its categories have no features."""
    return read_tree(tree.to_json(), LambeqError)


class CCGKitParser(CCGParser):  # type: ignore[misc]
    """A parser for lambeq that needs no download: `CCGKitParser().sentence2diagram("Alice loves Bob")`.

    It takes the package's English model in CCGbank's notation, or the pipeline that it is given, whose
    derivations are put into that notation.
    """

    def __init__(self, nlp: Pipeline | None = None, verbose: str = CCGParser.verbose) -> None:
        super().__init__(verbose=verbose)
        self.nlp = nlp or load("en-ccgbank")

    def sentences2trees(
        self,
        sentences: Sequence[str] | Sequence[Sequence[str]],
        tokenised: bool = False,
        suppress_exceptions: bool = False,
        verbose: str | None = None,
    ) -> list[CCGTree | None]:
        """The tree of each sentence, a string or with `tokenised` a list of words.

        A sentence without a derivation, or with categories that lambeq does not know, is a `LambeqError` that
        names it and the reason; with `suppress_exceptions` it is None, and the others are not touched by it.
        """
        if any(isinstance(sentence, str) is tokenised for sentence in sentences):
            wanted = "a list of words" if tokenised else "a string"
            raise LambeqError(f"with tokenised={tokenised} each sentence is {wanted}")
        trees: list[CCGTree | None] = []
        for number, result in enumerate(self._parsed(sentences), 1):
            try:
                trees.append(_tree(result))
            except CCGKitError as error:
                if not suppress_exceptions:
                    words = " ".join(result.sentence.words)
                    raise LambeqError(f"sentence {number}, {words!r}: {error}") from error
                trees.append(None)
        return trees

    def _parsed(self, sentences: Sequence[str] | Sequence[Sequence[str]]) -> Iterator[ParseResult]:
        made = (Sentence(self._tokens(sentence)) for sentence in sentences)
        return self.nlp.parse_sentences(made, notation="ccgbank")

    def _tokens(self, sentence: str | Sequence[str]) -> tuple[Token, ...]:
        return tokenize(sentence) if isinstance(sentence, str) else tuple(map(Token, sentence))


def _tree(result: ParseResult) -> CCGTree:
    if result.derivation is None:
        raise LambeqError(f"{result.status.value}: {result.reason}")
    return tree_of_derivation(result.derivation)
