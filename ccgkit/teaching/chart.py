"""All derivations of a sentence, packed: a chart that shares what they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import prod

from ..grammar import Category, Derivation, Rule, Scheme, Token, change, combine, is_normal
from ..grammar.rules import Kind

__all__ = ["Item", "fill"]

_CHAIN = 2  # unary steps over one another

_Cell = dict[tuple[object, ...], "Item"]


@dataclass(slots=True, eq=False)
class Item:
    """Constituents of the same words that no rule can tell apart; `count` is how many there are.

    `conjoined` says whether they begin with a conjunction, `raised` whether they are type-raised, or a
    conjunction with what is, and `chain` how many unary steps are on top.
    """

    category: Category
    rule: Rule | None
    conjoined: bool
    raised: bool = False
    chain: int = 0
    token: Token | None = None
    ways: list[tuple[int, tuple[Item, ...]]] = field(default_factory=list)  #: the head's side, the parts
    count: int = 0

    def derivations(self) -> Iterator[Derivation]:
        """Every derivation, each made when it is asked for."""
        if self.token is not None:
            yield Derivation(self.category, token=self.token)
        for head, parts in self.ways:
            for children in _choices(parts):
                yield Derivation(self.category, children, rule=self.rule, head=head)


def fill(
    tokens: Sequence[Token], categories: Sequence[Sequence[Category]], scheme: Scheme, normal_form: bool
) -> list[Item]:
    """The items over the whole sentence: every way to derive it, in normal form alone if so wished."""
    cells: dict[tuple[int, int], _Cell] = {}
    for place, (token, known) in enumerate(zip(tokens, categories, strict=True)):
        words = (Item(one, None, one in scheme.conjunctions, token=token, count=1) for one in known)
        cells[place, place + 1] = _closed({_key(item): item for item in words}, scheme)
    for width in range(2, len(tokens) + 1):
        for start in range(len(tokens) - width + 1):
            end = start + width
            cell: _Cell = {}
            for middle in range(start + 1, end):
                _join(cells[start, middle], cells[middle, end], cell, scheme, normal_form)
            cells[start, end] = _closed(cell, scheme)
    return list(cells[0, len(tokens)].values()) if tokens else []


def _join(lefts: _Cell, rights: _Cell, cell: _Cell, scheme: Scheme, normal_form: bool) -> None:
    for left in lefts.values():
        for right in rights.values():
            for made in combine(left.category, right.category, scheme, right.conjoined):
                if normal_form and not _is_normal(made.rule, left, right):
                    continue
                raised = made.rule is Rule.CONJUNCTION and right.raised
                new = Item(made.category, made.rule, left.conjoined, raised)
                _add(cell, new, made.head, (left, right))


def _is_normal(rule: Rule, left: Item, right: Item) -> bool:
    """Whether no simpler derivation is repeated: categories raised one by one are conjoined unraised."""
    if rule is Rule.COORDINATION and left.raised and right.raised:
        return False
    return is_normal(rule, left.rule, right.rule)


def _closed(cell: _Cell, scheme: Scheme) -> _Cell:
    """The cell with what unary steps make of its items."""
    agenda = list(cell.values())
    for item in agenda:  # which grows
        for made in change(item.category, scheme) if item.chain < _CHAIN else ():
            raised = made.rule.kind is Kind.TYPE_RAISING
            new = Item(made.category, made.rule, item.conjoined, raised, item.chain + 1)
            if _add(cell, new, made.head, (item,)):
                agenda.append(new)
    return cell


def _add(cell: _Cell, new: Item, head: int, parts: tuple[Item, ...]) -> bool:
    """Add a way to make an item, and tell whether it is the first."""
    item = cell.setdefault(_key(new), new)
    item.ways.append((head, parts))
    item.count += prod(part.count for part in parts)
    return item is new


def _key(item: Item) -> tuple[object, ...]:
    return item.category, item.rule, item.conjoined, item.raised, item.chain


def _choices(parts: tuple[Item, ...]) -> Iterator[tuple[Derivation, ...]]:
    if not parts:
        yield ()
        return
    for first in parts[0].derivations():
        for rest in _choices(parts[1:]):
            yield (first, *rest)
