"""The categories that an ERG derivation gives to words, in the Parallel Meaning Bank's notation.

From the root down, each phrase is given a category, and its construction says what its parts are: a
complement is an argument of its head, a modifier of X is X/X or X\\X, a gap is an argument that the head has
not met. Where conventions leave a choice, a word is given each; where nothing is known, none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ..grammar import Atom, Category, Functor, Slash
from .marks import propose_marks
from .phrases import Phrase, is_auxiliary, is_listed

__all__ = ["Proposal", "propose"]

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
_MOST_LEVELS = 3  # of modifiers: what modifies `(N/N)/(N/N)` is the last
_NEGATION = frozenset({"n't", "not", "n’t"})
_PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "of", "on", "to", "with", "without"])


@dataclass(frozen=True, slots=True)
class Task:
    """A phrase that is to have a category; `gap` is what a gap below it lacks."""

    phrase: Phrase
    category: Category | None
    gap: Category | None = None

    def child(self, index: int, category: Category | None) -> Task:
        return Task(self.phrase.children[index], category, self.gap)


def propose(root: Phrase, words: tuple[str, ...]) -> tuple[Proposal, ...]:
    """For each word the categories that the derivation gives it, the likeliest first."""
    found: list[dict[Category, None]] = [{} for _ in words]
    agenda = [Task(root, root_category(root))]
    while agenda:
        task = agenda.pop()
        if task.phrase.children:
            agenda.extend(reversed(list(_parts(task))))
        else:
            for place, category in _lexical(task, words):
                if category is not None:
                    found[place][category] = None
    marks = propose_marks(words)
    return tuple(tuple(one) or marks.get(place, ()) for place, one in enumerate(found))


def root_category(root: Phrase) -> Category | None:
    """What the whole utterance is."""
    phrase = root
    while True:
        kind = phrase.construction
        if phrase.rule == "vp_nfin-frg_c":
            return verb_form(phrase.children[0].sort)
        if phrase.rule in _ROOTS:
            return _ROOTS[phrase.rule]
        if kind in ("subject", "fronted"):
            return DCL
        if kind == "question":
            return WQ
        if kind in ("left", "marker") or kind == "degree":
            phrase = phrase.children[1]
        elif phrase.children:
            phrase = phrase.children[0]
        else:
            break
    sort = root.sort
    return NP if sort is N else sort


_ROOTS = {
    "hd_imp_c": BARE, "hd_yesno_c": Q, "np_frg_c": NP, "np_nb-frg_c": NP, "vp_fin-frg_c": DCL | NP,
    "pp_frg_c": PP, "j_frg_c": ADJ,
}  # fmt: skip


def _lexical(task: Task, words: tuple[str, ...]) -> Iterator[tuple[int, Category | None]]:
    """The categories of the words of a lexical entry."""
    phrase, category = task.phrase, task.category
    last = phrase.end - 1
    parts = [word.lower() for word in words[phrase.start : phrase.end]]
    if phrase.size == 1:
        yield last, category
    elif phrase.size == 2 and parts[1] in _NEGATION:
        yield phrase.start, category
        yield last, S | S if category and category.target is Q else ADVERB
    elif phrase.size == 2 and parts[0] == "let":
        yield phrase.start, _c("(S[dcl]/(S[b]\\NP))/NP")
        yield last, NP
    elif category is not None and all(part[:1].isalnum() for part in parts):
        yield from zip(range(phrase.start, phrase.end), _row(parts, category, phrase.sort), strict=False)


def _row(words: list[str], category: Category, sort: Category | None) -> Iterator[Category]:
    """The categories of an entry of several words: a name, *due to*, *in fact*."""
    if words[0] == "the" and category is N:
        yield NP / N
        yield from [N / N] * (len(words) - 2)
        yield N
    elif sort is N or category in (N, RELATIONAL):
        yield from [N / N] * (len(words) - 1)
        yield category
    elif category is CONJ:
        yield from [CONJ / CONJ] * (len(words) - 1)
        yield CONJ
    elif len(words) == 2 and category is NP:
        yield NP / N
        yield N
    elif len(words) == 2 and category.is_modifier:
        preposition = words[0] in _PREPOSITIONS
        yield category / NP if preposition else category / category
        yield N if preposition else category
    elif len(words) == 2 and isinstance(category, Functor) and category.argument is NP:
        yield category.result / PP
        yield PP / NP


def _parts(task: Task) -> Iterator[Task]:
    if len(task.phrase.children) == 1:
        return _unary(task)
    rule = _CONSTRUCTIONS.get(task.phrase.construction, _unknown)
    return rule(task)


def _unary(task: Task) -> Iterator[Task]:
    phrase, category, gap = task.phrase, task.category, task.gap
    rule = phrase.rule
    if rule == "hd_xcmp_c" and category is not None and gap is not None:
        yield Task(phrase.children[0], category / gap)
    elif rule == "hd_xsb-fin_c":
        yield Task(phrase.children[0], DCL | NP)
    elif rule.startswith(("vp_np-ger", "hdn_bnp-vger")):
        yield task.child(0, category if category in (NP, NG) else NG)
    elif rule.startswith("cl_rc-fin"):
        yield Task(phrase.children[0], DCL, NP)
    elif rule.startswith(("vp_rc-redrel", "vp_sbrd", "cl_rc-inf")):
        yield Task(phrase.children[0], verb_form(phrase.children[0].sort))
    elif rule.startswith(("hdn_bnp", "hdn_np-num")) and category in (NP, N):
        yield task.child(0, bare(phrase.children[0]))
    elif rule == "np_adv_c" and category is PP:
        yield task.child(0, None)
    else:
        yield task.child(0, category)


def bare(phrase: Phrase) -> Category:
    """What stands under a noun phrase without a determiner: a noun, but pronouns are noun phrases."""
    partitive = any("_prt-" in part.rule for part in _spine(phrase))
    leaf = phrase.head_leaf()
    nominal = leaf.sort is not None and leaf.sort.target.base == "NP" and not leaf.rule.endswith("_c")
    pronoun = nominal or is_listed(leaf.rule, "pronouns")
    return NP if pronoun or partitive else N


def _spine(phrase: Phrase) -> Iterator[Phrase]:
    """The phrase and its head, and the head's head, down to the lexical one."""
    yield phrase
    while phrase.children:
        phrase = phrase.children[phrase.head]
        yield phrase


