"""LangPro itself, where a checkout of it is named and SWI-Prolog is there: it reads our terms."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from parses import parsed

from ccgkit.corpora import dump

HOME = os.environ.get("CCGKIT_LANGPRO", "")
pytestmark = pytest.mark.skipif(
    not (HOME and shutil.which("swipl")), reason="CCGKIT_LANGPRO names no checkout, or there is no swipl"
)
PROGRAM = """
:- consult(main).
term(Id) :- ccg(Id, Tree), once(ccg_term:ccgIDTree_to_ccgIDTerm(ccg(Id, Tree), ccg(Id, (Term, _)))),
    nonvar(Term).
form(Id) :- ccg(Id, Tree), once((ccgTree_to_TTterms(Tree, Terms), Terms \\= [])).
run(File) :- consult(File), findall(Id, ccg(Id, _), Ids), include(term, Ids, Terms),
    include(form, Ids, Forms),
    maplist(length, [Ids, Terms, Forms], Counts), format("counts ~w ~w ~w~n", Counts).
"""


def test_every_sentence_becomes_a_logical_form(tmp_path: Path) -> None:
    dump(parsed(), tmp_path / "text_ccg.pl")
    (tmp_path / "check.pl").write_text(PROGRAM)
    goal = f"run('{tmp_path / 'text_ccg.pl'}'), halt"
    done = subprocess.run(
        ["swipl", "-q", "-g", goal, "-t", "halt(1)", str(tmp_path / "check.pl")],
        cwd=Path(HOME) / "prolog", capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert f"counts {' '.join([str(len(parsed()))] * 3)}\n" in done.stdout, done.stderr
    assert "Error in getting CCGterms" not in done.stdout
