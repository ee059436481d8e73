"""Derivations from CCGrebank's notation, as the Parallel Meaning Bank has it, into CCGbank's, and back.

What differs is written down in docs/notations.md. Nouns lose their arguments (`N/PP` is `N`), what modifies
a noun stands above its determiner (`NP\\NP`, not `N\\N`), particles are adverbs, marks are marks and not
modifiers, and a conjunct is `X[conj]`. Back, arguments of nouns and particles stay what CCGbank made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .category import Atom, Category, Functor, Slash
from .combination import combine
from .derivation import Derivation, Token, annotate, license_binary, license_unary
from .errors import CCGKitError
from .features import unify
from .rules import Rule
from .schemes import Scheme, load_scheme

__all__ = ["NOTATIONS", "NotationError", "category_in_notation", "check_notation", "in_notation"]

_parse = Category.parse
_N, _NP, _PP, _PR, _CONJ = map(Atom, ("N", "NP", "PP", "PR", "conj"))
_NOUN_MODIFIER, _PHRASE_MODIFIER = _parse("N\\N"), _parse("NP\\NP")
_NOUN_PREPOSITION, _PHRASE_PREPOSITION = _parse("(N\\N)/NP"), _parse("(NP\\NP)/NP")
_INFINITIVE = _parse("S[to]\\NP")
_ADVERB = _parse("(S\\NP)\\(S\\NP)")
_DETERMINER, _BARE_DETERMINER = _parse("NP[nb]/N"), _parse("NP/N")
_DETERMINERS = {_BARE_DETERMINER: _DETERMINER, _parse("(NP/N)\\NP"): _parse("(NP[nb]/N)\\NP")}
_ASKED_SUBJECT, _ASKED_OBJECT = _parse("S[wq]/(S[dcl]\\NP)"), _parse("S[wq]/(S[q]/NP)")
_COPULA, _INVERTED_COPULA = _parse("(S[dcl]\\NP)/NP"), _parse("(S[q]/NP)/NP")
_QUESTION, _PREDICATE, _INVERTED = _parse("S[wq]"), _parse("S[dcl]\\NP"), _parse("S[q]/NP")
_ASKED_ARGUMENT, _ASKED_ADJUNCT = _parse("S[wq]/(S[q]/PP)"), _parse("S[wq]/S[q]")
_FRONTED = _parse("(S[wq]/(S[q]/PP))/(S[wq]/(S[q]/NP))")
_PLACED_COPULA, _PREMODIFIER = _parse("(S[q]/PP)/NP"), _parse("N/N")
_PLACING = frozenset(("in", "on", "at", "during"))
_MANY = frozenset(("many", "much"))
_MONTHS = frozenset((
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
))  # fmt: skip
_BE = frozenset(("is", "'s", "are", "'re", "was", "were"))
_ADVERBIAL = frozenset(("dcl", "b", "ng", "pt", "pss", "to"))  # features that an adverb need not repeat
_BRACKETS = {"(": "LRB", "[": "LRB", "{": "LRB", "-LRB-": "LRB", "-LSB-": "LRB", "-LCB-": "LRB",
             ")": "RRB", "]": "RRB", "}": "RRB", "-RRB-": "RRB", "-RSB-": "RRB", "-RCB-": "RRB"}  # fmt: skip
_OPENING, _CLOSING = frozenset(("``", "“", "‘", "`")), frozenset(("''", "”", "’"))
_CHANGED: dict[Rule | None, int] = {  # the child of a step that holds the verb without its PP
    Rule.FORWARD_APPLICATION: 0, Rule.FORWARD_COMPOSITION: 1, Rule.BACKWARD_CROSSED_COMPOSITION: 0,
    Rule.RIGHT_PUNCTUATION: 0,
}  # fmt: skip
_MARKS = {mark: atom for atom, marks in ((".", ". ? ! ... …"), (",", ","), (";", ";"), (":", ": - -- – —"))
          for mark in marks.split()}  # fmt: skip


class NotationError(CCGKitError, ValueError):
    """A derivation that cannot be put into a notation, and the step that stands in the way."""


def in_notation(derivation: Derivation, notation: str) -> Derivation:
    """The derivation in the notation `ccgbank` or `rebank`; it must be in the other one.

    >>> from ccgkit.grammar import Token
    >>> noun = Derivation(_parse("N/PP"), token=Token("king"))
    >>> of = Derivation(_parse("PP/NP"), token=Token("of"))
    >>> france = Derivation(_NP, (Derivation(_N, token=Token("France")),))
    >>> king = Derivation(_NP, (Derivation(_N, (noun, Derivation(_PP, (of, france)))),))
    >>> [str(leaf.category) for leaf in in_notation(king, "ccgbank").leaves()]
    ['N', '(NP\\\\NP)/NP', 'N']
    """
    check_notation(notation)
    return NOTATIONS[notation](derivation)


def category_in_notation(category: Category, token: Token, notation: str) -> Category:
    """The category of a word in the notation, as far as it can be told without a derivation.

    >>> category_in_notation(_parse("N/PP"), Token("king"), "ccgbank")
    N
    """
    check_notation(notation)
    return _unmarked(category) if notation == "rebank" else _leaf_category(Derivation(category, token=token))


def check_notation(notation: str, scheme: str = "") -> None:
    """Raise `NotationError` where there is no such notation, or no way to it from the scheme's."""
    names = " and ".join(NOTATIONS)
    if notation not in NOTATIONS:
        raise NotationError(f"no notation {notation!r}: there are {names}")
    if scheme and scheme not in NOTATIONS:
        raise NotationError(
            f"derivations of the scheme {scheme!r} cannot be put into the notation {notation!r}: "
            f"there is a way between {names} only"
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """What became of a constituent, and the modifiers of its noun that wait for a place above it."""

    tree: Derivation
    waiting: tuple[Derivation, ...] = ()


def _to_ccgbank(derivation: Derivation) -> Derivation:
    scheme = load_scheme("ccgbank")
    whole, stops = _without_final_stops(annotate(derivation, load_scheme("rebank")))
    tree = _settled(whole.fold(_Ccgbank(scheme).part), scheme)
    for stop in stops:
        tree = _joined(tree.category, tree, stop, scheme)
    return _licensed(tree, scheme)


def _without_final_stops(derivation: Derivation) -> tuple[Derivation, list[Derivation]]:
    """The derivation without the stops at its end, wherever they are attached, and these, the first first."""
    spine: list[Derivation] = []
    stops: list[Derivation] = []
    node = derivation
    while len(node.children) == 2:
        if node.rule is Rule.RIGHT_PUNCTUATION and node.children[1].is_leaf:
            if str(node.children[1].category) != ".":
                break
            stops.append(node.children[1])
            node = node.children[0]
        else:
            spine.append(node)
            node = node.children[1]
    for above in reversed(spine):
        node = replace(above, children=(above.children[0], node))
    return node, stops[::-1]


class _Ccgbank:
    """One node after the other, children first, into CCGbank's notation."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme

    def part(self, node: Derivation, children: Sequence[_Part]) -> _Part:
        if not children:
            return _Part(replace(node, category=_leaf_category(node)))
        if len(children) == 1:
            return self.unary(node, children[0])
        return self.binary(node, *children)

    def unary(self, node: Derivation, child: _Part) -> _Part:
        if node.category is _NP and child.tree.category is _N:
            return self.phrase(child, lambda noun: _raised(_NP, noun, self.scheme))
        return _Part(_raised(_plain(node.category), _settled(child, self.scheme), self.scheme))

    def binary(self, node: Derivation, left: _Part, right: _Part) -> _Part:
        result = _plain(node.category)
        one, other = (child.category for child in node.children)
        if node.rule is Rule.CONJUNCTION or _is_apposition(node):
            return _Part(self.conjunct(left, right))
        if _is_mark(left.tree.category) or _is_mark(right.tree.category):
            return self.marked(left, right)
        if right.tree.category.conj:
            return _Part(self.joined(result, left, right))
        if _is_numbered(left, right):
            return _Part(self.numbered(left.tree, right.tree))
        if result is _N and (right.tree.category is _NOUN_MODIFIER or other is _PP):
            modifier = _relabelled(_settled(right, self.scheme), _NOUN_MODIFIER, self.scheme)
            return _Part(left.tree, (*left.waiting, modifier))
        if result is _N and left.tree.category is _N and other is _INFINITIVE:
            modifier = _raised(_NOUN_MODIFIER, _settled(right, self.scheme), self.scheme)
            return _Part(left.tree, (*left.waiting, modifier))
        if one is _parse("NP/PP") and other is _PP:
            modifier = _relabelled(_settled(right, self.scheme), _PHRASE_MODIFIER, self.scheme)
            return _Part(_joined(_NP, _settled(left, self.scheme), modifier, self.scheme))
        if (
            result is _NP
            and right.tree.category is _N
            and left.tree.category in (_DETERMINER, _BARE_DETERMINER)
        ):
            return self.phrase(right, lambda noun: self.joined(_NP, left, _Part(noun)))
        if result is _N and right.tree.category is _N:
            return _Part(self.joined(_N, left, _Part(right.tree)), right.waiting)
        if one is _ASKED_SUBJECT and (asked := self.asked(left, right)) is not None:
            return _Part(asked)
        if one is _ASKED_ARGUMENT and (asked := self.placed(left, right)) is not None:
            return _Part(asked)
        if _is_counting(left.tree, right.tree):
            return _Part(self.counted(left.tree, right))
        return _Part(self.joined(result, left, right))

    def phrase(self, noun: _Part, make: Callable[[Derivation], Derivation]) -> _Part:
        """A noun phrase, and above it the modifiers of its noun that can stand there."""
        moved = [_moved(modifier, self.scheme) for modifier in noun.waiting]
        stuck = max((place for place, one in enumerate(moved, 1) if one is None), default=0)
        tree = make(_settled(_Part(noun.tree, noun.waiting[:stuck]), self.scheme))
        for modifier in moved[stuck:]:
            if modifier is not None:
                tree = _joined(_NP, tree, modifier, self.scheme)
        return _Part(tree)

    def conjunct(self, left: _Part, right: _Part) -> Derivation:
        conjunction, tree = _settled(left, self.scheme), _settled(right, self.scheme)
        if _word(conjunction) in (",", ";") and conjunction.is_leaf:
            conjunction = replace(conjunction, category=Atom(_word(conjunction)))
        elif conjunction.is_leaf:
            conjunction = replace(conjunction, category=_CONJ)
        return _joined(tree.category.replace(conj=True), conjunction, tree, self.scheme)

    def marked(self, left: _Part, right: _Part) -> _Part:
        """A mark beside a constituent leaves all as it is, and what waits waiting."""
        main, mark = (right, left) if _is_mark(left.tree.category) else (left, right)
        children = (mark.tree, main.tree) if main is right else (main.tree, mark.tree)
        return _Part(_joined(main.tree.category, *children, self.scheme), main.waiting)

    def asked(self, left: _Part, right: _Part) -> Derivation | None:
        """What is X? The copula is inverted."""
        try:
            verb = _relabelled(_settled(right, self.scheme), _INVERTED, self.scheme, _COPULA)
            return _joined(_QUESTION, replace(left.tree, category=_ASKED_OBJECT), verb, self.scheme)
        except NotationError:
            return None

    def placed(self, left: _Part, right: _Part) -> Derivation | None:
        """Where is X? *Is* takes what is asked for as an NP. Where did X sing? It is an adjunct."""
        asker, clause = _settled(left, self.scheme), _settled(right, self.scheme)
        first = next(asker.leaves())
        fronted = first.category is _FRONTED
        if fronted and _word(first).lower() not in _PLACING:
            return None  # for whom: an argument
        ways = ((_ASKED_ADJUNCT, _without_place),) if fronted else (
            (_ASKED_OBJECT, _with_inverted_copula), (_ASKED_ADJUNCT, _without_place)
        )  # fmt: skip
        for category, change in ways:
            try:
                verb = change(clause, self.scheme)
                return _joined(_QUESTION, _relabelled(asker, category, self.scheme), verb, self.scheme)
            except NotationError:
                continue
        return None

    def numbered(self, noun: Derivation, name: Derivation) -> Derivation:
        """Flight 201: the name or number behind a noun is the head, as in any other compound."""
        spine = []
        while noun.children:
            spine.append(noun.children[0])
            noun = noun.children[1]
        kind = Atom("N", "num") if _word(noun) in _MONTHS and _word(name).isdecimal() else _N
        first = replace(noun, category=Functor(_N, Slash.FORWARD, kind))
        tree = _joined(_N, first, replace(name, category=kind), self.scheme)
        for modifier in reversed(spine):
            tree = _joined(_N, modifier, tree, self.scheme)
        return tree

    def counted(self, asker: Derivation, noun: _Part) -> Derivation:
        """How many N? *How* takes *many* and then the noun."""
        many, counted = noun.tree.children
        how = replace(asker, category=Functor(asker.category, Slash.FORWARD, _BARE_DETERMINER))
        many = replace(many, category=_BARE_DETERMINER)
        asked = _joined(asker.category, how, many, self.scheme)
        counted = _settled(_Part(counted, noun.waiting), self.scheme)
        return _joined(_result(asker.category), asked, counted, self.scheme)

    def joined(self, category: Category, left: _Part, right: _Part) -> Derivation:
        return _joined(category, _settled(left, self.scheme), _settled(right, self.scheme), self.scheme)


def _to_rebank(derivation: Derivation) -> Derivation:
    scheme = load_scheme("rebank")

    def part(node: Derivation, children: Sequence[Derivation]) -> Derivation:
        if not children:
            return replace(node, category=_unmarked(node.category))
        if len(children) == 1:
            return _raised(_unmarked(node.category), children[0], scheme)
        return _rebank_binary(node, children[0], children[1], scheme)

    return _licensed(annotate(derivation, load_scheme("ccgbank")).fold(part), scheme)


def _rebank_binary(node: Derivation, left: Derivation, right: Derivation, scheme: Scheme) -> Derivation:
    if node.rule is Rule.CONJUNCTION:
        conjunction = replace(left, category=_CONJ) if left.is_leaf else left
        return _joined(Functor(right.category, Slash.BACKWARD, right.category), conjunction, right, scheme)
    if left.category is _ASKED_OBJECT:
        try:
            verb = _relabelled(right, _PREDICATE, scheme, _INVERTED_COPULA)
            return _joined(_QUESTION, replace(left, category=_ASKED_SUBJECT), verb, scheme)
        except NotationError:
            pass
    if right.category is _PHRASE_MODIFIER and right.rule is not Rule.CONJUNCTION and left.category is _NP:
        lowered = _lowered(left, right, scheme)
        if lowered is not None:
            return lowered
    return _joined(_unmarked(node.category), left, right, scheme)


def _lowered(phrase: Derivation, modifier: Derivation, scheme: Scheme) -> Derivation | None:
    """The noun phrase with a modifier of it under its determiner; None if it has no noun there."""
    noun = phrase.children[-1] if phrase.children else None
    if noun is None or noun.category is not _N or (modifier.is_leaf and modifier.token is not None):
        return None
    try:
        modified = _joined(_N, noun, _relabelled(modifier, _NOUN_MODIFIER, scheme), scheme)
    except NotationError:
        return None
    if len(phrase.children) == 1:
        return _raised(_NP, modified, scheme)
    return _joined(_NP, phrase.children[0], modified, scheme)


#: notations by name, and how a derivation in the other one is put into it
NOTATIONS: dict[str, Callable[[Derivation], Derivation]] = {"ccgbank": _to_ccgbank, "rebank": _to_rebank}


def _leaf_category(leaf: Derivation) -> Category:
    mark = _mark(_word(leaf), leaf.category)
    if mark is not None:
        return mark
    if (
        leaf.token is not None
        and (leaf.token.pos or "").startswith("VB")
        and leaf.category.target.base == "S"
    ):
        return _plain(leaf.category, adverbs=False)  # "…," said he: S[dcl]\\S[dcl] is what a verb makes
    category = _plain(leaf.category)
    return _DETERMINERS.get(category, category)


def _mark(word: str, category: Category) -> Category | None:
    """The atom of a mark, where CCGrebank has a modifier or a bracket for a quotation mark."""
    modifies = isinstance(category, Functor) and category.result is category.argument
    if not modifies and category not in (Atom("LRB"), Atom("RRB"), Atom("LQU"), Atom("RQU")):
        return None
    opens = category.slash is Slash.FORWARD if isinstance(category, Functor) else str(category)[0] == "L"
    if word in _BRACKETS:
        return Atom(_BRACKETS[word])
    if word in _OPENING or word in _CLOSING or word in ('"', "'"):
        opens = word in _OPENING or (opens and word not in _CLOSING)
        return Atom("LQU" if opens else "RQU")
    return Atom(_MARKS[word]) if word in _MARKS else None


def _is_mark(category: Category) -> bool:
    return isinstance(category, Atom) and category.is_punctuation and not category.conj


def _is_apposition(node: Derivation) -> bool:
    """Whether a comma makes a modifier X\\X of an X."""
    mark, other = node.children
    return (
        _word(mark) in (",", ";")
        and isinstance(node.category, Functor)
        and node.category.result is node.category.argument is other.category
    )


def _is_numbered(noun: _Part, name: _Part) -> bool:
    """Whether a name or a number stands as a modifier behind a noun that has nothing else behind it."""
    word, node = _word(name.tree), noun.tree
    if noun.waiting or name.tree.category is not _NOUN_MODIFIER or not word[:1].isalnum() or word.islower():
        return False
    while len(node.children) == 2 and node.category is _N:
        node = node.children[1]
    return node.is_leaf and node.category is _N


def _is_counting(asker: Derivation, noun: Derivation) -> bool:
    return (
        _word(asker).lower() == "how"
        and isinstance(asker.category, Functor)
        and asker.category.argument is noun.category is _N
        and len(noun.children) == 2
        and _word(noun.children[0]).lower() in _MANY
        and noun.children[0].category is _PREMODIFIER
    )


def _with_inverted_copula(clause: Derivation, scheme: Scheme) -> Derivation:
    return _relabelled(clause, _INVERTED, scheme, _PLACED_COPULA)


def _without_place(clause: Derivation, scheme: Scheme) -> Derivation:
    """The clause X/PP as X: its verb, wherever it stands, does without the PP."""
    spine: list[tuple[Derivation, int, int]] = []  # nodes, which child is changed, arguments outside the PP
    node, depth = clause, 0
    while len(node.children) == 2:
        place = _CHANGED.get(node.rule) if depth == 0 or node.rule is Rule.FORWARD_APPLICATION else None
        if place is None:
            break
        spine.append((node, place, depth))
        node, depth = node.children[place], depth + (node.rule is Rule.FORWARD_APPLICATION)
    if not node.is_leaf or _word(node).lower() in _BE:
        raise NotationError(f"{' '.join(node.words)} cannot do without its PP")
    node = replace(node, category=_without_pp(node.category, depth))
    for above, place, depth in reversed(spine):
        left, right = above.children
        children = (node, right) if place == 0 else (left, node)
        node = _joined(_without_pp(above.category, depth), *children, scheme)
        if node.rule is None:
            raise NotationError(f"{' '.join(node.words)} cannot do without its PP")
    return node


def _without_pp(category: Category, depth: int) -> Category:
    """The category without its argument PP, so many arguments further in."""
    outer = []
    for _ in range(depth):
        if not isinstance(category, Functor):
            break
        outer.append(category)
        category = category.result
    if not isinstance(category, Functor) or category.argument is not _PP:
        raise NotationError(f"{category} has no argument PP")
    category = category.result
    for functor in reversed(outer):
        category = Functor(category, functor.slash, functor.argument)
    return category


def _result(category: Category) -> Category:
    if not isinstance(category, Functor):
        raise NotationError(f"{category} is not a functor")
    return category.result


def _word(node: Derivation) -> str:
    return node.token.word if node.is_leaf and node.token is not None else ""


@lru_cache(maxsize=1 << 14)
def _plain(category: Category, adverbs: bool = True) -> Category:
    """The category without what CCGbank does not have: nouns' arguments, particles, features of adverbs."""
    if not isinstance(category, Functor):
        if category is _PR:
            return _ADVERB
        return (
            category.replace(feature=None)
            if isinstance(category, Atom) and category.feature == "X"
            else category
        )
    if category.slash is Slash.FORWARD and category.argument is _PR:
        return _plain(category.result, adverbs)
    result, argument = _plain(category.result, adverbs), _plain(category.argument, adverbs)
    if category.slash is Slash.FORWARD and (
        (argument is _PP and result in (_N, _NP)) or (argument is _INFINITIVE and result is _N)
    ):
        return result
    if adverbs and result is argument and _is_adverbial(category, result):
        result = argument = result.without_features()
    return Functor(result, category.slash, argument, category.conj)


def _is_adverbial(category: Functor, result: Category) -> bool:
    """Whether X|X is an adverb: an auxiliary `(S[b]\\NP)/(S[b]\\NP)` is none."""
    if result.target.base != "S" or result.target.feature not in _ADVERBIAL:
        return False
    return category.slash is Slash.BACKWARD or result.arity == 0 or result.target.feature == "dcl"


def _unmarked(category: Category) -> Category:
    return category.replace(conj=False).map_atoms(
        lambda atom: atom.replace(feature=None) if atom.feature == "nb" else atom
    )


def _settled(part: _Part, scheme: Scheme) -> Derivation:
    """The constituent with the modifiers that wait, on its noun."""
    tree = part.tree
    for modifier in part.waiting:
        tree = _joined(_N, tree, modifier, scheme)
    return tree


def _moved(modifier: Derivation, scheme: Scheme) -> Derivation | None:
    """A noun's modifier as one of a noun phrase; None if it is a word, or of a shape that is not known."""
    if sum(not _is_mark(leaf.category) for leaf in modifier.leaves()) == 1:
        return None
    try:
        return _relabelled(modifier, _PHRASE_MODIFIER, scheme)
    except NotationError:
        return None


def _relabelled(
    tree: Derivation, category: Category, scheme: Scheme, only: Category | None = None
) -> Derivation:
    """The derivation of another category, its functors changed down to the words.

    With `only`, the one word that is changed is a form of *be* with that category.
    """
    wanted = {id(tree): category}
    for node in tree.nodes():
        if id(node) not in wanted:
            continue
        new = wanted[id(node)]
        if (
            node.is_leaf
            and only is not None
            and (node.category is not only or _word(node).lower() not in _BE)
        ):
            raise NotationError(f"{_word(node)!r} is not a copula")
        for child, label in _children_wanted(node, new):
            wanted[id(child)] = label

    def rebuilt(node: Derivation, children: Sequence[Derivation]) -> Derivation:
        label = wanted.get(id(node), node.category)
        if not children:
            return replace(node, category=label)
        if len(children) == 1:
            return _raised(label, children[0], scheme)
        return _joined(label, children[0], children[1], scheme)

    return tree.fold(rebuilt)


def _children_wanted(node: Derivation, new: Category) -> Iterable[tuple[Derivation, Category]]:
    """The children whose categories change with their parent's, and what they become."""
    if len(node.children) < 2 or new is node.category:
        return
    left, right = node.children
    if node.rule is Rule.COORDINATION:
        yield from ((left, new), (right, new.replace(conj=True)))
    elif node.rule is Rule.CONJUNCTION:
        yield right, new.replace(conj=False) if new.conj else new.result  # type: ignore[attr-defined]
    elif node.rule is Rule.RIGHT_PUNCTUATION:
        yield left, new
    elif node.rule is Rule.LEFT_PUNCTUATION:
        yield right, new
    elif node.rule in (Rule.FORWARD_APPLICATION, Rule.BACKWARD_APPLICATION):
        forward = node.rule is Rule.FORWARD_APPLICATION
        functor, argument = (left, right) if forward else (right, left)
        yield from _functor_wanted(functor, argument, new)
    else:
        raise NotationError(
            f"{node.category} by {node.rule.symbol if node.rule else '?'} cannot become {new}"
        )


def _functor_wanted(
    functor: Derivation, argument: Derivation, new: Category
) -> Iterable[tuple[Derivation, Category]]:
    category = functor.category
    if not isinstance(category, Functor):
        raise NotationError(f"{category} is not a functor")
    if category.result is category.argument:  # a modifier, or what a conjunction made
        yield from ((functor, Functor(new, category.slash, new)), (argument, new))
    elif category.argument is _NOUN_PREPOSITION and new.target is _NP:  # which, after its preposition
        yield functor, Functor(new, category.slash, _PHRASE_PREPOSITION)
        yield argument, _PHRASE_PREPOSITION
    else:
        yield functor, Functor(new, category.slash, category.argument)


def _joined(category: Category, left: Derivation, right: Derivation, scheme: Scheme) -> Derivation:
    """A step to the category, or to one that only says more than it."""
    one, other = left.category, right.category
    found = license_binary(one, other, category, scheme)
    if found is None:
        near = (step for step in combine(one, other, scheme) if unify(step.category, category))
        found = next(near, None)
    if found is None:
        return Derivation(category, (left, right))
    return Derivation(found.category, (left, right), None, found.rule, found.head)


def _raised(category: Category, child: Derivation, scheme: Scheme) -> Derivation:
    found = license_unary(child.category, category, scheme)
    return Derivation(category, (child,), None, found.rule if found else None)


def _licensed(tree: Derivation, scheme: Scheme) -> Derivation:
    for node in tree.nodes():
        if node.children and node.rule is None:
            parts = " ".join(str(child.category) for child in node.children)
            raise NotationError(
                f"{parts} do not make {node.category} in the notation of {scheme.notation} "
                f"({' '.join(node.words)})"
            )
    return tree
