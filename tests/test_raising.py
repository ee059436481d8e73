"""What public functions raise, their docstrings tell: "Raises `FormatError` where …", read off the code."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from test_public import MODULES

from ccgkit.grammar import CCGKitError

Function = Callable[..., Any]
RAISES = re.compile(r"^ *Raises `.*?(?=\n\n|\Z)", re.M | re.S)  # a paragraph
EXAMPLE = re.compile(r"^ *>>> .*?(?=\n\n|\Z)", re.M | re.S)
BY_TYPE = {"AttributeError", "TypeError"}  # misuse that a type checker finds, too


@cache
def functions_of(module: str) -> dict[str, ast.FunctionDef]:
    """The functions and methods of a module by their qualified names."""
    found: dict[str, ast.FunctionDef] = {}

    def gather(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                found[prefix + node.name] = node
            elif isinstance(node, ast.ClassDef):
                gather(node.body, f"{prefix}{node.name}.")

    gather(ast.parse(inspect.getsource(import_module(module))).body, "")
    return found


@dataclass
class Scope:
    """A function and the names that its text can use."""

    function: Function

    def __post_init__(self) -> None:
        self.node = functions_of(self.function.__module__).get(self.function.__qualname__)
        self.names = {**vars(builtins), **self.function.__globals__}
        if not self.node:
            return
        for node in ast.walk(self.node):
            if isinstance(node, ast.ImportFrom):
                self._import(node)
            elif isinstance(node, ast.arg):
                self.names[node.arg] = self.value(node.annotation)
        if "." in self.function.__qualname__:
            owner = getattr(import_module(self.function.__module__), self.function.__qualname__.split(".")[0])
            self.names.update(self=owner, cls=owner)

    def _import(self, node: ast.ImportFrom) -> None:
        try:
            module = import_module("." * node.level + (node.module or ""), self.names["__package__"])
        except ImportError:
            return
        self.names.update(
            {alias.asname or alias.name: getattr(module, alias.name, None) for alias in node.names}
        )

    def value(self, expression: ast.expr | None) -> Any:
        """What a name, perhaps with dots, stands for; None where the text alone does not tell."""
        match expression:
            case ast.Name(name):
                return self.names.get(name)
            case ast.Attribute(of, name):
                return plain(inspect.getattr_static(self.value(of), name, None))
            case ast.Tuple(parts):
                return tuple(map(self.value, parts))
        return None


def plain(found: Any) -> Any:
    """The function inside of a property, a class method or a wrapper."""
    for part in ("fget", "func", "__func__"):
        found = getattr(found, part, found) if not inspect.isfunction(found) else found
    return inspect.unwrap(found) if callable(found) else found


def is_ours(function: Function) -> bool:
    return function.__module__.startswith("ccgkit")


def is_exception(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseException)


def raised(function: Function, above: tuple[Function, ...] = ()) -> set[type[BaseException]]:
    """The exceptions that a function raises, itself or by helpers that are not public."""
    scope = Scope(function)
    return within(scope.node.body, scope, (*above, function)) if scope.node else set()


def within(nodes: Any, scope: Scope, above: tuple[Function, ...]) -> set[type[BaseException]]:
    return set().union(*(one(node, scope, above) for node in nodes))


def one(node: ast.AST, scope: Scope, above: tuple[Function, ...]) -> set[type[BaseException]]:
    if isinstance(node, ast.Try):
        caught = tuple(flat(scope.value(handler.type) for handler in node.handlers))
        left = {kind for kind in within(node.body, scope, above) if not issubclass(kind, caught)}
        return left | within([*node.handlers, *node.orelse, *node.finalbody], scope, above)
    found = within(ast.iter_child_nodes(node), scope, above)
    if isinstance(node, ast.Raise):
        return found | set(kinds(node.exc, scope))
    return found | helper(scope.value(node.func), above) if isinstance(node, ast.Call) else found


def flat(found: Any) -> Iterator[type[BaseException]]:
    for value in found:
        yield from flat(value) if isinstance(value, tuple) else [value] if is_exception(value) else []


def helper(called: Any, above: tuple[Function, ...]) -> set[type[BaseException]]:
    if inspect.isclass(called):
        called = vars(called).get("__post_init__") or vars(called).get("__init__")
    called = plain(called)
    if not inspect.isfunction(called) or called in above or called in public() or not is_ours(called):
        return set()
    return raised(called, above)


def kinds(expression: ast.expr | None, scope: Scope) -> Iterator[type[BaseException]]:
    """What an expression raises: a class, or what a function that makes exceptions returns."""
    called = expression.func if isinstance(expression, ast.Call) else expression
    found = scope.value(called)
    if is_exception(found):
        yield found
    elif inspect.isfunction(found):
        name = found.__annotations__.get("return")
        made = found.__globals__.get(name) if isinstance(name, str) else name
        yield from [made] if is_exception(made) else []


@cache
def public() -> dict[Function, str]:
    """The public functions with what is told of them; of special methods their class tells."""
    found: dict[Function, str] = {}
    for module in MODULES:
        for name in import_module(module).__all__:
            value = getattr(import_module(module), name)
            if inspect.isclass(value):
                found.update(_methods(value))
            elif inspect.isfunction(plain(value)):
                found[plain(value)] = inspect.getdoc(value) or ""
    return found


def _methods(kind: type) -> Iterator[tuple[Function, str]]:
    for name, value in vars(kind).items():
        special = name.startswith("__")
        if inspect.isfunction(plain(value)) and (special or not name.startswith("_")):
            yield plain(value), (kind.__doc__ if special else inspect.getdoc(value)) or ""


def named(told: str) -> set[str]:
    """The exceptions that a docstring tells of."""
    return set(re.findall(r"`(\w+(?:Error|Exit|Interrupt))`", " ".join(RAISES.findall(told))))


def family(kind: type) -> Iterator[type]:
    yield kind
    for one in kind.__subclasses__():
        yield from family(one)


MEMBERS = {
    f"{one.__module__}.{one.__qualname__}": (one, told) for one, told in public().items() if is_ours(one)
}


def test_some_of_what_is_raised_is_found() -> None:
    found = {name: {kind.__name__ for kind in raised(one)} for name, (one, _) in MEMBERS.items()}
    assert found["ccgkit.corpora.registry.codec"] == {"FormatError"}  # by itself
    assert found["ccgkit.corpora.blocks.Block.number"] == {"CorpusError"}  # made by a method of its own
    assert found["ccgkit.grammar.category.Category.parse"] >= {"CategorySyntaxError"}  # by a helper elsewhere
    assert found["ccgkit.batch.manifest.Plan.loads"] == {"BatchError"}  # what it catches does not leave it


def test_every_public_function_tells_what_it_raises() -> None:
    silent = [
        (name, kind.__name__)
        for name, (one, told) in MEMBERS.items()
        for kind in raised(one)
        if kind.__name__ not in BY_TYPE | named(told)
    ]
    assert silent == []


def test_what_is_told_to_be_raised_is_an_exception() -> None:
    known = {kind.__name__ for base in (CCGKitError, Exception) for kind in family(base)}
    assert {(name, kind) for name, (_, told) in MEMBERS.items() for kind in named(told) - known} == set()


def test_there_is_one_form_to_tell_it_in() -> None:
    prose = {name: EXAMPLE.sub("", RAISES.sub("", told)) for name, (_, told) in MEMBERS.items()}
    assert [name for name, text in prose.items() if re.search(r"\w+Error\b|\b[Rr]aises? `", text)] == []
