"""Training sentences as users write them: names in several words, no final stop, case, typos, length."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ccgkit.grammar import Atom, Category, Functor, Slash
from ccgkit.training.data import Example

__all__ = ["VARIANTS", "augmented", "drop_stop", "join", "lower", "mistype", "split_names", "upper", "varied"]

_SMALL_WORDS = frozenset(
    ("a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "past", "the", "till", "to")
)
_STOPS = frozenset(".?!")


def split_names(example: Example) -> Example:
    """Joined names and compounds as several words: `Brad~Pitt` N as `Brad` N/N and `Pitt` N.

    >>> n = Category.parse("N")
    >>> split_names(Example(("New~York",), (n,)))
    Example(words=('New', 'York'), categories=(N/N, N))
    """
    if not any("~" in word for word in example.words):
        return example
    words: list[str] = []
    categories: list[Category] = []
    for word, category in zip(example.words, example.categories, strict=True):
        parts, modifier = word.split("~"), _modifier(category)
        if len(parts) == 1 or modifier is None or not all(parts) or _SMALL_WORDS & {*map(str.lower, parts)}:
            parts = [word]
        words += parts
        categories += [modifier or category] * (len(parts) - 1) + [category]
    return Example(tuple(words), tuple(categories))


def _modifier(category: Category) -> Category | None:
    """What stands before the last word of a compound of this category; None if it is no noun."""
    noun = category
    if isinstance(noun, Functor) and str(noun) != "N/N":
        noun = noun.result  # N/PP, a relational noun
    if str(category) == "N/PP" or (isinstance(category, Atom) and str(category) == "N") or str(noun) == "N/N":
        return Functor(noun, Slash.FORWARD, noun)
    return None


def drop_stop(example: Example) -> Example:
    """Without the final full stop, question or exclamation mark."""
    if len(example.words) > 1 and example.words[-1] in _STOPS:
        heads, last = example.head_words, len(example.words) - 1
        kept = None if heads is None or last in heads or heads[last] < 0 else heads[:-1]
        return Example(example.words[:-1], example.categories[:-1], kept)
    return example


def lower(example: Example) -> Example:
    """In lower case."""
    return replace(example, words=tuple(word.lower() for word in example.words))


def upper(example: Example) -> Example:
    """In capitals, as headlines are."""
    return replace(example, words=tuple(word.upper() for word in example.words))


def join(examples: Sequence[Example]) -> Example:
    """Sentences run together into one."""
    if len(examples) == 1:
        return examples[0]
    return Example(
        tuple(word for example in examples for word in example.words),
        tuple(category for example in examples for category in example.categories),
    )


def mistype(example: Example, chance: random.Random) -> Example:
    """Two neighbouring letters of one longer word changed over."""
    long = [place for place, word in enumerate(example.words) if len(word) > 4 and word.isalpha()]
    if not long:
        return example
    place = chance.choice(long)
    word = example.words[place]
    at = chance.randrange(1, len(word) - 2)
    wrong = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return replace(example, words=(*example.words[:place], wrong, *example.words[place + 1 :]))


def augmented(examples: Sequence[Example], chance: random.Random) -> list[Example]:
    """An epoch's view of the examples: most as they are, each changed now and then, some joined."""
    return list(_some_joined([varied(example, chance) for example in examples], chance))


def varied(example: Example, chance: random.Random) -> Example:
    """The example, changed now and then."""
    if chance.random() < 0.5:
        example = split_names(example)
    if chance.random() < 0.15:
        example = drop_stop(example)
    if chance.random() < 0.06:
        example = lower(example)
    elif chance.random() < 0.04:
        example = upper(example)
    if chance.random() < 0.05:
        example = mistype(example, chance)
    return example


def _some_joined(examples: Sequence[Example], chance: random.Random) -> Iterator[Example]:
    """One sentence in eight with one to four others."""
    left = list(examples)
    chance.shuffle(left)
    while left:
        size = chance.randint(2, 5) if chance.random() < 0.05 else 1
        yield join(left[-size:])
        del left[-size:]


def _joined_by(size: int) -> Callable[[Sequence[Example]], list[Example]]:
    def joined(examples: Sequence[Example]) -> list[Example]:
        return [join(examples[start : start + size]) for start in range(0, len(examples), size)]

    return joined


def _each(change: Callable[[Example], Example]) -> Callable[[Sequence[Example]], list[Example]]:
    return lambda examples: [change(example) for example in examples]


def _mistyped(examples: Sequence[Example]) -> list[Example]:
    chance = random.Random(1)
    return [mistype(example, chance) for example in examples]


#: what a model card tells the accuracy on: name → the change of a test set
VARIANTS: Mapping[str, Callable[[Sequence[Example]], list[Example]]] = MappingProxyType(
    {
        "as it is": list,
        "names split": _each(split_names),
        "final stop dropped": _each(drop_stop),
        "lower case": _each(lower),
        "capitals": _each(upper),
        "a typo a sentence": _mistyped,
        "three sentences joined": _joined_by(3),
        "ten sentences joined": _joined_by(10),
    }
)
