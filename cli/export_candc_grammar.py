"""`ccgkit export-candc-grammar`: C&C's grammar files for the categories of a corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .sources import Command, input_format_option
from .targets import check_output, writing

if TYPE_CHECKING:
    from ccgkit.sentence import Sentence

__all__ = ["command"]


@click.command("export-candc-grammar", cls=Command, short_help="Write a grammar for C&C.")
@click.argument("home", metavar="HOME", type=click.Path(file_okay=False, path_type=Path))
@click.argument("files", metavar="CORPUS...", nargs=-1, required=True,
                type=click.Path(exists=True, dir_okay=False))  # fmt: skip
@input_format_option
@click.option("--model", is_flag=True,
              help="Also write the smallest model, with which C&C goes by the supertags.")  # fmt: skip
@click.option("--extend", "base", metavar="DIR",
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Keep all of this grammar, such as C&C's own, and add what it lacks.")  # fmt: skip
@click.option("--cc-jar", "jar", metavar="PATH", type=click.Path(exists=True, path_type=Path),
              help="Lay the files out as this jar wants them; older ones differ.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace the files of a grammar that is there.")
def command(
    home: Path,
    files: tuple[str, ...],
    input_format: str | None,
    model: bool,
    base: Path | None,
    jar: Path | None,
    force: bool,
) -> None:
    """Write a grammar for C&C into HOME/grammar, for all categories in tagged corpora or treebanks.

    Heads are co-indexed by ccgkit's rules; pairs of categories that may combine are listed. Use it with
    --cc-home HOME.
    """
    from ccgkit.parser_bridge.export import build_grammar, write_grammar, write_model
    from ccgkit.parser_bridge.layout import Layout

    layout = Layout.of(jar) if jar else Layout()
    grammar_folder = home / layout.grammar
    if (grammar_folder / "markedup").exists() and not force:
        raise click.UsageError(f"{grammar_folder} holds a grammar already: --force replaces it.")
    check_output(grammar_folder, [str(base)] if base else [])
    grammar = build_grammar(_sentences(files, input_format), base)
    with writing(home):
        write_grammar(grammar, grammar_folder, layout)
        if model:
            write_model(home, layout)
    click.echo(
        f"{len(grammar.markedup)} categories, {len(grammar.pairs)} pairs in {grammar_folder}", err=True
    )
    if grammar.left_out:
        few = ", ".join(f"{category} ({count})" for category, count in grammar.left_out.most_common(5))
        more = ", …" if len(grammar.left_out) > 5 else ""
        click.echo(f"{len(grammar.left_out)} categories that C&C cannot express: {few}{more}", err=True)


def _sentences(files: tuple[str, ...], form: str | None) -> Iterator[Sentence]:
    from ccgkit.corpora import load

    for name in files:
        yield from load(name, form, "skip")
