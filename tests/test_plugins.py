"""A format and a parser of somebody else's: installed beside the package, used by name."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ccgkit.cli.main import main
from ccgkit.corpora import FormatError, codec, formats, register, registry
from ccgkit.grammar import load_scheme
from ccgkit.parsing import PARSERS, Parser, ParsingError, make_parser
from ccgkit.registry import Registry

MODULE = r'''
"""Sentences as lines of slashes, and a parser that puts everything under the first word."""

from ccgkit import Derivation, Sentence, Token
from ccgkit.corpora import Codec, Part
from ccgkit.corpora.blocks import single_lines
from ccgkit.parsing import Parse, ParseResult, Status


def decode(block):
    return Sentence(tuple(map(Token, block.lines[0].removeprefix("//").split("/"))))


CODEC = Codec(
    name="slashes", title="words between slashes", suffixes=(".slashes",), holds=Part.WORDS, needs=Part.WORDS,
    blocks=single_lines, decode=decode, encode=lambda sentence, count: "//" + "/".join(sentence.words) + "\n",
    recognise=lambda head: bool(head) and head[0].startswith("//"),
)


class Leftmost:
    def __init__(self, scheme, *, nbest=1):
        self.scheme = scheme

    def parse(self, sentence):
        leaves = tuple(
            Derivation(tags[0].category, token=token) for token, tags in zip(sentence.tokens, sentence.tags)
        )
        tree = Derivation(leaves[0].category, leaves)
        name = f"left-{self.scheme.name}"
        return ParseResult(sentence, Status.PARSED, (Parse("1", 0.0, (tree,)),), parser=name)

    def pipe(self, sentences):
        return map(self.parse, sentences)
'''
POINTS = "[ccgkit.codecs]\nslashes = foreign:CODEC\n\n[ccgkit.parsers]\nleftmost = foreign:Leftmost\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an installed distribution, from where commands are given."""
    (tmp_path / "foreign.py").write_text(MODULE, encoding="utf-8")
    info = tmp_path / "foreign-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    registry._others.cache_clear()
    yield tmp_path
    registry._others.cache_clear()
    sys.modules.pop("foreign", None)


def ccgkit(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def test_a_format_from_outside_is_read_and_written_like_ours(site: Path) -> None:
    (site / "in.stagged").write_text("We|PRP|NP agree|VBP|S[dcl]\\NP\n")
    assert ccgkit("convert", "in.stagged", "out.slashes").exit_code == 0
    assert (site / "out.slashes").read_text() == "//We/agree\n"
    for arguments in (["out.slashes", "-"], ["-", "-"], ["-", "-", "--input-format", "slashes"]):
        converted = ccgkit("convert", *arguments, "--format", "tokenized", stdin="//We/agree\n")
        assert converted.stdout == "We agree\n", converted.stderr
    tagged = ccgkit("tag", "-", stdin="//We/agree\n")
    assert tagged.stdout.startswith("We|PRP|NP agree|"), tagged.stderr


def test_a_process_that_has_imported_nothing_yet_knows_the_format(site: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from ccgkit.cli.main import main; main(['convert', '--formats'])"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert "words between slashes" in told.stdout, told.stderr


def test_a_parser_from_outside_parses_under_the_scheme_and_its_own_options(site: Path) -> None:
    tagged = "the|DT|NP[nb]/N dog|NN|N\n"
    found = ccgkit("parse", "-", "--parser", "leftmost", "--format", "auto", stdin=tagged)
    assert found.stdout.startswith("ID=1 PARSER=left-ccgbank NUMPARSE=1\n(<T NP[nb]/N 0 2> "), found.stderr
    assert ccgkit("parse", "-", "--parser", "leftmost", "--nbest", "2", stdin=tagged).exit_code == 0
    refused = ccgkit("parse", "-", "--parser", "leftmost", "--timeout", "2", stdin=tagged)
    assert refused.exit_code == 1 and "'timeout'" in refused.stderr
    unknown = ccgkit("parse", "-", "--parser", "rightmost", stdin=tagged)
    assert unknown.exit_code == 1 and "choose from ccgkit, leftmost" in unknown.stderr


def test_what_does_not_load_is_told_where_it_is_asked_for_and_only_there(site: Path) -> None:
    (site / "foreign.py").write_text("import nonsense")
    (site / "in.stagged").write_text("We|PRP|NP agree|VBP|S[dcl]\\NP\n")
    assert ccgkit("convert", "in.stagged", "out.pos").exit_code == 0
    refused = ccgkit("convert", "in.stagged", "out.slashes")
    assert refused.exit_code == 1
    assert "the format 'slashes' of foreign (foreign:CODEC) cannot be imported" in refused.stderr


def test_a_program_may_register_its_own_under_new_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_OTHERS", Registry("format", "ccgkit.codecs", {}))
    register(replace(codec("pos"), name="mine", suffixes=(".mine",)))
    assert "mine" in formats() and codec("mine").suffixes == (".mine",)
    with pytest.raises(FormatError, match="already"):
        register(codec("pos"))
    registry._others.cache_clear()


def test_a_program_may_register_its_own_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PARSERS, "_registered", {})
    made = Parser()
    PARSERS.register("mine", lambda scheme: made)
    assert make_parser("mine", load_scheme("rebank"), {}) is made
    with pytest.raises(ParsingError, match="'nbest'"):
        make_parser("mine", load_scheme("rebank"), {"nbest": 2})
