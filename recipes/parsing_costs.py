"""The embedded parser's costs, from the corpora to the files in the package.

python -m recipes.parsing_costs --data DATA --treebank WORK --output ccgkit/parsing

WORK is where `recipes.treebank` has left the treebank of running text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import click

from ccgkit.corpora import load
from ccgkit.grammar import Derivation, load_scheme
from ccgkit.grammar.notations import NotationError
from ccgkit.parsing.costs import Costs, write_costs
from ccgkit.parsing.estimation import estimate, for_running_text

__all__ = ["command"]

_PMB, _UDCCG = "pmb5/en.train.auto", "udccg/en_ewt.train.auto"
_PROSE = ("wescience", "tourism", "essay", "holmes", "tanaka")
_OWN = "rebank"  # the notation of both
_MOST = 2000  # derivations of a source
_TRUST = 0.3  # what a converted derivation counts beside an annotated one
#: as `recipes.parser_figures` fits it with the model of the notation
_CERTAINTY = {"rebank": (1.18, 0.37, 0.41, 0.39), "ccgbank": (1.13, 0.31, 0.47, 0.37)}
_WEIGHT = 0.2  # of a nat of them beside one of a supertag
Counted = tuple[Derivation, float]


def _derivations(path: Path) -> Iterator[Derivation]:
    for sentence in load(path, on_error="skip"):
        yield from sentence.derivations or ()


def running_text(data: Path, treebank: Path, notation: str) -> Costs:
    """Costs of a notation's scheme, from PMB's derivations and the treebank's."""
    counted: list[Counted] = [(one, 1.0) for one in _derivations(data / _PMB)]
    for name in _PROSE:
        found = islice(_derivations(treebank / f"{name}.train.auto"), _MOST)
        counted += [(one, _TRUST) for one in found]
    derivations, counts = zip(*_in_notation(counted, notation), strict=True)
    costs = for_running_text(estimate(derivations, load_scheme(notation), counts=counts, weight=_WEIGHT))
    return replace(costs, certainty=_CERTAINTY[notation])


def _in_notation(counted: Iterable[Counted], notation: str) -> Iterator[Counted]:
    """The derivations in a notation, without those that cannot be put into it."""
    for derivation, count in counted:
        with suppress(NotationError):
            yield derivation if notation == _OWN else derivation.in_notation(notation), count


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--treebank", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
def command(data: Path, treebank: Path, output: Path) -> None:
    """Estimate the costs of each scheme from derivations."""
    output.mkdir(parents=True, exist_ok=True)
    made = {
        **{notation: running_text(data, treebank, notation) for notation in (_OWN, "ccgbank")},
        "udccg": estimate(_derivations(data / _UDCCG), load_scheme("udccg")),
    }
    for scheme, costs in made.items():
        (output / f"{scheme}.costs.json").write_text(write_costs(costs), encoding="utf-8")
        click.echo(f"{scheme}: {len(costs.steps)} steps")


if __name__ == "__main__":
    command()
