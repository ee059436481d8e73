"""Dependencies of a derivation: who fills which slot of whom, through control, extraction and coordination.

Every word brings its category with head variables of its own; every step unifies those of what it
combines. In the end the words in a slot's variable are its fillers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .category import Category, Functor, Slash
from .derivation import Derivation
from .heads import Coindexation, build, gap, keeps_head
from .markup import SELF, Entry, Head
from .rules import Kind, Rule

__all__ = ["Dependency", "dependencies"]


@dataclass(frozen=True, slots=True)
class Dependency:
    """The word at `argument` fills slot `slot` of the category of the word at `head`.

    Words are counted from 0; slots from 1, the first argument of the innermost result being 1, as in
    CCGbank. `rule` is C&C's number of the type change that made the dependency (0: none), `markup` its
    marked-up spelling of the category, `via` what a file adds on a long-range dependency (CCGbank's `<XB>`
    and `<XU>`, or the category that passed the head on); none of them says which dependency it is.
    """

    head: int
    category: Category
    slot: int
    argument: int
    rule: int = field(default=0, compare=False)
    markup: str | None = field(default=None, compare=False)
    via: str | None = field(default=None, compare=False)


def dependencies(
    derivations: Derivation | Iterable[Derivation], coindexation: Coindexation | None = None
) -> tuple[Dependency, ...]:
    """The dependencies of a derivation whose nodes know their rules, or of a row of fragments.

    Words are numbered through all of the fragments. They come in the order of heads, slots and arguments.
    """
    row = (derivations,) if isinstance(derivations, Derivation) else derivations
    found: list[Dependency] = []
    start = 0
    for derivation in row:
        work = _Derived(coindexation or Coindexation(), start)
        work.derive(derivation)
        found += work.dependencies()
        start += len(work.words)
    return tuple(found)


class _Derived:
    """The head variables of one derivation: a union-find forest, whose roots hold words.

    A coordination's variable is the sum of the conjuncts': it has their words, and they keep their own.
    """

    def __init__(self, coindexation: Coindexation, start: int) -> None:
        self.coindexation, self.start = coindexation, start
        self.parents: list[int] = []
        self.fillers: list[list[int]] = []  # the words of a root
        self.sums: list[list[int]] = []  # the variables that a root is the sum of
        self.words: list[tuple[Entry, int]] = []  # each word's entry, and the first of its variables
        self.conjuncts: set[int] = set()  # ids of the functors that conjunctions made, X\X of conj X
        self.kept: list[Head] = []  # so that ids stay theirs

    def derive(self, derivation: Derivation) -> Head:
        """Go through the derivation, children first."""
        return derivation.fold(self.node)

    def node(self, node: Derivation, children: tuple[Head, ...]) -> Head:
        if not children:
            return self.word(node.category)
        if len(children) == 1:
            return self.unary(node, children[0])
        return self.binary(node, children[0], children[-1])

    def dependencies(self) -> Iterator[Dependency]:
        for place, (entry, base) in enumerate(self.words):
            for slot, variable in entry.slots:
                for argument in sorted(self.fill(base + variable)):
                    if argument != place:
                        yield Dependency(
                            self.start + place, entry.category, slot, self.start + argument, 0, entry.markup
                        )

    def word(self, category: Category) -> Head:
        entry = self.coindexation.entry(category)
        base = self.new(entry.variables)
        self.fillers[base].append(len(self.words))
        self.words.append((entry, base))
        return _placed(entry.head, base, base)

    def unary(self, node: Derivation, child: Head) -> Head:
        before, after = node.children[0].category, node.category
        raised = node.rule is not None and node.rule.kind is Kind.TYPE_RAISING
        if raised and isinstance(after, Functor):
            target = self.built(after.result, self.new())
            return Head(child.variable, target, Head(target.variable, target, child))
        if not isinstance(after, Functor):
            return Head(child.variable)
        return self.changed(before, after, child)

    def changed(self, before: Category, after: Category, child: Head) -> Head:
        """A type change: its head is the child's; what the child lacks is what the new modifier modifies."""
        head = self.built(after, child.variable)
        if not isinstance(after, Functor) or not keeps_head(after) or head.argument is None:
            return head
        if gap(before) is None or child.argument is None:
            return head
        modified, part = after.argument, head.argument
        if isinstance(modified, Functor) and modified.target.base == "S" and part.argument is not None:
            modified, part = modified.argument, part.argument  # the subject of a modified verb phrase
        if modified.target.base in ("N", "NP"):
            self.join(part.variable, child.argument.variable)
        return head

    def binary(self, node: Derivation, left: Head, right: Head) -> Head:
        rule = node.rule
        if rule is Rule.COORDINATION:
            return self.coordinated(left, right)
        if rule is Rule.CONJUNCTION:
            return self.conjunct(node, right)
        if rule is Rule.RIGHT_PUNCTUATION:
            return left
        if rule is Rule.LEFT_PUNCTUATION:
            return right
        if rule is not None and rule.is_combinatory:
            forward = rule.direction is Slash.FORWARD
            functor, argument, side = (left, right, 0) if forward else (right, left, 1)
            if id(functor) in self.conjuncts and functor.result is not None:
                return self.coordinated(argument, functor.result)
            found = self.combined(rule, node, functor, argument, side)
            if found is not None:
                return found
        head, child = (right, 1) if node.head else (left, 0)
        return self.changed(node.children[child].category, node.category, head)

    def combined(self, rule: Rule, node: Derivation, functor: Head, argument: Head, side: int) -> Head | None:
        """Application, composition or substitution; None if the heads do not have its shape."""
        if functor.result is None or functor.argument is None:
            return None
        if rule.kind is Kind.APPLICATION:
            self.unify(functor.argument, argument)
            return functor.result
        if rule.kind is Kind.SUBSTITUTION:
            return self.substituted(functor, argument)
        kept = node.children[side].category
        degree = node.category.arity - (kept.arity - 1)
        outer: list[Head] = []
        for _ in range(degree):
            if argument.result is None or argument.argument is None:
                return None
            outer.append(argument.argument)
            argument = argument.result
        self.unify(functor.argument, argument)
        head = functor.result
        for part in reversed(outer):
            head = Head(head.variable, head, part)
        return head

    def substituted(self, functor: Head, argument: Head) -> Head | None:
        inner = functor.result
        if inner is None or inner.argument is None or inner.result is None or functor.argument is None:
            return None
        if argument.result is None or argument.argument is None:
            return None
        self.unify(inner.argument, argument.result)
        self.unify(functor.argument, argument.argument)
        return Head(inner.result.variable, inner.result, functor.argument)

    def conjunct(self, node: Derivation, right: Head) -> Head:
        """conj X: X, or X\\X, which takes the other conjunct by application later."""
        if node.category.arity == node.children[1].category.arity:
            return right
        head = Head(right.variable, right, right)
        self.conjuncts.add(id(head))
        self.kept.append(head)
        return head

    def coordinated(self, left: Head, right: Head) -> Head:
        """What both conjuncts lack is one; where both have heads, the coordination has both."""
        known: dict[tuple[int, int], int] = {}
        root = (self.find(left.variable), self.find(right.variable))
        known[root] = self.sum(*root)
        built: dict[tuple[int, int], Head] = {}
        agenda: list[tuple[Head, Head, bool]] = [(left, right, False)]
        while agenda:
            one, other, visited = agenda.pop()
            place = (id(one), id(other))
            if place in built:
                continue
            pairs = [
                (a, b)
                for a, b in ((one.argument, other.argument), (one.result, other.result))
                if a is not None and b is not None
            ]
            if visited or not pairs:
                parts = [built[id(a), id(b)] for a, b in pairs] if len(pairs) == 2 else [None, None]
                built[place] = Head(self.shared(one, other, known), parts[1], parts[0])
            else:
                agenda.append((one, other, True))
                agenda += ((a, b, False) for a, b in pairs)
        return built[id(left), id(right)]

    def shared(self, one: Head, other: Head, known: dict[tuple[int, int], int]) -> int:
        """The variable of a part of a coordination."""
        pair = (self.find(one.variable), self.find(other.variable))
        if pair not in known:
            if pair[0] != pair[1] and self.fill(pair[0]) and self.fill(pair[1]):
                known[pair] = self.sum(*pair)
            else:
                self.join(*pair)
                known[pair] = pair[0]
        return known[pair]

    def built(self, category: Category, variable: int) -> Head:
        """The parts of a category over new variables, under a given one."""
        return _placed(build(category, SELF), self.new(category.size), variable)

    def new(self, count: int = 1) -> int:
        base = len(self.parents)
        self.parents.extend(range(base, base + count))
        self.fillers.extend([] for _ in range(count))
        self.sums.extend([] for _ in range(count))
        return base

    def sum(self, one: int, other: int) -> int:
        variable = self.new()
        self.sums[variable] += (one, other)
        return variable

    def find(self, variable: int) -> int:
        parents = self.parents
        while parents[variable] != variable:
            parents[variable] = parents[parents[variable]]
            variable = parents[variable]
        return variable

    def join(self, one: int, other: int) -> None:
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parents[other] = one
            self.fillers[one] += self.fillers[other]
            self.sums[one] += self.sums[other]

    def unify(self, one: Head, other: Head) -> None:
        agenda = [(one, other)]
        while agenda:
            left, right = agenda.pop()
            if left is right:
                continue
            self.join(left.variable, right.variable)
            if left.result is not None and right.result is not None:
                agenda.append((left.result, right.result))
            if left.argument is not None and right.argument is not None:
                agenda.append((left.argument, right.argument))

    def fill(self, variable: int) -> set[int]:
        """The words in a variable."""
        words: set[int] = set()
        seen: set[int] = set()
        agenda = [variable]
        while agenda:
            root = self.find(agenda.pop())
            if root not in seen:
                seen.add(root)
                words.update(self.fillers[root])
                agenda += self.sums[root]
        return words


def _placed(root: Head, base: int, own: int) -> Head:
    """A copy over the variables from `base` on; what is the root's own is `own`."""
    return root.renamed(lambda variable: own if variable == SELF else base + variable)