def verb_form(sort: Category | None) -> Category | None:
    """A verb phrase's sort with the form it has where nothing finite is meant."""
    return BARE if sort is VP else sort


def _complement(task: Task) -> Iterator[Task]:
    head, complement = task.phrase.children
    category = task.category
    wanted = argument(head, complement)
    if is_adjunct(head, complement):
        yield task.child(0, category)
        yield task.child(1, modifier(category, Slash.BACKWARD))
        return
    if category in (N, RELATIONAL) and wanted is NP:  # the word *yes*
        yield task.child(0, N / N)
        yield task.child(1, category)
        return
    verbal = head.sort is not None and head.sort.target.base == "S"
    if complement.rule == "hdn_bnp-vger_c" and verbal and category is not None:  # as a noun phrase, too
        yield task.child(0, category / NP)
        yield task.child(1, NP)
    if head.sort is CONJ or wanted is None or category is None:
        yield task.child(0, None)
    else:
        yield task.child(0, category / wanted)
    yield task.child(1, wanted)


def is_adjunct(head: Phrase, complement: Phrase) -> bool:
    """Whether what ERG takes for a complement is a modifier here: *not*, the agent of a passive."""
    leaf = complement.head_leaf()
    if leaf.rule == "by_pass_p":
        return True
    verbal = head.sort is not None and head.sort.target.base == "S"
    return verbal and leaf.sort is ADVERB and complement.size == 1 and is_auxiliary(head)


def argument(head: Phrase, complement: Phrase) -> Category | None:
    """The category that a complement has."""
    sort = complement.sort
    leaf = complement.head_leaf()
    if sort is VP:
        return BARE
    if complement.size == 1 and head.sort is not N and is_listed(leaf.rule, "particles"):
        return PR
    if complement.size == 1 and leaf.sort is PP:
        return None
    if sort is ADVERB:
        return _clause(head, complement)
    if sort is N or sort is None:
        return NP if sort is N else None
    if isinstance(sort, Atom) and sort.base == "S" and sort.feature is None:
        return DCL
    if sort.target.base == "NP":
        return NP
    return ADJ if sort is N / N else sort


def _clause(head: Phrase, complement: Phrase) -> Category | None:
    """An adverb or a subordinate clause as an argument."""
    if head.head_leaf().rule.startswith("be_"):
        return ADJ
    return PP if head.sort is not None and head.sort.target.base == "S" else None


