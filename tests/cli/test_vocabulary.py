"""One name for one thing: what the options of all commands are called."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

from ccgkit.cli.main import main

READING = {
    "tag", "parse", "convert", "view", "stats", "evaluate tags", "evaluate deps", "evaluate derivations",
    "export-candc-grammar",
}  # fmt: skip
ROOMS = ("ccgkit", "cli", "parser_bridge", "grammar")
# options of every command, former names, and what other programs call theirs: git, torchrun, a style sheet
OTHERS = {
    "--help", "--version", "--from", "--to", "--always", "--dirty", "--exclude", "--nproc-per-node",
    "--no-python", "--ccg-width",
}  # fmt: skip
MANY = {"tag", "parse", "convert", "view", "stats", "export-candc-grammar"}


def commands(group: click.Group = main, before: str = "") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        found |= (
            commands(command, f"{name} ") if isinstance(command, click.Group) else {before + name: command}
        )
    return found


@pytest.mark.parametrize(("name", "command"), commands().items())
def test_every_option_says_what_it_is_for(name: str, command: click.Command) -> None:
    options = [one for one in command.params if isinstance(one, click.Option)]
    assert [one.opts for one in options if not one.help and not one.hidden] == []


@pytest.mark.parametrize(("name", "command"), commands().items())
def test_options_have_one_name(name: str, command: click.Command) -> None:
    names = {option for parameter in command.params for option in parameter.opts}
    assert not names & {"--from", "--to", "--out", "--input", "--informat"}
    assert ("-o" in names) == ("--output" in names)
    assert ("--input-format" in names) == (name in READING)


@pytest.mark.parametrize("name", sorted(MANY))
def test_what_reads_files_reads_many(name: str) -> None:
    *_, last = (one for one in commands()[name].params if isinstance(one, click.Argument))
    assert last.nargs == -1


@pytest.mark.parametrize("name", sorted(READING))
def test_former_names_are_still_understood(name: str) -> None:
    command = commands()[name]
    context = click.Context(command)
    with pytest.raises(click.UsageError) as refused:
        command.parse_args(context, ["--from", "auto", "--no-such-option"])
    assert "--no-such-option" in str(refused.value)


def named_options() -> dict[str, str]:
    """The options that strings of the package name, each with a file that does."""
    named: dict[str, str] = {}
    root = Path(__file__).parents[2]
    for path in (path for room in ROOMS for path in sorted((root / room).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]\b(?!-)", node.value):
                    named[option] = path.name
    return named


def test_options_that_messages_name_exist() -> None:
    known = {name for command in commands().values() for one in command.params for name in one.opts}
    known |= {
        name for command in commands().values() for one in command.params for name in one.secondary_opts
    }
    named = named_options()
    assert {"--xmx", "--timeout", "--cc-home"} <= named.keys()
    assert {option: file for option, file in named.items() if option not in known | OTHERS} == {}
