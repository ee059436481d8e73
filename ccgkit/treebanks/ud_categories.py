"""The categories that dependencies and Penn tags suggest for English words, in PMB's notation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from ..grammar import Category
from .inventory import (
    ADJ,
    ADVERB,
    BARE,
    CONJ,
    DCL,
    EM,
    EXPLETIVE,
    NG,
    NP,
    POSSESSIVE,
    PP,
    PR,
    PSS,
    QEM,
    RELATIONAL,
    THERE,
    TO,
    VP,
    WQ,
    N,
    Proposal,
    Q,
    S,
)  # fmt: skip

if TYPE_CHECKING:
    from .ud import Tree

__all__ = ["propose"]

_FORMS = {"VBD": "dcl", "VBZ": "dcl", "VBP": "dcl", "MD": "dcl", "VB": "b", "VBG": "ng"}
_PARTICLES = frozenset(["away", "back", "down", "forward", "in", "off", "on", "out", "over", "up"])
_QUANTITIES = frozenset(["few", "little", "many", "much"])
_NOMINAL = ("NOUN", "PROPN", "NUM", "SYM", "X")


def propose(tree: Tree) -> dict[int, Proposal]:
    """For the words of a tree the categories that they may have, the likeliest first."""
    words = _Words(tree)
    return {place: tuple(dict.fromkeys(words.categories(place))) for place in range(len(tree.words))}


class _Words:
    """The words of a tree as the categories see them."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.words = tree.words

    def categories(self, place: int) -> Iterator[Category]:
        word = self.words[place]
        relation = self.tree.relation(place)
        if word.relation == "compound:prt" or word.xpos == "RP":
            yield PR
        elif relation == "cc":
            yield S / S if place == 0 else CONJ
        elif relation in ("aux", "cop"):
            yield from self.auxiliary(place)
        elif relation == "case":
            yield from self.preposition(place)
        elif relation == "mark" or self.opens_clause(place):
            yield from self.marker(place)
        elif self.is_relative(place):
            yield from self.relative_pronoun(place)
        elif word.xpos == "WP":
            yield from self.question_word(place)
        elif relation == "det" or word.relation == "nmod:poss":
            yield from self.determiner(place)
        elif relation in ("amod", "nummod", "compound", "flat") and place != self.last_of_name(place):
            yield from self.noun_modifier(place)
        elif word.upos == "ADV" and self.case(place):
            yield NP
        elif relation == "advmod" and word.upos in ("ADV", "PART"):
            yield from self.adverb(place)
        elif word.xpos == "EX":
            yield THERE
        elif word.upos == "PRON" or (word.upos == "DET" and relation != "det"):
            yield EXPLETIVE if relation == "expl" else NP
        elif word.upos in ("VERB", "AUX"):
            yield from self.verb(place)
        elif word.upos == "ADJ" and self.tree.with_relation(place, "det"):
            yield N
        elif word.upos == "ADJ" and self.is_predicate(place):
            yield from self.adjective(place)
        elif word.upos in _NOMINAL:
            yield from self.noun(place)

    def form(self, place: int) -> Category | None:
        """The verb phrase that a verb makes, without its auxiliaries."""
        word = self.words[place]
        if word.xpos in ("VBN", "VBD") and self.tree.with_relation(place, "aux:pass", "nsubj:pass"):
            return PSS
        if word.xpos == "VBN":
            return PSS if not self.tree.with_relation(place, "aux") else Category.parse("S[pt]\\NP")
        auxiliaries = self.tree.with_relation(place, "aux")
        if word.xpos == "VB" and word.head < 0 and self.subject(place) is not None and not auxiliaries:
            return DCL | NP  # a finite verb with the wrong tag
        return Category.parse(f"S[{_FORMS[word.xpos]}]\\NP") if word.xpos in _FORMS else None

    def subject(self, place: int) -> int | None:
        return next(iter(self.tree.with_relation(place, "nsubj", "csubj", "expl")), None)

    def is_predicate(self, place: int) -> bool:
        return self.tree.relation(place) not in ("amod", "nmod", "obl", "nsubj", "obj")

    def predicate(self, place: int) -> Category | None:
        """What the last auxiliary or the copula of a predicate takes."""
        word = self.words[place]
        if any(self.words[one].xpos == "TO" for one in self.tree.with_relation(place, "mark")):
            return TO
        if word.upos in ("VERB", "AUX"):
            return self.form(place)
        if self.tree.with_relation(place, "case"):
            return PP
        if word.upos == "ADV":
            return None
        is_adjective = word.upos == "ADJ" or word.xpos in ("JJ", "JJR", "JJS")
        return ADJ if is_adjective and not self.tree.with_relation(place, "det") else NP

    def auxiliary(self, place: int) -> Iterator[Category]:
        head = self.words[place].head
        chain = [one for one in self.tree.with_relation(head, "aux", "cop") if one >= place]
        rest = chain[chain.index(place) + 1 :]
        taken = self.form_of_auxiliary(rest[0], head) if rest else self.predicate(head)
        own = self.form_of_auxiliary(place, head)
        if taken is None or own is None:
            return
        subject = self.subject(head)
        if subject is not None and place < subject and own is DCL | NP:
            yield (Q / taken) / NP
        else:
            yield own / taken

    def form_of_auxiliary(self, place: int, head: int) -> Category | None:
        xpos = self.words[place].xpos
        if xpos == "VBN":
            return Category.parse("S[pt]\\NP")
        return Category.parse(f"S[{_FORMS[xpos]}]\\NP") if xpos in _FORMS else None

    def arguments(self, place: int) -> list[tuple[Category | None, ...]]:
        """What a verb or an adjective takes on its right, each with its alternatives; None is nothing.

        Of its prepositional phrases the first may be an argument.
        """
        found: list[tuple[Category | None, ...]] = [(NP,)] if self.shares_object(place) else []
        for one in self.tree.dependents[place]:
            relation = self.tree.relation(one)
            if self.words[one].relation == "compound:prt":
                found.append((PR,))
            elif relation in ("obj", "iobj") or (relation == "nsubj" and self.is_existential(place)):
                found.append((NP,))
            elif relation == "advmod" and self.words[one].xpos == "RP":
                found.append((PR,))
            elif self.may_be_particle(one):
                found.append((None, PR))
            elif relation in ("xcomp", "ccomp") and one > place:
                found.append(tuple(self.clause(one)) or (None,))
            elif relation == "obl" and one > place and self.case(one) and (None, PP) not in found:
                found.append((None, PP))
        return found

    def is_existential(self, place: int) -> bool:
        """*there is*"""
        return any(self.words[one].xpos == "EX" for one in self.tree.with_relation(place, "expl"))

    def shares_object(self, place: int) -> bool:
        """Whether only enhanced dependencies tell a verb's object: a relative clause's noun, or another's."""
        if self.tree.with_relation(place, "obj") or self.words[place].relation not in ("acl:relcl", "conj"):
            return False
        return any((place, "obj") in word.enhanced for word in self.words)

    def may_be_particle(self, place: int) -> bool:
        word = self.words[place]
        return self.tree.relation(place) == "advmod" and place > word.head and word.form.lower() in _PARTICLES

    def clause(self, place: int) -> Iterator[Category]:
        """A clause or predicate as an argument."""
        marks = [self.words[one].form.lower() for one in self.tree.with_relation(place, "mark")]
        if "to" in marks:
            yield TO
        elif "that" in marks:
            yield EM
        elif "whether" in marks or "if" in marks or self.has_question_word(place):
            yield QEM
        elif self.tree.relation(place) == "ccomp":
            yield DCL
        else:
            taken = self.predicate(place)
            yield from () if taken is None else (taken,)

    def has_question_word(self, place: int) -> bool:
        dependents = self.tree.dependents[place]
        first = min([*dependents, place])
        return self.words[first].xpos in ("WP", "WRB", "WDT")

    def verb(self, place: int) -> Iterator[Category]:
        result = self.form(place)
        if result is None:
            return
        if self.is_existential(place) and result is DCL | NP:
            result = DCL | THERE
        for chosen in product(*self.arguments(place)):
            category: Category = result
            for argument in reversed(chosen):
                category = category if argument is None else category / argument
            yield category

    def adjective(self, place: int) -> Iterator[Category]:
        yield ADJ
        for options in self.arguments(place):
            for argument in options:
                if argument is not None:
                    yield ADJ / argument

    def noun(self, place: int) -> Iterator[Category]:
        if self.tree.with_relation(place, "flat"):
            yield N / N
            return
        result = RELATIONAL if self.tree.with_relation(place, "nmod:poss") else N
        cases = [self.case(one) for one in self.tree.with_relation(place, "nmod")]
        if "of" in cases and self.words[place].upos == "NUM" and not self.tree.with_relation(place, "det"):
            yield NP / PP  # "one of them"
            return
        if "of" in cases and self.words[place].upos == "NOUN":
            yield result / PP
            return
        yield result
        if any(cases):
            yield result / PP

    def case(self, place: int) -> str:
        found = [one for one in self.tree.with_relation(place, "case") if one < place]
        return self.words[found[0]].form.lower() if found else ""

    def last_of_name(self, place: int) -> int:
        """The last word of a name whose first word is its head."""
        head = self.words[place].head
        if self.tree.relation(place) == "flat":
            return max(self.tree.with_relation(head, "flat"))
        return -1

    def noun_modifier(self, place: int) -> Iterator[Category]:
        word = self.words[place]
        degree = word.upos == "ADJ" and any(one < place for one in self.tree.with_relation(place, "advmod"))
        if degree and place < word.head and not self.is_quantity(place):
            yield ADJ
        elif place < word.head or self.tree.relation(place) == "flat":
            yield N / N
        elif word.upos == "ADJ":
            yield ADJ
        elif word.upos == "NUM":
            yield N | N

    def is_quantity(self, place: int) -> bool:
        """*so many things*: a number rather than a property"""
        return self.words[place].form.lower() in _QUANTITIES

    def determiner(self, place: int) -> Iterator[Category]:
        word = self.words[place]
        if word.xpos == "PRP$":
            yield POSSESSIVE
        elif word.xpos in ("DT", "WDT") and word.relation == "det":
            yield NP / N
        elif word.relation == "det:predet":
            yield NP / NP
        elif word.relation == "nmod:poss":
            yield from self.noun(place)

    def preposition(self, place: int) -> Iterator[Category]:
        head = self.words[place].head
        if place > head:
            if self.words[place].xpos == "POS":
                yield POSSESSIVE | NP
            return
        governor = self.words[head].head
        relation = self.tree.relation(head)
        if self.words[place].form.lower() == "of" and relation == "nmod":
            yield PP / NP
        elif relation == "nmod":
            yield (N | N) / NP
            yield PP / NP
        elif relation in ("obl", "advcl") and governor >= 0:
            subject = self.subject(governor)
            if subject is not None and place < subject:
                yield (S / S) / NP
            elif place < governor:
                yield (VP / VP) / NP
                yield (S / S) / NP
            else:
                yield ADVERB / NP
                yield PP / NP
        else:
            yield PP / NP

    def opens_clause(self, place: int) -> bool:
        """*when*, *where*, *why*, *how* as modifiers of a clause."""
        return self.words[place].xpos == "WRB" and self.tree.relation(place) == "advmod"

    def marker(self, place: int) -> Iterator[Category]:
        word = self.words[place]
        clause = word.head
        relation = self.tree.relation(clause)
        form = word.form.lower()
        if word.xpos == "TO":
            yield TO / BARE
        elif relation == "ccomp" or (relation == "xcomp" and word.xpos == "WRB"):
            yield (EM if form == "that" else QEM) / DCL
        elif word.xpos == "WRB" and relation == "root":
            yield WQ / Q
        elif relation == "acl":
            yield (N | N) / (NG if self.words[clause].xpos == "VBG" else DCL)
        elif relation == "advcl":
            gerund = self.words[clause].xpos == "VBG" and not self.tree.with_relation(clause, "aux")
            taken = NG if gerund else DCL
            governor = self.words[clause].head
            if governor >= 0 and place < governor:
                yield (S / S) / taken
            else:
                yield ADVERB / taken
                if taken is NG:
                    yield PP / taken

    def is_relative(self, place: int) -> bool:
        word = self.words[place]
        relative = word.xpos in ("WDT", "WP") and word.relation != "det"
        return relative and word.head >= 0 and self.words[word.head].relation == "acl:relcl"

    def relative_pronoun(self, place: int) -> Iterator[Category]:
        clause = DCL | NP if self.tree.relation(place) == "nsubj" else DCL / NP
        comma = place > 0 and self.words[place - 1].upos == "PUNCT"
        for noun in (NP, N) if comma else (N, NP):
            yield (noun | noun) / clause

    def question_word(self, place: int) -> Iterator[Category]:
        """*who* and *what* in questions, embedded ones, and free relatives."""
        clauses = self.tree.with_relation(place, "acl:relcl")
        clause = clauses[0] if clauses else self.words[place].head
        if clause < 0 or clause < place:
            yield NP
            return
        subject = self.tree.relation(place) == "nsubj" if not clauses else self.subject(clause) is None
        if clauses:
            yield NP / (DCL | NP if subject else DCL / NP)
        elif self.tree.relation(clause) in ("ccomp", "xcomp", "csubj", "advcl"):
            yield QEM / (DCL | NP if subject else DCL / NP)
        else:
            yield WQ / (DCL | NP if subject else Q / NP)

    def adverb(self, place: int) -> Iterator[Category]:
        head = self.words[place].head
        governor = self.words[head]
        form = self.words[place].form.lower()
        if governor.upos in ("VERB", "AUX") or self.tree.with_relation(head, "cop"):
            yield from self.verb_adverb(place, head, form)
        elif governor.upos in ("ADJ", "NUM"):
            if governor.upos == "NUM" or (self.is_quantity(head) and not self.is_predicate(head)):
                yield (N / N) / (N / N)
            elif self.is_predicate(head):
                yield ADJ / ADJ if place < head else ADVERB
            elif place < head:
                yield (N / N) / ADJ
        elif governor.upos == "ADV":
            yield ADVERB / ADVERB if place < head else ADVERB | ADVERB
        elif governor.upos in _NOMINAL and place < head:
            yield NP / NP

    def verb_adverb(self, place: int, head: int, form: str) -> Iterator[Category]:
        auxiliaries = [one for one in self.tree.with_relation(head, "aux", "cop") if one < place]
        subject = self.subject(head)
        if form in ("n't", "not") and auxiliaries and subject is not None and auxiliaries[0] < subject:
            yield S | S
        elif place > head or auxiliaries:
            yield ADVERB
            if self.may_be_particle(place):
                yield PR
            if self.words[head].upos == "ADJ":
                yield ADJ / ADJ
        elif subject is not None and place < subject:
            yield S / S
        else:
            yield VP / VP
