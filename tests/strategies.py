"""Hypothesis strategies for the toolkit's values: categories, tokens, derivations, sentences.

They are cached: making one anew for every example takes longer than drawing from it.
"""

from __future__ import annotations

from functools import cache

from hypothesis import settings
from hypothesis import strategies as st

from ccgkit import Atom, Category, Dependency, Derivation, Functor, Rule, Sentence, Slash, Supertag, Token

__all__ = [
    "atoms",
    "categories",
    "dependencies",
    "derivations",
    "examples",
    "lexical_categories",
    "sentences",
    "tokens",
    "words",
]

_FEATURES = {"S": [None, "dcl", "b", "ng", "pss", "to", "wq", "X"], "NP": [None, "nb"], "N": [None, "num"]}
_PUNCTUATION = [",", ".", ":", ";"]
_NAMES = st.from_regex(r"[a-z]{1,5}_[0-9]{4}\.[0-9]{1,2}", fullmatch=True)


def examples(count: int) -> settings:
    """So many examples where others have fifty, in proportion where all have more, as every night."""
    return settings(max_examples=settings().max_examples * count // 50)


@cache
def atoms() -> st.SearchStrategy[Category]:
    """Atoms that occur inside functors: `S[dcl]`, `NP`, `PP` …"""
    featured = st.sampled_from([Atom(base, f) for base, features in _FEATURES.items() for f in features])
    return featured | st.sampled_from([Atom("PP"), Atom("PR")])


@cache
def lexical_categories(max_atoms: int = 8) -> st.SearchStrategy[Category]:
    """Categories without a `[conj]` mark, punctuation and `conj` among them."""
    complex_ = st.recursive(
        atoms(),
        lambda parts: st.builds(Functor, parts, st.sampled_from(Slash), parts),
        max_leaves=max_atoms,
    )
    return complex_ | st.sampled_from([*map(Atom, _PUNCTUATION), Atom("conj"), Atom("LRB"), Atom("RRB")])


@cache
def categories(max_atoms: int = 8) -> st.SearchStrategy[Category]:
    """Categories of any node, some with CCGbank's `[conj]` mark on the whole."""
    return st.builds(_marked, lexical_categories(max_atoms), st.sampled_from([False, False, False, True]))


def _marked(category: Category, conj: bool) -> Category:
    return category.replace(conj=conj)


@cache
def words(exclude: str = "") -> st.SearchStrategy[str]:
    """Words of any script, without whitespace and control characters, nor those in `exclude`."""
    anything = st.characters(exclude_categories=["Z", "C"], exclude_characters=exclude)
    return st.text(anything, min_size=1, max_size=12)


@cache
def tokens(exclude: str = "", pos: bool = True) -> st.SearchStrategy[Token]:
    """Tokens with a word and (unless `pos` is False) a POS tag."""
    tags = st.sampled_from(["NN", "NNP", "VBZ", "IN", ",", ".", "PRP$", "-LRB-"])
    return st.builds(Token, words(exclude), tags if pos else st.none())


@st.composite
def derivations(
    draw: st.DrawFn, max_words: int = 8, rules: bool = False, exclude: str = "", pos: bool = True
) -> Derivation:
    """Derivations whose every step is a combinatory rule; with `rules` the nodes say which."""
    size = draw(st.integers(1, max_words))
    return _derive(draw, draw(lexical_categories(4)), size, rules, tokens(exclude, pos))


def _derive(
    draw: st.DrawFn, category: Category, size: int, rules: bool, leaf: st.SearchStrategy[Token]
) -> Derivation:
    if size == 1:
        if category == Atom("NP") and draw(st.booleans()):
            noun = Derivation(Atom("N"), token=draw(leaf))
            return Derivation(category, (noun,), rule=Rule.TYPE_CHANGE if rules else None)
        return Derivation(category, token=draw(leaf))
    left, right, rule = draw(st.sampled_from(_steps(draw, category)))
    split = draw(st.integers(1, size - 1))
    children = (
        _derive(draw, left, split, rules, leaf),
        _derive(draw, right, size - split, rules, leaf),
    )
    head = draw(st.integers(0, 1))
    return Derivation(category, children, None, rule if rules else None, head)


def _steps(draw: st.DrawFn, category: Category) -> list[tuple[Category, Category, Rule]]:
    """The ways to make `category` out of two: the second part of a step is drawn at random."""
    if category.conj:
        return [(Atom("conj"), _marked(category, False), Rule.CONJUNCTION)]
    other = draw(atoms())
    steps: list[tuple[Category, Category, Rule]] = [
        (category / other, other, Rule.FORWARD_APPLICATION),
        (other, category | other, Rule.BACKWARD_APPLICATION),
        (category, _marked(category, True), Rule.COORDINATION),
        (category, Atom(","), Rule.RIGHT_PUNCTUATION),
        (Atom(","), category, Rule.LEFT_PUNCTUATION),
    ]
    if isinstance(category, Functor) and category.slash is Slash.FORWARD:
        steps.append(
            (category.result / other, Functor(other, "/", category.argument), Rule.FORWARD_COMPOSITION)
        )
    if isinstance(category, Functor) and category.slash is Slash.BACKWARD:
        steps.append(
            (Functor(other, "\\", category.argument), category.result | other, Rule.BACKWARD_COMPOSITION)
        )
    return steps


@cache
def dependencies(size: int) -> st.SearchStrategy[Dependency]:
    """Dependencies between the words of a sentence of `size` tokens."""
    place = st.integers(0, size - 1)
    return st.builds(Dependency, place, lexical_categories(4), st.integers(1, 4), place)


@cache
def _links(size: int) -> st.SearchStrategy[tuple[Dependency, ...]]:
    return st.lists(dependencies(size), max_size=6, unique=True).map(tuple)


@cache
def _single_tags() -> st.SearchStrategy[tuple[Supertag, ...]]:
    return st.builds(lambda category: (Supertag(category),), lexical_categories(4))


@cache
def _rows(max_words: int, exclude: str, pos: bool) -> st.SearchStrategy[list[Token]]:
    return st.lists(tokens(exclude, pos), min_size=1, max_size=max_words)


@cache
def _supertags() -> st.SearchStrategy[tuple[Supertag, ...]]:
    """One to four different supertags, best first."""
    tag = st.builds(Supertag, lexical_categories(4), st.floats(-20, 0))
    several = st.lists(tag, min_size=1, max_size=4, unique_by=lambda tag: tag.category)
    return several.map(lambda tags: tuple(sorted(tags, key=lambda tag: -tag.logprob)))


@st.composite
def sentences(
    draw: st.DrawFn,
    max_words: int = 8,
    derived: bool = False,
    tagged: bool = False,
    k_best: bool = False,
    dependent: bool = False,
    identified: bool = False,
    exclude: str = "",
    pos: bool = True,
) -> Sentence:
    """Sentences with the parts asked for: a derivation, tags (one each, or `k_best`), dependencies, an id.

    No word holds a character of `exclude`; tokens have POS tags unless `pos` is False.
    """
    name = draw(_NAMES) if identified else None
    if derived:
        tree = draw(derivations(max_words, exclude=exclude, pos=pos))
        row, trees = tree.tokens, (tree,)
    else:
        row, trees = tuple(draw(_rows(max_words, exclude, pos))), None
    tags = None
    if tagged and trees:
        tags = tuple((Supertag(leaf.category),) for leaf in trees[0].leaves())
    elif tagged:
        tags = tuple(draw(_supertags() if k_best else _single_tags()) for _ in row)
    links = draw(_links(len(row))) if dependent else None
    return Sentence(row, tags, trees, links, name)
