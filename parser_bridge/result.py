"""What C&C gives back for a sentence: dependencies and categories, but no derivation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ccgkit.grammar import Dependency, Derivation
from ccgkit.parsing.result import ParseResult, Status
from ccgkit.sentence import Sentence

__all__ = ["NOT_TRIED", "CandCResult", "failed"]

NOT_TRIED = "not parsed: "  #: how the reason begins where C&C was gone before the sentence's turn


@dataclass(frozen=True, slots=True, repr=False)
class CandCResult(ParseResult):
    """A parse by C&C; `sentence` has the categories it chose, in its notation."""

    parser: str = "C&C"
    links: tuple[Dependency, ...] = ()

    @property
    def derivation(self) -> Derivation | None:
        return None

    @property
    def derivations(self) -> tuple[Derivation, ...]:
        return ()

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        return self.links

    def to_sentence(self) -> Sentence:
        """The sentence with its dependencies, which are None where there is no parse."""
        meta = {**self.sentence.meta, "parser": self.parser, "status": self.status.value}
        if self.reason:
            meta["reason"] = self.reason
        links = self.links if self.status is Status.PARSED else None
        return replace(self.sentence, derivations=None, dependencies=links, meta=meta)


def failed(sentence: Sentence, reason: str, beta: float | None = None) -> CandCResult:
    """The result of a sentence without a parse."""
    return CandCResult(sentence, Status.FAILED, reason=reason, beta=beta)
