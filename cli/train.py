"""`ccgkit train`: train a supertagger from a configuration and a corpus."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from ccgkit.grammar import scheme_names

from .targets import check_output

__all__ = ["command"]

_FILE = click.Path(exists=True, dir_okay=True, path_type=Path)


@click.command("train")
@click.argument(
    "configuration", metavar="CONFIG", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--train", "train_paths", type=_FILE, multiple=True, required=True, help="Training corpus (repeatable)."
)
@click.option(
    "--dev", "dev_paths", type=_FILE, multiple=True, required=True, help="Corpus that chooses the best epoch."
)
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="The model's directory.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint in the output directory.")
@click.option(
    "--set", "changes", metavar="TABLE.FIELD=VALUE", multiple=True, help="Change a setting (repeatable)."
)
@click.option("--seed", type=click.IntRange(0), help="Short for --set training.seed=…")
@click.option("--device", type=click.Choice(["cpu", "cuda", "mps"]), default="cpu", show_default=True,
              help="What the model is trained on.")  # fmt: skip
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="CPU threads; all cores, shared out under torchrun, if not given.",
)
@click.option(
    "--scheme",
    type=click.Choice(scheme_names()),
    help="Scheme of the categories. [default: that of the training corpus]",
)
@click.option("--licence", default="not stated", help="Licence of the training data, for the model card.")
def command(
    configuration: Path,
    train_paths: tuple[Path, ...],
    dev_paths: tuple[Path, ...],
    output: Path,
    resume: bool,
    changes: tuple[str, ...],
    seed: int | None,
    device: str,
    threads: int | None,
    scheme: str | None,
    licence: str,
) -> None:
    """Train a supertagger as CONFIG (a TOML file) says.

    The best model by dev accuracy is in the output directory at any time; its folder training/ holds the
    checkpoint, metrics.jsonl and the learning curve. A training that was stopped is continued with --resume.

    \b
    ccgkit train configs/cc.toml --train train.stagged --dev dev.stagged --output models/cc
    torchrun --nproc-per-node 2 --no-python ccgkit train …   (several processes or GPUs)
    """
    from ccgkit.taggers.config import load_config, override

    check_output(output, map(str, (*train_paths, *dev_paths)))
    config = override(
        load_config(configuration), (*changes, *([] if seed is None else [f"training.seed={seed}"]))
    )
    from ccgkit.taggers import use_threads
    from ccgkit.training.data import read_examples
    from ccgkit.training.trainer import train

    from .console import Console

    _check_device(device)
    use_threads(threads or _share_of_cores())
    facts = {
        "training data": ", ".join(path.name for path in train_paths),
        "dev data": ", ".join(path.name for path in dev_paths),
        "licence of the data": licence,
        "command": f"`{shlex.join(['ccgkit', *sys.argv[1:]])}`",
    }
    try:
        train(
            config, read_examples(train_paths), read_examples(dev_paths), output,
            scheme=scheme, resume=resume, device=device, facts=facts, watch=Console.attached().watch,
        )  # fmt: skip
    except KeyboardInterrupt:
        click.echo(
            f"\nStopped. --resume continues; the best model of the finished epochs is in {output}.", err=True
        )
        raise
    if int(os.environ.get("RANK", "0")) == 0:
        click.echo(f"The model is in {output}.", err=True)


def _share_of_cores() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


def _check_device(device: str) -> None:
    import torch

    there = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there[device]:
        raise click.UsageError(f"there is no {device} device on this machine")
