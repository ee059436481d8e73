"""`ccgkit export-huggingface`: a tagger as a token classifier of Hugging Face's."""

from __future__ import annotations

from pathlib import Path

import click

from .targets import check_output, writing

__all__ = ["command"]


@click.command("export-huggingface", short_help="Write a model as Hugging Face loads it.")
@click.argument("model", metavar="MODEL", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def command(model: Path, folder: Path) -> None:
    """Write the model directory MODEL into DIR as AutoModelForTokenClassification loads it.

    MODEL is a classifier (decoder cc) over a transformer alone: bert_layers = "last", bert_pooling = "first",
    no word vectors, no BiLSTM. Its labels are the categories.
    """
    from ccgkit.interop.huggingface import export_token_classifier

    check_output(folder, [str(model)])
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty")
    with writing(folder):
        export_token_classifier(model, folder)
    click.echo(f"written to {folder}", err=True)