def modifier(category: Category | None, slash: Slash) -> Category | None:
    """The category of what modifies a phrase of a category, on the side that the slash says.

    None where nothing is known of the phrase, and where modifiers of modifiers would never end: foreign words
    are analysed so, and each level doubles the category.
    """
    if category is None or _levels(category) >= _MOST_LEVELS:
        return None
    core = ADJ if slash is Slash.FORWARD and category.target is ADJ.target else modified(category)
    return Functor(core, slash, core)


def _levels(category: Category) -> int:
    """How many times over a category is a modifier: 2 for `(N/N)/(N/N)`."""
    levels = 0
    while isinstance(category, Functor) and category.is_modifier:
        category, levels = category.result, levels + 1
    return levels


@cache
def modified(category: Category) -> Category:
    """What a modifier sees of a category: `S\\NP` of any verb phrase, whatever it still lacks.

    >>> modified(Category.parse("(S[dcl]\\\\NP)/NP")), modified(Category.parse("N/N"))
    (S\\NP, N/N)
    """
    target = category.target
    if target.base != "S" or category.is_modifier or target.feature is None:
        return N if category is RELATIONAL else category
    part = category
    while isinstance(part, Functor):
        if part.slash is Slash.BACKWARD and part.argument.target.base == "NP":
            return VP
        part = part.result
    return S


def _subject(task: Task) -> Iterator[Task]:
    subject, head = task.phrase.children
    category = task.category
    form = finite(category, head)
    existential = subject.sort is THERE and head.head_leaf().rule.startswith("be_th")
    expletive = THERE if existential else NP
    nominal = subject.sort is None or subject.sort is NG or subject.sort.target.base in ("N", "NP")
    special = THERE if subject.sort is THERE else EXPLETIVE if subject.rule == "it" else NP
    yield task.child(0, special if nominal else None)
    yield task.child(1, None if form is None else form | expletive)


def finite(category: Category | None, head: Phrase) -> Category | None:
    """The clause over a verb phrase: its own form, which a finite context takes for finite."""
    sort = head.sort
    if isinstance(sort, Functor) and isinstance(sort.target, Atom) and sort.target.base == "S":
        feature = sort.target.feature
        if feature not in (None, "b"):
            return sort.target
    return category if isinstance(category, Atom) and category.base == "S" and category.feature else DCL


def _determiner(task: Task) -> Iterator[Task]:
    determiner, noun = task.phrase.children
    category = task.category
    if category is None:
        yield task.child(0, None)
        yield task.child(1, N)
        return
    result = NP if category is N else category
    if _is_number(determiner):
        yield task.child(0, N / N if result is NP else result / N)
        yield task.child(1, N)
    elif determiner.sort is POSSESSIVE or _is_possessor(determiner):
        yield task.child(0, result / RELATIONAL)
        yield task.child(1, RELATIONAL)
    elif noun.construction == "determiner" or noun.rule.startswith("hdn_bnp"):  # all the cats
        yield task.child(0, result / NP)
        yield task.child(1, NP)
    else:
        yield task.child(0, result / N)
        yield task.child(1, N)


def _is_number(phrase: Phrase) -> bool:
    return any(part.rule.startswith("num_det") for part in phrase.descendants()) or is_listed(
        phrase.rule, "quantities"
    )


def _is_possessor(phrase: Phrase) -> bool:
    return phrase.construction == "degree" and phrase.children[1].rule.startswith("apostrophe_s")


def _degree(task: Task) -> Iterator[Task]:
    head = task.phrase.children[1]
    category = task.category
    if head.rule.startswith("apostrophe_s"):
        yield task.child(0, NP)
        yield task.child(1, None if category is None else category | NP)
        return
    if category is None:
        yield task.child(1, None)
        return
    if category in (NP, N) and is_listed(head.first_leaf().rule, "numbers"):  # about twenty miles
        yield task.child(0, (N / N) / (N / N))
        yield task.child(1, category)
        return
    if category is NP / N and is_listed(head.rule, "articles"):  # only a word
        yield task.child(0, NP / NP)
        yield task.child(1, category)
        return
    core = ADJ if category is N / N and head.sort is ADJ else _core(category)
    yield task.child(0, category / core)
    yield task.child(1, core)


