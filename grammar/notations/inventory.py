"""Categories that the notations differ in, or by which a difference is known."""

from __future__ import annotations

from ..category import Atom, Category

_parse = Category.parse
N, NP, PP, PR, CONJ = map(Atom, ("N", "NP", "PP", "PR", "conj"))
NOUN_MODIFIER, PHRASE_MODIFIER = _parse("N\\N"), _parse("NP\\NP")
NOUN_PREPOSITION, PHRASE_PREPOSITION = _parse("(N\\N)/NP"), _parse("(NP\\NP)/NP")
INFINITIVE = _parse("S[to]\\NP")
DETERMINER, BARE_DETERMINER = _parse("NP[nb]/N"), _parse("NP/N")
ASKED_SUBJECT, ASKED_OBJECT = _parse("S[wq]/(S[dcl]\\NP)"), _parse("S[wq]/(S[q]/NP)")
COPULA, INVERTED_COPULA = _parse("(S[dcl]\\NP)/NP"), _parse("(S[q]/NP)/NP")
QUESTION, PREDICATE, INVERTED = _parse("S[wq]"), _parse("S[dcl]\\NP"), _parse("S[q]/NP")
