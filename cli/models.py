"""`ccgkit models`: what is installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ccgkit.models.registry import ModelInfo

__all__ = ["command"]


@click.command("models", short_help="List the models in the package.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per model.")
def command(as_json: bool) -> None:
    """List the models in the package: data, notation, size and figures."""
    from ccgkit.models.registry import installed

    models = installed()
    if not models and not as_json:
        click.echo("There is no model in the package; train one with ccgkit train.", err=True)
    for model in models:
        facts = {
            "language": model.language,
            "notation": model.notation,
            "trained on": model.data,
            "licence": model.licence,
            "size": f"{model.size / 1e6:.1f} MB{_shared(model, models)}{_borrowed(model)}",
        }
        if as_json:
            click.echo(json.dumps({"name": model.name, **facts, "figures": dict(model.figures)}))
            continue
        click.echo(click.style(model.name, bold=True))
        for name, fact in facts.items():
            click.echo(f"  {name:12}{fact}")
        for name, figure in model.figures.items():
            click.echo(f"  {name:36}{figure:6.2f} %")


def _borrowed(model: ModelInfo) -> str:
    """Whose encoder it needs besides."""
    return f", and the encoder of {model.encoder}" if model.encoder else ""


def _shared(model: ModelInfo, models: Sequence[ModelInfo]) -> str:
    """Whose weights the same files are, too."""
    others = [other.name for other in models if other.path == model.path and other.name != model.name]
    return f", the same files as {' and '.join(others)}" if others else ""