def _core(category: Category) -> Category:
    """The phrase that a degree word measures: *more … than* takes the adjective and then the PP."""
    part = category
    while isinstance(part, Functor) and not part.is_modifier and part.slash is Slash.FORWARD:
        if part.target.base != "S":
            break
        part = part.result
    return part


def _left(task: Task) -> Iterator[Task]:
    category = task.category
    if category is not None and category in (ADVERB, S / S, VP / VP) and task.phrase.children[1].sort is N:
        yield task.child(0, category / N)  # *last week*
        yield task.child(1, N)
        return
    category = N if category is NP and task.phrase.children[1].sort is N else category
    if category is N / N and is_compound(task.phrase):
        yield task.child(0, category)
        yield task.child(1, category)
        return
    if category is N and task.phrase.rule.startswith("np-hdn_num"):  # Apollo 11
        yield task.child(0, N)
        yield task.child(1, N | N)
        return
    if category is N / N and task.phrase.children[0].sort is ADVERB:  # a widely used word
        yield task.child(0, category / ADJ)
        yield task.child(1, ADJ)
        return
    yield task.child(0, adjunct(task.phrase.children[0], category, Slash.FORWARD))
    yield task.child(1, category)


def is_compound(phrase: Phrase) -> bool:
    """Whether this is a noun with nouns or adjectives before it, which is a flat row of N/N as a modifier."""
    return phrase.rule.startswith(("n-hdn", "np-hdn", "aj-hdn", "num-n"))


def adjunct(phrase: Phrase, category: Category | None, slash: Slash) -> Category | None:
    """The category of what modifies a phrase of a category: verb phrases change their type by themselves."""
    sort = phrase.sort
    if sort is BARE / BARE:  # please
        return sort
    attributive = slash is Slash.FORWARD and category is not None and category.target is N
    if sort in (TO, NG, PSS) or (sort is ADJ and not attributive):
        return sort
    return modifier(category, slash)


def _right(task: Task) -> Iterator[Task]:
    head, dependent = task.phrase.children
    category = task.category
    if category is N and dependent.head_leaf().rule.startswith("of_") and not _is_name(head):
        yield task.child(0, RELATIONAL)
        yield task.child(1, PP)
        return
    if category is NP and dependent.head_leaf().rule.startswith("of_") and head.head_leaf().sort is not N:
        yield task.child(0, NP / PP)
        yield task.child(1, PP)
        return
    yield task.child(0, category)
    if category is ADJ and dependent.sort is PP and head.end == dependent.start:
        yield task.child(0, ADJ / PP)
        yield task.child(1, PP)
    yield Task(dependent, adjunct(dependent, category, Slash.BACKWARD))


def _is_name(phrase: Phrase) -> bool:
    return phrase.head_leaf().rule.startswith(("generic_proper", "genericname"))


def _coordination(task: Task) -> Iterator[Task]:
    first = task.phrase.children[0]
    if first.construction == "marker" and task.category is not None:  # both, either
        yield Task(first.children[0], task.category / task.category)
        yield Task(first.children[1], task.category, task.gap)
    else:
        yield task.child(0, task.category)
    yield task.child(1, task.category)


def _marker(task: Task) -> Iterator[Task]:
    yield task.child(0, CONJ if task.phrase.start else S / S)
    yield task.child(1, task.category)


def _shared(task: Task) -> Iterator[Task]:
    shared = argument(task.phrase.children[0], task.phrase.children[1])
    yield Task(task.phrase.children[0], task.category, shared)
    yield task.child(1, shared)


def gap_of(clause: Phrase) -> str:
    """What a clause with a gap lacks: its "subject", a "complement" or only a "modifier"."""
    for phrase in clause.descendants():
        if phrase.rule == "hd_xsb-fin_c":
            return "subject"
        if phrase.rule == "hd_xcmp_c":
            return "complement"
        if phrase.rule.startswith("hd_xaj"):
            return "modifier"
        if phrase.construction in ("relative", "question", "fronted", "free_relative", "shared"):
            break
    return "modifier"


def _clause_with_gap(clause: Phrase, form: Category, gap: Category) -> Category:
    kind = gap_of(clause)
    if kind == "subject":
        return DCL | NP
    return form / gap if kind == "complement" else form


