from collections.abc import Callable
from typing import Any

from ..grammar import Category, Derivation, Rule, Token
from ..sentence import Supertag

def new_state(
    book: object,
    tells_conjuncts: bool,
    costs: tuple[float, float, float],
    rules: tuple[int, int, int, int],
    /,
) -> Any: ...
def search(
    book: object,
    state: Any,
    tags: tuple[tuple[Supertag, ...], ...],
    tokens: tuple[Token, ...],
    numbers: dict[Category, int],
    categories: list[Category],
    rules: tuple[Rule, ...],
    derivation: type[Derivation],
    bound: float,
    tried: int,
    nbest: int,
    max_items: int,
    seconds: float,
    spans: bytes | None,
    links: bytes | None,
    labels: tuple[tuple[Callable[[Category], bool], int, int, bool, float], ...],
    /,
) -> tuple[int, bool, int, int, list[tuple[float, Derivation]], float] | None: ...
