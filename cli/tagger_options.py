"""The options that name a tagger, and the pipeline that they name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ccgkit.memory import keep_freed_memory, look_less_for_garbage

if TYPE_CHECKING:
    from ccgkit.models.registry import ModelInfo
    from ccgkit.parsing import SentenceParser
    from ccgkit.pipeline import Pipeline

__all__ = ["K", "find_model", "load_pipeline", "model_options", "notation_option", "tagger_options"]

F = TypeVar("F", bound=Callable[..., Any])
K = click.IntRange(1, 50)  #: categories a word; the pipeline has the same range


def model_options(function: F) -> F:
    """`--model` and `--lang`."""
    name = click.option(
        "--model", metavar="NAME|DIR", help="A model of the package, or the directory of one."
    )
    language = click.option("--lang", metavar="CODE",
                            help="Language of the text: chooses the model (en, de, it, nl; see ccgkit "
                            "models) and how text is split. [default: the model's, or en]")  # fmt: skip
    return name(language(function))


def tagger_options(function: F) -> F:
    """`--model`, `--lang`, `--threads` and `--device`."""
    decorated: Any = function
    for option in reversed((
        model_options,
        click.option("--threads", type=click.IntRange(1), help="CPU threads. [default: all cores]"),
        click.option("--device", type=click.Choice(["cpu", "cuda", "mps"]), default="cpu", show_default=True,
                     help="What the model runs on."),
    )):  # fmt: skip
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def notation_option(text: str) -> Callable[[F], F]:
    """`--notation`, of which the text says what it does."""
    return click.option("--notation", type=click.Choice(["ccgbank", "rebank"]), help=text)


def find_model(model: str | None, lang: str | None, notation: str | None = None) -> ModelInfo:
    """The model that is named, or the package's for the language, of the notation if there is one."""
    from ccgkit.models.registry import UnknownModelError, find

    try:
        return find(model, lang, notation)
    except UnknownModelError as error:
        raise click.UsageError(str(error)) from error


def load_pipeline(
    info: ModelInfo, device: str, threads: int | None, parser: SentenceParser | str | None = None
) -> Pipeline:
    """The pipeline with the model, whose weights are read when the first sentence needs them.

    Without a parser it only tags.
    """
    from ccgkit.pipeline import load

    if device != "cpu":
        import torch

        there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
        if not there[device]:
            raise click.UsageError(f"there is no {device} device on this machine")
    keep_freed_memory()
    nlp = load(info, device=device, threads=threads, parser=parser, lazily=True)
    look_less_for_garbage()
    return nlp
