"""What a derivation costs besides its supertags: a small preference where they leave a choice.

A step costs little if, where it was possible in the training derivations, it was mostly taken. Costs are
never negative, so A* stays exact. What was never seen costs what its rule does: no list is closed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from ..grammar import Atom, Category, CCGKitError, Combination, Functor, Rule, Scheme
from ..grammar.rules import Kind

__all__ = ["Certainty", "Costs", "StepKey", "doubts", "load_costs", "step_key"]

#: a rule and what it was applied to; of a unary step, child and parent
StepKey = tuple[Rule, Category, Category]
#: a bias, and weights of what speaks against a derivation: supertags, its own cost, head words
Certainty = tuple[float, float, float, float]

_COMPOSITIONS = [rule for rule in Rule if rule.kind in (Kind.COMPOSITION, Kind.SUBSTITUTION)]
DEFAULT_RULES = {
    **dict.fromkeys(_COMPOSITIONS, 0.02),
    Rule.FORWARD_TYPE_RAISING: 0.3,
    Rule.BACKWARD_TYPE_RAISING: 0.3,
    Rule.CONJUNCTION: 0.01,
    Rule.TYPE_CHANGE: 1.0,
}
_LITTLE = 0.1  # nats that hardly speak against a derivation


@dataclass(frozen=True)
class Costs:
    """Costs in nats, as the supertags' log-probabilities.

    `distance` is for each word between the heads of two constituents, which prefers low attachment. `mark`
    is for one on a constituent that does not reach from it to the end of the sentence, which prefers marks
    that attach high; if negative, for each word between the mark and the head. `right_first` is for a
    modifier before what is modified behind its head, if negative for one behind what is modified before it.
    """

    distance: float = 0.0003
    mark: float = 0.1
    right_first: float = 0.05
    unfinished: float = 5.0  #: for a derivation that ends in what no finished utterance is
    head_words: float = 0.0  #: for each nat that a head word is less probable than the word's best
    enclosed: float = 0.0  #: for each constituent that crosses what brackets or quotation marks enclose
    certainty: Certainty = (1.1, 0.47, 0.37, 0.42)  #: as `confidence` uses it
    rules: Mapping[Rule, float] = field(default_factory=lambda: DEFAULT_RULES)
    steps: Mapping[StepKey, float] = field(default_factory=dict)

    def step(self, found: Combination, children: tuple[Category, ...]) -> float:
        """The cost of one step, but for where its constituents stand."""
        known = self.steps.get(step_key(found, children))
        if known is not None:
            return known
        if len(children) == 1 and _is_bare_noun(children[0], found.category):
            return 0.0
        return self.rules.get(found.rule, 0.0)

    def ending(self, category: Category, scheme: Scheme) -> float:
        """The cost of ending in a category; infinite if it is no phrase.

        A phrase may lack phrases, as `S[dcl]\\NP` does, and may be a modifier; but what wants a functor, as
        type-raised categories do, is a part of a derivation that has come to nothing.
        """
        if scheme.is_root(category):
            return scheme.roots.get(category, 0.0)
        part = category
        while isinstance(part, Functor):
            if isinstance(part.argument, Functor) and part.result.size != part.argument.size:
                return math.inf
            part = part.result
        return self.unfinished

    def confidence(self, tags: float, cost: float, heads: float | None = None) -> float:
        """How probable it is that a derivation is right: logistic in logarithms of what speaks against it.

        `tags` and `heads` are the log-probabilities of the words' best supertags and head words, `cost` is
        what the derivation costs. Where head words are unknown, they are as unsure as the supertags.
        """
        bias, *weights = self.certainty
        against = doubts(tags, cost, heads)
        return 1 / (1 + math.exp(-bias - sum(w * doubt for w, doubt in zip(weights, against, strict=True))))


def doubts(tags: float, cost: float, heads: float | None = None) -> tuple[float, float, float]:
    """What `Costs.confidence` weighs: minus the logarithms of nats, which a first tenth hardly changes.

    >>> [round(doubt, 2) for doubt in doubts(-1.0, 0.0)]
    [-0.1, 2.3, -0.1]
    """
    nats = (-tags, cost, -tags if heads is None else -heads)
    tagging, steps, linking = (-math.log(_LITTLE + max(0.0, one)) for one in nats)
    return tagging, steps, linking


def step_key(found: Combination, children: tuple[Category, ...]) -> StepKey:
    """What the cost of a step depends on."""
    return found.rule, children[0], children[1] if len(children) == 2 else found.category


@cache
def load_costs(scheme: str) -> Costs:
    """The costs that were estimated for a scheme, general ones if there are none.

    Raises `CCGKitError` where their file cannot be read.
    """
    file = files(__package__) / f"{scheme}.costs.json"
    if not file.is_file():
        return Costs()
    return read_costs(file.read_text(encoding="utf-8"))


def read_costs(text: str) -> Costs:
    """Costs from their JSON."""
    try:
        data = json.loads(text)
        rules = {Rule(symbol): float(cost) for symbol, cost in data["rules"].items()}
        steps = {
            (Rule(symbol), Category.parse(one), Category.parse(other)): float(cost)
            for symbol, one, other, cost in data["steps"]
        }
        bias, of_tags, of_steps, of_heads = map(float, data["certainty"])
        return Costs(
            data["distance"],
            data["mark"],
            data["right_first"],
            data["unfinished"],
            data.get("head_words", 0.0),
            data.get("enclosed", 0.0),
            (bias, of_tags, of_steps, of_heads),
            rules,
            steps,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CCGKitError(f"the file of costs cannot be read: {error}") from error


def write_costs(costs: Costs) -> str:
    """The costs as JSON, a step a line."""
    steps = sorted(
        [rule.value, str(one), str(other), cost] for (rule, one, other), cost in costs.steps.items()
    )
    lines = ",\n".join(json.dumps(step, ensure_ascii=False) for step in steps)
    head = {
        "distance": costs.distance,
        "mark": costs.mark,
        "right_first": costs.right_first,
        "unfinished": costs.unfinished,
        "head_words": costs.head_words,
        "enclosed": costs.enclosed,
        "certainty": costs.certainty,
        "rules": dict(sorted((rule.value, cost) for rule, cost in costs.rules.items())),
    }
    return json.dumps(head, ensure_ascii=False)[:-1] + f',\n"steps": [\n{lines}\n]}}\n'


def _is_bare_noun(child: Category, parent: Category) -> bool:
    """N → NP, as common as a rule."""
    return isinstance(parent, Atom) and parent.base == "NP" and isinstance(child, Atom) and child.base == "N"
