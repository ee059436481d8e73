"""Batches as engines hand them over: dicts of columns, pandas' frames, Arrow's tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import BatchError
from .schema import SCHEMA, Row, arrow_schema

__all__ = ["INPUT", "like", "rows_of"]

#: the columns that are read; of `text` and `words` one is enough, the others need not be there
INPUT = ("id", "text", "words", "reason")


def rows_of(batch: Any) -> list[Row]:
    """The rows of a batch of any kind, with the columns that matter."""
    columns = _columns(batch)
    if not {"text", "words"} & columns.keys():
        there = ", ".join(map(str, _names(batch))) or "none"
        raise BatchError(f"a batch needs a column text, or words; its columns: {there}")
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise BatchError(f"the columns of a batch must be of the same length, not {sizes}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def like(batch: Any, rows: Sequence[Row]) -> Any:
    """The rows as a batch of the same kind, with all the columns of the schema."""
    if isinstance(batch, Mapping):
        return {name: [row.get(name) for row in rows] for name in SCHEMA}
    if _is_arrow(batch):
        return type(batch).from_pylist(rows, schema=arrow_schema())
    import pandas

    return pandas.DataFrame(
        {name: pandas.Series([row.get(name) for row in rows], dtype=object) for name in SCHEMA}
    )


def _columns(batch: Any) -> dict[str, Any]:
    names = [name for name in _names(batch) if name in INPUT]
    if _is_arrow(batch):
        return {name: batch.column(name).to_pylist() for name in names}
    return {name: batch[name] for name in names}


def _names(batch: Any) -> Sequence[Any]:
    if _is_arrow(batch):
        return list(batch.schema.names)
    if isinstance(batch, Mapping) or hasattr(batch, "columns"):
        return list(batch)
    raise BatchError(
        f"a batch is a dict of columns, a pandas.DataFrame or a pyarrow.Table, not {type(batch)}"
    )


def _is_arrow(batch: Any) -> bool:
    return hasattr(batch, "to_pylist") and hasattr(batch, "schema")
