"""A grammar folder for C&C, written for the categories of a corpus by our own co-indexation.

C&C combines only pairs of categories that its rule list names. It is made here from the categories: of all
parts of them, of what C&C's unary rules make, and of clauses and verb phrases that lack what some word takes
out of them, those pairs that combine into such a one again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ccgkit.grammar import Atom, Category, Functor, Rule, Scheme, Slash, combine, load_scheme
from ccgkit.grammar.heads import coindex
from ccgkit.sentence import Sentence

from .adaptation import read_pairs, renumbered, wide_pairs
from .errors import CandCError
from .layout import Layout
from .markedup import known_categories
from .notation import Notation, forms
from .spellings import Spellings, functors

__all__ = ["Grammar", "build_grammar", "write_grammar", "write_model"]

_ATOMS = frozenset(("N", "NP", "S", "PP", "conj", ",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU"))
_FEATURES = frozenset(
    (
        "adj", "as", "asup", "b", "bem", "dcl", "em", "expl", "for", "frg", "intj", "inv", "nb", "ng", "num",
        "poss", "pss", "pt", "q", "qem", "thr", "to", "wq",
    )
)  # fmt: skip
_VARIABLES = frozenset("_YZWVUTRQABCDEF")
_SLOTS = 5  # arguments of a category that C&C still combines
_MARKS = tuple(Atom(base) for base in (",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU"))
_CONJUNCTIONS = (Atom("conj"), Atom(","), Atom(";"))
# C&C's unary rules look these up
_NEEDED = (
    "N", "NP", r"NP/(NP\NP)", r"NP\NP", r"N\N", r"S\S", "S/S", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)", "conj",
    ",", ".", ":", ";", "LRB", "RRB", "LQU", "RQU",
)  # fmt: skip
# the categories that C&C raises to, in the file of what is raised
_RAISED = {
    "trNP": (
        r"S/(S\NP)", r"S/(S/NP)", r"(S\NP)\((S\NP)/NP)", r"((S\NP)/NP)\(((S\NP)/NP)/NP)",
        r"((S\NP)/PP)\(((S\NP)/PP)/NP)",
    ),
    "trPP": (r"(S\NP)\((S\NP)/PP)",),
    "trAP": (r"(S\NP)\((S\NP)/(S[adj]\NP))",),
    "trVP_to": (r"(S\NP)\((S\NP)/(S[to]\NP))",),
}  # fmt: skip
_ROOT_FEATURE = 1  # C&C's number for features of the category that spans the sentence
_ROOTS = ("S[dcl]", "S[wq]", "S[q]")
_RULES = frozenset(
    (
        Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION, Rule.FORWARD_COMPOSITION,
        Rule.BACKWARD_COMPOSITION, Rule.BACKWARD_CROSSED_COMPOSITION,
        Rule.GENERALIZED_FORWARD_COMPOSITION, Rule.GENERALIZED_BACKWARD_COMPOSITION,
        Rule.GENERALIZED_BACKWARD_CROSSED_COMPOSITION,
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Grammar:
    """Marked-up categories, the pairs that may combine, and the categories that C&C has no notation for.

    The first two are in C&C's spelling; pairs as they stand in its file.
    """

    markedup: dict[Category, str]
    pairs: frozenset[tuple[str, str]]
    left_out: Counter[Category]
    spellings: Spellings
    base: Path | None = None  #: the grammar that it extends


def build_grammar(sentences: Iterable[Sentence], base: Path | None = None) -> Grammar:
    """The grammar of all categories that words of the sentences have.

    `base` is the folder of a grammar, such as C&C's own for CCGbank, of which everything is kept: only what
    it lacks is added.
    """
    counts: Counter[Category] = Counter()
    for sentence in sentences:
        counts.update(sentence.categories or ())
    if not counts:
        raise CandCError("there are no categories to make a grammar of")
    given = _given(base) if base else {}
    notation = Notation(given)
    spellings = Spellings() if base else Spellings.needed(counts)
    lexicon, left_out = dict(given), Counter[Category]()
    for category in [*map(Category.parse, _NEEDED), *(category for category, _ in counts.most_common())]:
        if notation.translate(category) is not None:
            continue
        written = spellings.write_clauses(category)
        fitting = next((form for form in forms(written) if _expressible(form, spellings)), None)
        if fitting is None:
            left_out[category] = counts[category]
        elif fitting not in lexicon:
            lexicon[fitting] = _markup(fitting)
    write = spellings.write_particles
    markedup = {write(category): spellings.write_markup(markup) for category, markup in lexicon.items()}
    pairs = {(_enclosed(write(left)), _enclosed(write(right))) for left, right in _pairs(lexicon)}
    if base:
        pairs = wide_pairs([*pairs, *read_pairs(base / "all_rule_instances")])
    return Grammar(markedup, frozenset(pairs), left_out, spellings, base)


def _given(base: Path) -> dict[Category, str]:
    """The categories of a grammar with their markup, slots from left to right."""
    known = known_categories(base / "markedup")
    return {category: renumbered(markup) for category, markup in known.items()}


def write_grammar(grammar: Grammar, folder: Path, layout: Layout = Layout()) -> None:  # noqa: B008
    """Write the six files of C&C's grammar."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = [
        f"{category}\n  {markup.count('<')} {markup}\n\n" for category, markup in grammar.markedup.items()
    ]
    preface = f"# categories, marked up by ccgkit\n{grammar.spellings.preface}\n"
    _write(folder / "markedup", preface + "".join(blocks))
    for name, raised in _RAISED.items():
        lines = "".join(f"{_raised_line(Category.parse(spelled))}\n" for spelled in raised)
        text = (grammar.base / name).read_text("utf-8") if grammar.base else lines
        _write(folder / name, f"# type-raised categories\n\n{text}" if layout.early else text)
    rules = "".join(f"{left} {right}\n" for left, right in sorted(grammar.pairs))
    _write(folder / "all_rule_instances", "# pairs that combine, by ccgkit\n\n" + rules)


