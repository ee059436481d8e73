from collections.abc import Callable
from typing import Any

from ..grammar import Category, Derivation, Rule, Token
from ..sentence import Supertag

def new_state(book: object, /) -> Any: ...
def count(state: Any, /) -> int: ...
def combine(
    state: Any, left: Category, right: Category, conjoined: bool, /
) -> tuple[tuple[Category, int, int, float, int], ...]: ...
def search(
    state: Any,
    tags: tuple[tuple[Supertag, ...], ...],
    tokens: tuple[Token, ...],
    rules: tuple[Rule, ...],
    derivation: type[Derivation],
    bound: float,
    tried: int,
    nbest: int,
    readings: bool,
    max_items: int,
    work: float,
    seconds: float,
    spans: bytes | None,
    links: bytes | None,
    labels: tuple[tuple[Callable[[Category], bool], int, int, bool, float], ...],
    /,
) -> tuple[int, bool, int, int, list[tuple[float, Derivation]], float] | None: ...
