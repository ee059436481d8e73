"""A grammar folder for C&C, written for the categories of a corpus by our own co-indexation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ccgkit.grammar import Category, Derivation, Functor
from ccgkit.grammar.heads import coindex
from ccgkit.sentence import Sentence

from .adaptation import renumbered
from .errors import CandCError
from .layout import Layout
from .markedup import known_categories
from .notation import Notation, forms
from .pairs import (
    RULES_FILE,
    enclosed,
    made_pairs,
    raised_categories,
    read_pairs,
    rule_list,
    wide_pairs,
    write_pairs,
)
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
# phrases that C&C makes anything of that stands in their file; its other type changes cannot be told
_CHANGED = {Category.parse("NP"): "trNP", Category.parse("PP"): "trPP"}
_OFTEN = 10  # times that trees change a phrase into a modifier before C&C is told
_ROOT_FEATURE = 1  # C&C's number for features of the category that spans the sentence
_ROOTS = ("S[dcl]", "S[wq]", "S[q]")


@dataclass(frozen=True, slots=True)
class Grammar:
    """Marked-up categories, the pairs that may combine, and the categories that C&C has no notation for.

    The first two are in C&C's spelling; pairs as they stand in its file. `changes` are modifiers that phrases
    become, by the file that says so.
    """

    markedup: dict[Category, str]
    pairs: frozenset[tuple[str, str]]
    left_out: Counter[Category]
    spellings: Spellings
    changes: dict[str, tuple[Category, ...]]
    base: Path | None = None  #: the grammar that it extends


def build_grammar(sentences: Iterable[Sentence], base: Path | None = None) -> Grammar:
    """The grammar of all categories that words of the sentences have, and of type changes in their trees.

    `base` is the folder of a grammar, such as C&C's own for CCGbank, of which everything is kept: only
    categories that it lacks are added.
    """
    counts: Counter[Category] = Counter()
    changed: Counter[tuple[str, Category]] = Counter()
    for sentence in sentences:
        counts.update(sentence.categories or ())
        for tree in (sentence.derivations or ())[:1]:
            changed.update(_changes(tree))
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
    changes = {} if base else _frequent(changed, spellings)
    raised = raised_categories(base) if base else map(Category.parse, chain(*_RAISED.values()))
    raised = chain(raised, *changes.values())
    markedup = {write(category): spellings.write_markup(markup) for category, markup in lexicon.items()}
    pairs = {(enclosed(write(left)), enclosed(write(right))) for left, right in made_pairs(lexicon, raised)}
    if base:
        seen = read_pairs(rules) if (rules := rule_list(base)).exists() else []
        pairs = wide_pairs([*pairs, *seen])
    return Grammar(markedup, frozenset(pairs), left_out, spellings, changes, base)


def _changes(tree: Derivation) -> Iterator[tuple[str, Category]]:
    """The modifiers that phrases of a tree become, each with C&C's file for it.

    Modifiers of modifiers are left out: they are rare, slow C&C down, and make the parses no better.
    """
    for node in tree.nodes():
        if len(node.children) == 1:
            name = _CHANGED.get(node.children[0].category.without_features())
            modifier = node.category.without_features()
            if name and isinstance(modifier, Functor) and _modifies_phrases(modifier):
                yield name, modifier


def _modifies_phrases(functor: Functor) -> bool:
    return functor.is_modifier and not functor.result.is_modifier


def _frequent(
    changed: Counter[tuple[str, Category]], spellings: Spellings
) -> dict[str, tuple[Category, ...]]:
    """The changes that are frequent enough, by file, the most frequent first."""
    often = [change for change, count in changed.most_common() if count >= _OFTEN]
    return {
        name: tuple(
            modifier for file, modifier in often if file == name and _expressible(modifier, spellings)
        )
        for name in _CHANGED.values()
    }


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
        lines = [_raised_line(Category.parse(spelled)) for spelled in raised]
        lines += map(_changed_line, grammar.changes.get(name, ()))
        text = (grammar.base / name).read_text("utf-8") if grammar.base else "\n".join([*lines, ""])
        _write(folder / name, f"# type-raised categories\n\n{text}" if layout.early else text)
    write_pairs(folder / RULES_FILE, grammar.pairs)


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


def _changed_line(modifier: Category) -> str:
    """A modifier that a phrase becomes, marked up: it keeps its head, and makes no dependency.

    >>> _changed_line(Category.parse(r"(S\\NP)/(S\\NP)"))
    '((S[X]{Y}\\\\NP{Z}){Y}/(S[X]{Y}\\\\NP{Z}){Y}){_} +'
    """
    return re.sub(r"<\d+>", "", _markup(modifier)) + " +"


def _target(category: Category) -> str:
    """The category that one is raised over: the verb is its head, its arguments are all different."""
    arguments = list(reversed([*functors(category)]))
    marked = "S[X]{Y}"
    for functor, letter in zip(arguments, "ZWVU", strict=False):
        marked = f"({marked}{functor.slash}{functor.argument}{{{letter}}}){{Y}}"
    return marked
