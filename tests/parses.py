"""Sentences of all kinds, and what the package's model in CCGbank's notation makes of them."""

from __future__ import annotations

from functools import cache

from ccgkit import Sentence, load

SENTENCES = [
    "Alice loves Bob.",
    "The cat that I saw sleeps.",
    "John gave Mary a book.",
    "She did not want to leave.",
    "What did you see?",
    "Mary, who sings well, is happy.",
    "He looked it up quickly.",
    "The king of France is bald.",
    "I know that you can swim, but I cannot.",
    "Dogs, cats and birds sleep in the big old house.",
]


@cache
def parsed() -> tuple[Sentence, ...]:
    """The sentences with their derivations."""
    results = load("en-ccgbank").parse("\n\n".join(SENTENCES))
    return tuple(result.to_sentence() for result in results)