def write_model(home: Path, layout: Layout = Layout()) -> None:  # noqa: B008
    """Write a model as small as can be: the supertags' probabilities count, and that a sentence is one.

    Without the latter C&C would as soon make "birds sing" a noun phrase, with a relative clause. The files
    are laid out as a jar wants them.
    """
    for place in (layout.lexicon, layout.features, layout.weights):
        (home / place).parent.mkdir(parents=True, exist_ok=True)
    _write(home / layout.lexicon, "# no words\n\nthe\n")
    features = "".join(f"{_ROOT_FEATURE} {root} 1\n" for root in _ROOTS)
    _write(home / layout.features, f"# categories of the root\n\n{features}")
    first = "1.0" if layout.early else "logp:1.0"
    _write(home / layout.weights, f"# supertags and roots\n\n{first}\n" + "1.0\n" * len(_ROOTS))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _expressible(category: Category, spellings: Spellings) -> bool:
    """Whether C&C has the atoms and features, and letters enough for the heads."""
    category = spellings.write_particles(category)
    if any(part.conj for part in category.subcategories()) or category.arity > _SLOTS:
        return False
    atoms = list(category.atoms())
    if any(atom.base not in _ATOMS or atom.feature not in (None, *_FEATURES) for atom in atoms):
        return False
    markup = _markup(category)
    return bool(markup) and set(re.findall(r"\{(.)", markup)) <= _VARIABLES and _slots_rise(markup)


def _slots_rise(markup: str) -> bool:
    """Whether the slots are numbered from left to right, which Java's C&C insists on."""
    slots = [int(slot) for slot in re.findall(r"<(\d+)>", markup)]
    return slots == list(range(1, len(slots) + 1))


def _markup(category: Category) -> str:
    """Our markup as C&C wants it; empty where it takes too many letters.

    An S without a feature has a variable one; a slot is marked once, not in the gap that it fills.
    """
    markup = re.sub(r"\bS\{", "S[X]{", coindex(category).markup or "")
    return re.sub(r"\([^()]*\)\{.\*\}", lambda gap: re.sub(r"<\d+>", "", gap[0]), markup)


def _enclosed(category: Category) -> str:
    return f"({category})" if category.is_functor else str(category)


