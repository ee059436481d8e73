"""The directives `command-list`, a table of the commands, and `commands`: usage, help and options of each."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from ccgkit.cli.main import main


class CommandList(SphinxDirective):
    """`command-list::` a table of the commands, with a link to the section of each."""

    def run(self) -> list[nodes.Node]:
        """The table."""
        return self.parse_text_to_nodes(overview(list(commands(main, "ccgkit"))))


class Commands(SphinxDirective):
    """`commands::` a section for each command, the commands of groups among them."""

    def run(self) -> list[nodes.Node]:
        """The sections, read off the program each time."""
        self.env.note_reread()
        text = "\n\n".join(part for one in commands(main, "ccgkit") for part in section(*one))
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def commands(group: click.Group, name: str) -> Iterator[tuple[click.Command, str]]:
    """The commands below a group with their whole names, each group before its own."""
    context = click.Context(group, info_name=name)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None  # for it is listed
        yield command, f"{name} {word}"
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")


def overview(found: list[tuple[click.Command, str]]) -> str:
    """Each command with the first sentence of its help, as a Markdown table."""
    rows = [
        f"| [`{name}`](#{name.replace(' ', '-')}) | {_text(command.get_short_help_str(1000))} |"
        for command, name in found
    ]
    return "\n".join(["| Command | What it does |", "|---|---|", *rows])


def section(command: click.Command, name: str) -> Iterator[str]:
    """What there is to say of a command, as Markdown."""
    context = click.Context(command, info_name=name)
    yield f"## `{name}`"
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```"
    yield from map(paragraph, inspect.cleandoc(command.help or "").split("\n\n"))
    options = [one for one in command.params if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(context))]
    rows = [f"| `{_cell(option)}` | {_text(meaning)} |" for option, meaning in records]
    yield "\n".join(["| Option | Meaning |", "|---|---|", *rows]) if rows else ""


def paragraph(text: str) -> str:
    """A paragraph of help; one that click must not wrap holds examples."""
    if text.startswith("\b\n"):
        return f"```sh\n{inspect.cleandoc(text[2:])}\n```"
    return _text(text)


def _text(text: str) -> str:
    """Text in which nothing is Markdown."""
    escaped = "".join(f"\\{letter}" if letter in r"\`*_<>[]|#$" else letter for letter in text)
    return escaped.replace("\n", " ")


def _cell(option: str) -> str:
    return option.replace("|", "\\|")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directives known."""
    app.add_directive("command-list", CommandList)
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
