"""Parsing in several processes: the same in order, and a plain word where a process ends."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccgkit.grammar import Category, load_scheme
from ccgkit.parsing import Parser, ParsingError, parse_in_parallel
from ccgkit.parsing.parallel import in_order
from ccgkit.sentence import Sentence, Supertag, Token

SCRIPT = """
from ccgkit.corpora import loads
from ccgkit.parsing import Parser, parse_in_parallel

sentences = loads("We|PRP|NP agree|VBP|S[dcl]\\\\NP", "stagged")
print(len(list(parse_in_parallel(Parser(), sentences, 2))))
"""


def tagged(*categories: str) -> Sentence:
    tags = tuple((Supertag(Category.parse(category)),) for category in categories)
    return Sentence(tuple(Token(f"w{number}") for number in range(len(tags))), tags)


def some(count: int) -> Iterator[Sentence]:
    for number in range(count):
        yield tagged("NP", r"(S[dcl]\NP)/NP", *(["NP/N", "N"] if number % 2 else ["NP"]))


def test_several_processes_give_the_same_in_order() -> None:
    parser = Parser(load_scheme("rebank"))
    alone, together = list(parser.pipe(some(70))), list(parse_in_parallel(parser, some(70), 2))
    assert [one.derivations for one in together] == [one.derivations for one in alone]
    assert [one.parses[0].id for one in together] == [f"{number}/1" for number in range(1, 71)]
    assert [one.dependencies for one in together] == [one.dependencies for one in alone]


def test_who_stops_early_leaves_no_process_behind() -> None:
    before = multiprocessing.active_children()
    results = parse_in_parallel(Parser(load_scheme("rebank")), some(1000), 2)
    assert next(results).spans
    assert len(multiprocessing.active_children()) == len(before) + 2
    results.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == before


def test_a_process_that_is_killed_is_an_error_and_not_waited_for() -> None:
    before = multiprocessing.active_children()

    def killing() -> Iterator[Sentence]:
        yield from some(100)
        for process in multiprocessing.active_children():
            if process not in before:
                process.kill()
        yield from some(1000)

    with pytest.raises(ParsingError, match="ended unexpectedly"):
        list(parse_in_parallel(Parser(load_scheme("rebank")), killing(), 2))
    assert multiprocessing.active_children() == before


def test_a_script_that_starts_itself_again_is_told_so(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1 and not ended.stdout
    assert 'if __name__ == "__main__":' in ended.stderr.split("Traceback")[-1]


def test_processes_leave_what_stays_out_of_the_search_for_garbage() -> None:
    ((_, frozen),) = in_order(eval, [(None, "__import__('gc').get_freeze_count()", False)], 1)
    assert frozen
