"""A* search over supertags in plain Python, for where the compiled one is not there; both find the same.

A word's best supertag costs nothing and the others what they are worse, so the words outside a constituent
cost at least nothing, and where head words cost something, what `Outside` says: with that bound, the
cheapest item of the agenda is finished when it comes up.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import reduce
from heapq import heappop, heappush
from itertools import chain
from math import inf
from operator import add, itemgetter

from ..grammar import Atom, Derivation
from ..grammar.combination import is_mark
from ..sentence import Supertag
from .charges import CLUSTER, RELATIONS
from .chart import Found, Limit, Query
from .choices import Choices
from .items import BACKWARD, FORWARD, GOAL, LEAF, LEFT_MARK, MAX_CHAIN, RIGHT_MARK, Item
from .outside import IMPOSSIBLE, Outside
from .rulebook import RULES, Rulebook, Step

__all__ = ["PlainSearch"]

SMALLEST_CROWD = 2  # constituents of the same words that there may always be
CLOCK = 1024  # items between two looks at the clock
BUCKETS_A_NAT = 8  # of the agenda, by what an item costs with all that has to follow
BUCKETS = 1024  # the last one has all that costs more
FIRST_REACH = 1.0  # nats beyond the best derivation that are searched for others at first

Key = tuple[int, int, int, int, bool, int, int]
Neighbours = dict[tuple[int, bool], list[int]]  # finished items by category and whether they are conjuncts


class PlainSearch:
    """The cheapest derivations over all words, or else the fewest and cheapest constituents in a row."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book

    def __len__(self) -> int:
        return len(self._book.categories)

    def __call__(self, query: Query) -> Found | None:
        words = [_leaves(tags, self._book, query.bound) for tags in query.tags]
        if sum(map(len, words)) == query.tried:
            return None
        return _Search(self._book, query).run(words)


def _leaves(tags: tuple[Supertag, ...], book: Rulebook, bound: float) -> list[tuple[int, float]]:
    """The categories' numbers and how much worse they are than the best, best first, each category once."""
    best = max(tag.logprob for tag in tags)
    pairs = []
    for tag in tags:
        cost = best - tag.logprob
        if not cost <= IMPOSSIBLE:  # also where a log-probability is no number
            cost = IMPOSSIBLE
        if cost <= bound:
            pairs.append((book.number(tag.category), cost))
    costs: dict[int, float] = {}
    for number, cost in sorted(pairs, key=itemgetter(1)):
        costs.setdefault(number, cost)
    return list(costs.items())


