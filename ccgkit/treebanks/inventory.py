"""Categories in the Parallel Meaning Bank's notation that conversions name."""

from __future__ import annotations

from ..grammar import Category

Proposal = tuple[Category, ...]  #: the categories that a word may have; none where nothing is known


def _c(text: str) -> Category:
    return Category.parse(text)


N, NP, PP, PR, S = _c("N"), _c("NP"), _c("PP"), _c("PR"), _c("S")
VP, ADJ, NG, PSS, TO, BARE = (_c(f"S{form}\\NP") for form in ("", "[adj]", "[ng]", "[pss]", "[to]", "[b]"))
DCL, EM, Q, QEM, WQ = (_c(f"S[{form}]") for form in ("dcl", "em", "q", "qem", "wq"))
ADVERB = VP | VP
CONJ, THERE, EXPLETIVE = _c("conj"), _c("NP[thr]"), _c("NP[expl]")
RELATIONAL = N / PP
POSSESSIVE = NP / RELATIONAL
