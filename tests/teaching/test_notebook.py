"""The lecture in docs/teaching.ipynb: its cells run in order, and give what is stored under them."""

import ast
import contextlib
import io
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "docs" / "teaching.ipynb"


def run(source, names):
    """What a cell prints, and the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    return printed.getvalue(), value


def stored(cell, kind):
    return "".join(
        "".join(output["text"] if kind == "stream" else output["data"].get(kind, ""))
        for output in cell["outputs"]
        if (output["output_type"] == "stream") is (kind == "stream")
    )


def test_the_cells_give_what_the_notebook_shows():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names = {}
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    for cell in code:
        printed, value = run("".join(cell["source"]), names)
        assert printed == stored(cell, "stream")
        assert ("" if value is None else repr(value)) == stored(cell, "text/plain")
        if hasattr(value, "_repr_html_"):
            assert value._repr_html_() == stored(cell, "text/html")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
