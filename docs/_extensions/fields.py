"""The directive `fields`: a table of a configuration's fields with default, meaning and range."""

from __future__ import annotations

import dataclasses
import json
from importlib import import_module
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

from ccgkit.taggers.config import OneOf, Range

NOUNS = {int: "whole number", float: "number", bool: "`true` or `false`", str: "string"}


class Fields(SphinxDirective):
    """`fields:: module.Class`: the fields that the class itself has, not those it inherits."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The table."""
        module, _, name = self.arguments[0].rpartition(".")
        self.env.note_dependency(import_module(module).__file__ or "")
        return self.parse_text_to_nodes(table(getattr(import_module(module), name)))


def table(kind: type[Any]) -> str:
    """The fields of a dataclass as a Markdown table; what they mean is what their `#:` comments say."""
    hints = get_type_hints(kind, include_extras=True)
    meanings = ModuleAnalyzer.for_module(kind.__module__).find_attr_docs()
    rows = [
        f"| `{field.name}` | `{json.dumps(field.default)}` "
        f"| {' '.join(meanings[kind.__name__, field.name]).strip()} ({values(hints[field.name])}) |"
        for field in dataclasses.fields(kind)
        if field.name in kind.__annotations__
    ]
    return "\n".join(["| Field | Default | Meaning (values) |", "|---|---|---|", *rows])


def values(hint: Any) -> str:
    """What a field may be set to, in words."""
    if get_origin(hint) is Annotated:
        base, *limits = get_args(hint)
        ranges = [str(limit) for limit in limits if isinstance(limit, Range)]
        names = [name for limit in limits if isinstance(limit, OneOf) for name in limit.registry.names()]
        return " ".join([NOUNS[base], *ranges]) if not names else _alternatives(names)
    return _alternatives(get_args(hint)) if get_origin(hint) is Literal else NOUNS[hint]


def _alternatives(names: Any) -> str:
    return ", ".join(f"`{json.dumps(name)}`" for name in names)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("fields", Fields)
    return {"parallel_read_safe": True}
