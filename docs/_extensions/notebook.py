"""Jupyter notebooks as pages: their cells as Markdown, with the outputs that are stored in them."""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown that it amounts to."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Read the notebook whose JSON is given."""
        super().parse(markdown(json.loads(inputstring)), document)


def markdown(notebook: dict[str, Any]) -> str:
    """The cells of a notebook, one after the other."""
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell))


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [_fenced("python", source), *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _fenced("text", "".join(output["text"]))
    data = output["data"]
    if "text/html" in data:
        return _fenced("{raw} html", "".join(data["text/html"]))
    if "image/png" in data:
        picture = "".join(data["image/png"]).replace("\n", "")
        return _fenced("{raw} html", f'<img alt="drawn by the cell" src="data:image/png;base64,{picture}">')
    return _fenced("text", "".join(data["text/plain"]))


def _fenced(language: str, text: str) -> str:
    return f"``````{language}\n{text.rstrip()}\n``````"


def setup(app: Sphinx) -> dict[str, bool]:
    """Have Sphinx read `.ipynb`."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