def _relative(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    category = task.category
    if category is None:
        yield Task(clause, DCL, NP)
        return
    wanted = category / _clause_with_gap(clause, DCL, NP)
    if filler.construction == "determiner":  # whose
        yield Task(filler.children[0], wanted / N)
        yield Task(filler.children[1], N)
    elif filler.construction == "complement":  # in which
        preposition, pronoun = filler.children
        yield Task(preposition, category / NP)
        yield Task(pronoun, (category / DCL) | (category / NP))
    else:
        yield Task(filler, wanted)
    yield Task(clause, DCL, NP)


def _question(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    if _asks_who_is(filler, clause) and task.category is WQ:
        yield Task(filler, WQ / (DCL | NP))
        yield Task(clause.children[0], DCL | NP)
        return
    result = task.category if task.category in (WQ, NP) and task.category is not None else QEM
    form = Q if result is WQ and gap_of(clause) != "subject" else DCL
    gap = argument(clause, filler) or NP
    if filler.sort is ADVERB or filler.sort is PP:
        gap = PP
    wanted = result / _clause_with_gap(clause, form, gap)
    yield from _filler(filler, wanted, result, form)
    yield Task(clause, form, gap)


def _asks_who_is(filler: Phrase, clause: Phrase) -> bool:
    """*Who is Ada?*, where the question word is the subject in the Parallel Meaning Bank."""
    nominal = filler.size == 1 and filler.sort is NP
    copula = clause.rule == "hd_xcmp_c" and clause.head_leaf().rule.startswith("be_")
    return nominal and copula and clause.children[0].construction == "complement"


def _filler(filler: Phrase, wanted: Category, result: Category, form: Category) -> Iterator[Task]:
    """The question phrase: its question word takes the rest of it and then the clause."""
    if filler.construction == "determiner":
        yield Task(filler.children[0], wanted / N)
        yield Task(filler.children[1], N)
    elif filler.construction == "degree":
        yield Task(filler.children[0], wanted / ADJ)
        yield Task(filler.children[1], ADJ)
    elif filler.construction == "complement":
        pronoun = result / (form / NP)
        yield Task(filler.children[0], wanted / pronoun)
        yield Task(filler.children[1], pronoun)
    else:
        yield Task(filler, wanted)


def _fronted(task: Task) -> Iterator[Task]:
    filler, clause = task.phrase.children
    if gap_of(clause) == "complement":
        yield Task(filler, None)
        yield Task(clause, task.category, filler.sort)
        return
    yield Task(filler, adjunct(filler, S, Slash.FORWARD))
    yield Task(clause, task.category)


def _free_relative(task: Task) -> Iterator[Task]:
    clause = task.phrase.children[1]
    category = task.category
    form = None if category is None else category / _clause_with_gap(clause, DCL, NP)
    yield Task(task.phrase.children[0], form)
    yield Task(clause, DCL, NP)


def _sequence(task: Task) -> Iterator[Task]:
    for child in task.phrase.children:
        yield Task(child, root_category(child))


def _apposition(task: Task) -> Iterator[Task]:
    dependent = task.phrase.children[1]
    yield task.child(0, task.category)
    number = task.phrase.rule.startswith("n-num_mnp") and dependent.size == 1
    yield Task(dependent, N | N if number else bracketed_sort(dependent))


def bracketed_sort(phrase: Phrase) -> Category | None:
    """Whether an apposition is a noun or a noun phrase; None if it is something else."""
    while phrase.construction == "coordination":
        phrase = phrase.children[0]
    if phrase.sort is N or (phrase.sort is NP and phrase.rule.startswith("hdn_bnp") and bare(phrase) is N):
        return N
    return NP if phrase.sort is NP else None


def _parenthesis(task: Task) -> Iterator[Task]:
    yield task.child(0, task.category)
    yield Task(task.phrase.children[1], root_category(task.phrase.children[1]))


def _unknown(task: Task) -> Iterator[Task]:
    for child in task.phrase.children:
        yield Task(child, None)


_CONSTRUCTIONS: dict[str, Callable[[Task], Iterator[Task]]] = {
    "subject": _subject,
    "complement": _complement,
    "determiner": _determiner,
    "degree": _degree,
    "coordination": _coordination,
    "marker": _marker,
    "relative": _relative,
    "question": _question,
    "fronted": _fronted,
    "free_relative": _free_relative,
    "shared": _shared,
    "sequence": _sequence,
    "apposition": _apposition,
    "parenthesis": _parenthesis,
    "right": _right,
    "left": _left,
}