class _Search:
    """The state of one search: items, agenda, and what has come off it."""

    def __init__(self, book: Rulebook, query: Query) -> None:
        size = len(query.tokens)
        self.book, self.query, self.size = book, query, size
        self.nbest, self.max_items = query.nbest, query.max_items
        costs = book.costs
        self.distance, self.mark = costs.distance, costs.mark
        self.right_first = costs.right_first
        self.spans, self.links, self.labels = query.charges
        self.deadline = time.monotonic() + query.seconds
        self.items: list[Item] = []
        self.agenda: list[tuple[float, int, int]] = []  # a heap
        self.waiting: list[list[Item]] = [[] for _ in range(BUCKETS)]  # dearer than all of the heap
        self.opened, self.left = 0, 0  # the last bucket whose items are in the heap; items in the others
        self.cheapest: dict[Key, float] = {}
        self.finished: dict[Key, int] = {}
        self.crowds: dict[tuple[int, int, int], int] = defaultdict(int)
        self.starting: list[Neighbours] = [{} for _ in range(size + 1)]
        self.ending: list[Neighbours] = [{} for _ in range(size + 1)]
        self.goals: list[int] = []
        self.ceiling = inf  # the cost of the cheapest derivation so far
        self.reach = inf  # up to what cost all derivations are wanted, once there is one
        self.choices: Choices | None = None  # the cheapest derivations, where there are to be several
        self.outside: Outside | None = None

    def run(self, words: Sequence[Sequence[tuple[int, float]]]) -> Found:
        if self.links:
            self.outside = Outside(self.size, self.distance, self.links, self.marks(words))
        for place, tags in enumerate(words):
            for category, cost in tags:
                starts = self.book.starts_conjunct(category)
                self.push((category, LEAF, 0, place, -1, place, place + 1, place, 0, starts, 0, cost))
        limit = self.exhaust()
        if limit is not Limit.NONE and not self.goals:  # what waits may be part of a row of fragments
            self.items += chain.from_iterable(self.waiting)
        elif self.goals and self.nbest > 1 and not self.has_enough():
            self.choose(inf if limit is Limit.NONE else self.reach)
        found, spanning = self.derivations(), bool(self.goals)
        if not spanning:
            roots = self.fragments()
            found = [(self.items[root][11], self.under(root)) for root in roots]
            # one that no time was left to finish
            spanning = len(roots) == 1 and self.used(self.items[roots[0]]) < inf
        trees = [(cost, self.tree(order)) for cost, order in found]
        best = _added(max(tag.logprob for tag in tags) for tags in self.query.tags)
        return Found(limit, spanning, len(self.items), sum(map(len, words)), trees, best)

    def marks(self, words: Sequence[Sequence[tuple[int, float]]]) -> list[bool]:
        """The words that may head a mark, which distance does not count for; all, if a functor makes one."""
        categories = [[self.book.categories[number] for number, _ in tags] for tags in words]
        made = any(is_mark(one.target) and not isinstance(one, Atom) for tags in categories for one in tags)
        return [made or any(map(is_mark, tags)) for tags in categories]

    def estimated(self, item: Item) -> float:
        """What an item costs with all that has to follow, at least."""
        if self.outside is None or item[1] == GOAL:
            return item[11]
        return item[11] + self.outside(item[5], item[6], item[7])

    def exhaust(self) -> Limit:
        """Take items off the agenda until there are derivations enough, no items, or no room or time."""
        popped = 0
        while self.agenda or self.open_bucket():
            popped += 1
            if popped % CLOCK == 0 and time.monotonic() > self.deadline:
                return Limit.TIME
            if len(self.items) + self.left > self.max_items:
                return Limit.CHART
            if self.agenda[0][0] > self.reach and self.is_enough(self.agenda[0][0]):
                break
            number = heappop(self.agenda)[2]
            item = self.items[number]
            if item[1] == GOAL:
                self.goals.append(number)
                if self.nbest == 1:
                    break
                self.reach = min(self.reach, item[11] + FIRST_REACH)
                continue
            key = self.key(item)
            if key in self.finished or self.crowded(item):
                continue
            self.finished[key] = number
            self.expand(number, item)
        return Limit.NONE

    def is_enough(self, cost: float) -> bool:
        """Whether there are derivations enough within reach; else it goes further, up to `cost` at least."""
        first = self.items[self.goals[0]][11]
        while self.reach < cost:
            self.choose(self.reach)
            if self.has_enough():
                return True
            self.reach = first + 2 * (self.reach - first)
        return False

    def has_enough(self) -> bool:
        """Whether as many derivations have been chosen as are wanted."""
        return self.choices is not None and len(self.choices.best) == self.nbest

    def choose(self, most: float) -> None:
        """The cheapest derivations that cost no more than `most`."""
        makers: dict[int, list[int]] = {number: [] for number in self.finished.values()}
        for number, item in enumerate(self.items):
            node = None if item[1] == GOAL else self.finished.get(self.key(item))
            if node is not None:
                makers[node].append(number)
        categories, distinct = self.book.categories, self.query.readings
        self.choices = Choices(self.items, makers, self.goals, categories, self.nbest, distinct, most)

    def derivations(self) -> list[tuple[float, list[int]]]:
        """The items of the derivations of the whole sentence, parents before parts, left before right."""
        if self.nbest == 1:
            return [(self.items[goal][11], self.under(self.items[goal][3])) for goal in self.goals]
        return self.choices.derivations() if self.choices else []

    def under(self, root: int) -> list[int]:
        """The items under an item, each as it was made first."""
        order, agenda = [], [root]
        while agenda:
            number = agenda.pop()
            item = self.items[number]
            order.append(number)
            if item[1] != LEAF:
                agenda += (item[4], item[3]) if item[4] >= 0 else (item[3],)
        return order

    def crowded(self, item: Item) -> bool:
        """Whether there are enough constituents of the same words: the larger the chart, the fewer are."""
        words = (item[5], item[6], self.head(item))
        self.crowds[words] += 1
        return self.crowds[words] > max(SMALLEST_CROWD, self.query.work / (len(self.items) + self.left))

    def expand(self, number: int, item: Item) -> None:
        """Push all that a finished item makes, alone and with its neighbours."""
        category, _, _, _, _, start, end, head, _, conjunct, chain, cost = item
        if end - start == self.size:
            charge = self.linked(head, self.size, 0) + self.used(item)
            total = cost + (self.book.ending(category) + charge)
            if total < inf:
                self.ceiling = min(self.ceiling, total)
                goal = (category, GOAL, 0, number, -1, start, end, head, 0, False, 0, total)
                self.enqueue(goal, total)
        if chain < MAX_CHAIN:
            for result, rule, _, extra, _ in self.book.change(category):
                kind = self.book.classes[rule]
                self.push(
                    (result, rule, 0, number, -1, start, end, head, kind, conjunct, chain + 1, cost + extra)
                )
        self.starting[start].setdefault((category, conjunct), []).append(number)
        self.ending[end].setdefault((category, conjunct), []).append(number)
        for (left, _), items in self.ending[start].items():
            if steps := self.book.combine(left, category, conjunct):
                for neighbour in items:
                    self.combine(neighbour, number, steps)
        for (right, begins), items in self.starting[end].items():
            if steps := self.book.combine(category, right, begins):
                for neighbour in items:
                    self.combine(number, neighbour, steps)

    def combine(self, left: int, right: int, steps: tuple[Step, ...]) -> None:
        one, other, book = self.items[left], self.items[right], self.book
        charged = self.charged(one, other)
        if charged == inf:
            return
        for result, rule, side, extra, relation in steps:
            if not book.left_classes[rule] >> one[8] & 1 or not book.right_classes[rule] >> other[8] & 1:
                continue
            head, kind = (other if side else one)[7], book.classes[rule]
            charge = charged + self.attached(one if side else other, head, relation)
            cost = one[11] + other[11] + extra + self.attachment(one, other, rule, result) + charge
            if cost < inf:
                place = (one[5], other[6], head, kind, one[9], 0, cost)
                self.push((result, rule, side, left, right, *place))

    def attachment(self, one: Item, other: Item, rule: int, result: int) -> float:
        """The cost of the places of two neighbours, as `Costs` has it."""
        between = other[7] - one[7] - 1
        if rule in (RIGHT_MARK, LEFT_MARK):
            if self.mark < 0:
                return -self.mark * between
            at_edge = one[5] == 0 if rule == RIGHT_MARK else other[6] == self.size
            return 0.0 if at_edge else self.mark
        cost = self.distance * between
        if self.right_first > 0:
            if rule == FORWARD and result == other[0] and other[7] < other[6] - 1:
                cost += self.right_first
        elif rule == BACKWARD and result == one[0] and one[7] > one[5]:
            cost -= self.right_first
        return cost

    def charged(self, one: Item, other: Item) -> float:
        """What it costs by the charges that there are these two constituents and the one they make."""
        cost = self.spans[one[5] * (self.size + 1) + other[6]] if self.spans else 0.0
        return cost + (self.used(one) + self.used(other))

    def used(self, item: Item) -> float:
        """The cost of the labels that an item lacks now that no unary step follows."""
        here = (span for span in self.labels if span.wanted and (span.start, span.end) == (item[5], item[6]))
        category = self.book.categories[item[0]]
        return _added(span.cost for span in here if not span.admits(category))

    def labelled(self, item: Item) -> Item:
        """An item at what it costs with the labels that it should not have; leaves were charged before."""
        if item[1] == LEAF:
            return item
        category, cost = self.book.categories[item[0]], item[11]
        for span in self.labels:
            if not span.wanted and (span.start, span.end) == (item[5], item[6]) and not span.admits(category):
                cost += span.cost
        return (*item[:11], cost)

    def attached(self, dependent: Item, head: int, relation: int) -> float:
        """The charge of a constituent's attachment; in a cluster, of the cheapest that is to come."""
        if relation == CLUSTER:
            return self.outside.own(dependent[7], dependent[5], dependent[6]) if self.outside else 0.0
        return self.linked(dependent[7], head, relation)

    def linked(self, dependent: int, head: int, relation: int) -> float:
        """The charge of an attachment."""
        if not self.links:
            return 0.0
        return self.links[(dependent * (self.size + 1) + head) * len(RELATIONS) + relation]

    def key(self, item: Item) -> Key:
        """Items with the same key are the same to all that follows; their heads are where links cost.

        Of several derivations each costs what it does alone, so there heads and unary steps, of which there
        are only so many, always count.
        """
        steps = 0 if self.nbest == 1 else item[10]
        return item[5], item[6], item[0], item[8], item[9], self.head(item), steps

    def head(self, item: Item) -> int:
        return item[7] if self.links or self.nbest > 1 else 0

    def push(self, item: Item) -> None:
        """Put an item on the agenda unless a derivation that is there is cheaper than all it can make."""
        if self.labels and not (item := self.labelled(item))[11] < inf:
            return
        estimate = self.estimated(item)
        if self.nbest > 1 or estimate <= self.ceiling:
            self.enqueue(item, estimate)

    def enqueue(self, item: Item, estimate: float) -> None:
        """Most items are dearer than the derivation that is found: these wait unsorted."""
        bucket = int(min(estimate * BUCKETS_A_NAT, BUCKETS - 1))
        if bucket <= self.opened:
            self.admit(item, estimate)
        else:
            self.waiting[bucket].append(item)
            self.left += 1

    def open_bucket(self) -> bool:
        """Put the cheapest items that wait into the heap; gives whether there are any."""
        while not self.agenda and self.left:
            self.opened += 1
            bucket, self.waiting[self.opened] = self.waiting[self.opened], []
            for item in bucket:
                estimate = self.estimated(item)
                if self.nbest > 1 or estimate <= self.ceiling:
                    self.admit(item, estimate)
            self.left -= len(bucket)
        return bool(self.agenda)

    def admit(self, item: Item, estimate: float) -> None:
        """Put an item into the heap unless it can be no better than one that is or was there.

        For several derivations it is kept all the same.
        """
        key = self.key(item)
        if item[1] == GOAL or item[11] < self.cheapest.get(key, inf):
            if item[1] != GOAL:
                self.cheapest[key] = item[11]
            heappush(self.agenda, (estimate, item[5] - item[6], len(self.items)))
        elif self.nbest == 1:
            return
        self.items.append(item)

    def fragments(self) -> list[int]:
        """The fewest constituents that cover the words, of these the cheapest."""
        best: list[tuple[int, float, int]] = [(0, 0.0, -1)]
        ending: list[list[int]] = [[] for _ in range(self.size + 1)]
        for number, item in enumerate(self.items):
            if item[1] == LEAF or (item[1] != GOAL and self.standing(item) < inf):
                ending[item[6]].append(number)
        for end in range(1, self.size + 1):
            best.append(min(self.fragment(number, best) for number in ending[end]))
        roots = []
        end = self.size
        while end:
            roots.append(best[end][2])
            end = self.items[roots[-1]][5]
        return roots[::-1]

    def fragment(self, number: int, best: list[tuple[int, float, int]]) -> tuple[int, float, int]:
        item = self.items[number]
        count, cost, _ = best[item[5]]
        ending = self.standing(item)
        return count + 1, cost + item[11] + (ending if ending < inf else 0.0), number

    def standing(self, item: Item) -> float:
        """The cost of an item that nothing more becomes of."""
        return self.book.ending(item[0]) + self.used(item)

    def tree(self, order: Sequence[int]) -> Derivation:
        """A derivation of these items."""
        done: list[Derivation] = []
        for category, rule, head, left, right, *_ in (self.items[number] for number in reversed(order)):
            label = self.book.categories[category]
            if rule == LEAF:
                done.append(Derivation(label, (), self.query.tokens[left]))
            else:
                children = (done.pop(), done.pop()) if right >= 0 else (done.pop(),)
                done.append(Derivation(label, children, None, RULES[rule], head))
        return done.pop()


def _added(numbers: Iterable[float]) -> float:
    """The sum from left to right, as C++ has it: `sum` makes up for rounding from Python 3.12 on."""
    return reduce(add, numbers, 0.0)
