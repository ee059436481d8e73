"""The embedded parser's costs, from the corpora to the files in the package.

python -m recipes.parsing_costs --data DATA --output ccgkit/parsing
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from ccgkit.corpora import load
from ccgkit.grammar import Derivation, load_scheme
from ccgkit.parsing.costs import write_costs
from ccgkit.parsing.estimation import estimate, for_running_text

__all__ = ["command"]

_CORPORA = {"rebank": "pmb5/en.train.auto", "udccg": "udccg/en_ewt.train.auto"}  # scheme → its derivations


def _derivations(path: Path) -> Iterator[Derivation]:
    for sentence in load(path, on_error="skip"):
        yield from sentence.derivations or ()


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
def command(data: Path, output: Path) -> None:
    """Estimate the costs of each scheme from the derivations in --data."""
    output.mkdir(parents=True, exist_ok=True)
    for scheme, name in _CORPORA.items():
        costs = estimate(_derivations(data / name), load_scheme(scheme))
        if scheme == "rebank":  # whose derivations are of short sentences
            costs = for_running_text(costs)
        (output / f"{scheme}.costs.json").write_text(write_costs(costs), encoding="utf-8")
        click.echo(f"{scheme}: {len(costs.steps)} steps from {name}")


if __name__ == "__main__":
    command()
