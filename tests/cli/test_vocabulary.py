"""One name for one thing: what the options of all commands are called."""

from __future__ import annotations

import click
import pytest

from ccgkit.cli.main import main

READING = {
    "tag", "parse", "convert", "view", "stats", "evaluate tags", "evaluate deps", "evaluate derivations",
    "export-candc-grammar",
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
