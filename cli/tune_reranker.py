"""`ccgkit tune-reranker`: combine two models, with the weights that are best on a dev file."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .targets import check_output, writing

if TYPE_CHECKING:
    from ccgkit.taggers.config import Config
    from ccgkit.taggers.ensemble import Ensemble
    from ccgkit.taggers.reranker import Candidates, Tuned

__all__ = ["command"]

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("tune-reranker", short_help="Join two models into one that re-ranks.")
@click.argument("models", metavar="ENSEMBLE | GENERATOR SCORER", nargs=-1, required=True, type=_FOLDER)
@click.option(
    "--dev",
    "dev_paths",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    required=True,
    help="Corpus with the right categories (repeatable).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="The ensemble's directory; an ENSEMBLE that is tuned again keeps its own.",
)
@click.option(
    "--candidates",
    type=click.IntRange(1, 64),
    help="Categories of the generator that are re-ranked; 4 if nothing else is known.",
)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="CPU threads.")
def command(
    models: tuple[Path, ...],
    dev_paths: tuple[Path, ...],
    output: Path | None,
    candidates: int | None,
    threads: int,
) -> None:
    """Re-rank the GENERATOR's categories with the help of the SCORER, as λ·u + (1-λ)·v.

    ν (in u = log p / m^ν) and λ are searched for on the dev corpus, on a grid from 0 to 1 in steps of 0.05,
    and written into the ensemble and its model card. The ensemble holds copies of both models and loads as
    one. Any two models of the same scheme can be combined.

    \b
    ccgkit tune-reranker models/cg models/cc --dev dev.stagged --output models/cg+cc
    ccgkit tune-reranker models/cg+cc --dev other.stagged
    """
    if len(models) > 2 or (len(models) == 2 and output is None):
        raise click.UsageError("give one ensemble, or a generator, a scorer and --output")
    if len(models) == 2:  # an ensemble is tuned where it is
        check_output(output, map(str, models))
    from ccgkit.taggers import use_threads
    from ccgkit.taggers.reranker import Reranker, tune
    from ccgkit.training.data import read_examples

    use_threads(threads)
    examples = read_examples(dev_paths)
    ensemble = _load(models, candidates)
    found = ensemble.candidates([e.words for e in examples], [e.categories for e in examples])
    tuned = tune(found)
    ensemble.reranker = Reranker(tuned.nu, tuned.weight, ensemble.reranker.candidates)
    figures = _figures(found, tuned)
    with writing(output or models[0]):
        folder = _write(ensemble, models, output, _card(ensemble, dev_paths, figures))
    for name, value in figures.items():
        click.echo(f"{name:42} {value:6.2f}")
    click.echo(f"ν = {tuned.nu}, λ = {tuned.weight}: the ensemble is in {folder}.", err=True)


def _load(models: Sequence[Path], candidates: int | None) -> Ensemble:
    from ccgkit.taggers.ensemble import ENSEMBLE, Ensemble
    from ccgkit.taggers.errors import ModelError
    from ccgkit.taggers.reranker import Reranker
    from ccgkit.taggers.tagger import Tagger

    if len(models) == 1:
        if not (models[0] / ENSEMBLE).is_file():
            raise ModelError(
                f"{models[0]} is not an ensemble: there is no {ENSEMBLE} in it. Name a scorer, too"
            )
        ensemble = Ensemble.load(models[0])
        number = candidates or ensemble.reranker.candidates
        ensemble.reranker = Reranker(candidates=number)
        return ensemble
    generator, scorer = (Tagger.load(model) for model in models)
    return Ensemble(generator, scorer, Reranker(candidates=candidates or 4))


def _figures(found: Candidates, tuned: Tuned) -> dict[str, float]:
    """Dev accuracies in per cent: of either model, of the paper's setting, of the tuned one, at best."""
    return {
        "generator alone": found.accuracy(0.0, 1.0),
        "scorer alone, among the candidates": found.accuracy(0.0, 0.0),
        "re-ranked, ν = 0.15, λ = 0.9": found.accuracy(0.15, 0.9),
        f"re-ranked, ν = {tuned.nu}, λ = {tuned.weight}": tuned.accuracy,
        "right category among the candidates": found.ceiling,
    }


def _write(ensemble: Ensemble, models: Sequence[Path], output: Path | None, card: str) -> Path:
    from ccgkit.taggers.ensemble import copy_parts, write_settings

    folder = output or models[0]
    if len(models) == 2:
        copy_parts(folder, *models)
    elif folder.resolve() != models[0].resolve():
        ensemble.save(folder)
    write_settings(folder, ensemble.reranker, card)
    return folder


def _card(ensemble: Ensemble, dev: Sequence[Path], figures: Mapping[str, float]) -> str:
    from ccgkit import __version__

    reranker = ensemble.reranker
    facts = {
        **{name: _describe(getattr(ensemble, name).config) for name in ("generator", "scorer")},
        "ν": str(reranker.nu),
        "λ": str(reranker.weight),
        "candidates": str(reranker.candidates),
        "one encoder for both": "yes" if ensemble.shares_encoder else "no",
        "dev data": ", ".join(path.name for path in dev),
        **{f"dev accuracy, {name}": f"{value:.2f} %" for name, value in figures.items()},
        "command": f"`{shlex.join(['ccgkit', *sys.argv[1:]])}`",
    }
    rows = "\n".join(f"| {name} | {value} |" for name, value in facts.items())
    return f"""# CCG supertagger: two models, re-ranked

Made by ccgkit {__version__}. The folders `generator` and `scorer` are models with cards of their own.

| | |
|---|---|
{rows}
"""


def _describe(config: Config) -> str:
    """A part in a word: `cc`, `cg with NG`, `ct`."""
    decoder = config.decoder
    return f"cg with {decoder.oracle}" if decoder.kind == "cg" else decoder.kind
