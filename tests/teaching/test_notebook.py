"""The lecture in docs/lecture.ipynb: its cells run in order, and give what is stored under them."""

import ast
import contextlib
import io
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "lecture.ipynb"


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


RESULTS = """
from ccgkit import Document
from ccgkit.corpora import loads
from ccgkit.parsing import Parser
(sentence,) = loads(r"We|PRP|NP agree|VBP|S[dcl]\\NP", "stagged")
result = Parser().parse(sentence)
for one in (sentence, result, Document((result,), "We agree"), result.derivation):
    display(one)
"""


def executed(notebook):
    """The notebook as a real Jupyter leaves it."""
    for needed in ("nbclient", "ipykernel"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: a notebook needs it to run")
    from nbclient import NotebookClient

    return NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


def test_the_lecture_runs_in_jupyter_and_shows_what_is_stored():
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: a notebook needs it")
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    made = executed(nbformat.read(NOTEBOOK, as_version=4))["cells"]
    for old, new in zip(kept, made, strict=True):
        if old["cell_type"] == "code":
            for kind in ("stream", "text/plain", "text/html"):
                assert stored(new, kind) == stored(old, kind)


def test_jupyter_shows_sentences_parses_and_documents_as_html():
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed: a notebook needs it")
    cell = nbformat.v4.new_code_cell(RESULTS)
    (made,) = executed(nbformat.v4.new_notebook(cells=[cell]))["cells"]
    shown = [output["data"]["text/html"] for output in made["outputs"]]
    assert len(shown) == 4 and all("We" in html and "agree" in html for html in shown)
    assert all("ccg-line" in html for html in shown[1:])