def _pairs(lexical: Collection[Category]) -> Iterator[tuple[Category, Category]]:
    phrases = {part for category in lexical for part in category.subcategories()}
    phrases |= set(_gapped(lexical))
    marks = set(_MARKS)
    real = [phrase for phrase in phrases if phrase not in marks]
    yield from product(real, _MARKS)
    yield from product(_MARKS, real)
    for conjunction, phrase in product(_CONJUNCTIONS, real):
        yield conjunction, phrase
    for phrase in real:
        yield phrase, Functor(phrase, Slash.BACKWARD, phrase)
    yield from _combining({*real, *(Category.parse(raised) for file in _RAISED.values() for raised in file)})


def _gapped(lexical: Collection[Category]) -> Iterator[Category]:
    """Clauses and verb phrases that lack something at their end, of the kinds that words take out of them.

    So the rules are closed under composition as far as extraction needs it: in *What do you want to eat?* the
    question word asks for `S[q]/NP`, and *to eat* may be `(S[to]\\NP)/NP`, which no word is.
    """
    parts = {part for category in lexical for part in category.subcategories()}
    clauses = {part for part in parts if _is_clausal(part)}
    gaps = {
        argument.argument
        for category in lexical
        for argument in category.arguments
        if isinstance(argument, Functor)
        and argument.slash is Slash.FORWARD
        and _is_clausal(argument.result)
        and not argument.is_modifier
    }
    for clause, gap in product(clauses, gaps):
        yield Functor(clause, Slash.FORWARD, gap)


def _is_clausal(category: Category) -> bool:
    """Whether this is `S[f]` or `S[f]\\NP`."""
    if isinstance(category, Functor):
        if category.slash is not Slash.BACKWARD or category.argument.without_features() is not Atom("NP"):
            return False
        category = category.result
    return isinstance(category, Atom) and category.base == "S" and category.feature not in (None, "X")


def _raised_line(category: Category) -> str:
    """A type-raised T|(T|X) marked up, and the variable that carries a dependency of X's (+: none).

    >>> _raised_line(Category.parse("S/(S\\\\NP)"))
    '(S[X]{Y}/(S[X]{Y}\\\\NP{_}){Y}){Y} +'
    """
    match category:
        case Functor(target, slash, Functor(_, inner, raised)):
            marked = _target(target)
            # an adjective is said of the verb's subject, which is the target's first argument
            subject = "Z" if raised is Category.parse(r"S[adj]\NP") else "+"
            item = f"{raised}{{_}}"
            if isinstance(raised, Functor):
                gap = subject if subject != "+" else "W"
                item = f"({raised.result}{{_}}{raised.slash}{raised.argument}{{{gap}}}){{_}}"
            return f"({marked}{slash}({marked}{inner}{item}){{Y}}){{Y}} {subject}"
    raise CandCError(f"{category} is not type-raised")


def _target(category: Category) -> str:
    """The category that one is raised over: the verb is its head, its arguments are all different."""
    arguments = list(reversed([*functors(category)]))
    marked = "S[X]{Y}"
    for functor, letter in zip(arguments, "ZWVU", strict=False):
        marked = f"({marked}{functor.slash}{functor.argument}{{{letter}}}){{Y}}"
    return marked


def _combining(phrases: set[Category]) -> Iterator[tuple[Category, Category]]:
    """The pairs whose result is, but for features, one of the phrases again."""
    scheme = load_scheme("rebank")
    bare = {phrase.without_features() for phrase in phrases}
    by_part: defaultdict[Category, list[Category]] = defaultdict(list)
    for phrase in phrases:
        skeleton = phrase.without_features()
        for part in (skeleton, *(functor.result for functor in functors(skeleton))):
            by_part[part].append(phrase)
    for functor in phrases:
        if not isinstance(functor, Functor):
            continue
        for other in by_part[functor.argument.without_features()]:
            forward = functor.slash is Slash.FORWARD
            left, right = (functor, other) if forward else (other, functor)
            if _combines(left, right, bare, scheme):
                yield left, right


def _combines(left: Category, right: Category, phrases: set[Category], scheme: Scheme) -> bool:
    return any(
        made.rule in _RULES and made.category.without_features() in phrases
        for made in combine(left, right, scheme)
    )
