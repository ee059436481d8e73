"""Generating against choosing on rare categories: two decoders over the encoder of the shipped model.

    python -m recipes.rare_categories --data DIR --treebank DIR --model ccgkit/models/en-pmb --work DIR

A generator and a classifier learn the same sentences (PMB's gold and the converted treebank) from the same
encoder, which is not changed: the one that the model's own generator, measured beside them, was trained with.
Accuracy is by how often a word's category is among these sentences. Stopped, it goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import copytree

import click

from ccgkit.evaluation.tags import TagScores
from ccgkit.grammar import Category
from ccgkit.taggers import TaggerLike, use_threads
from ccgkit.taggers.config import DecoderConfig, TrainingConfig
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, count_categories
from ccgkit.training.trainer import learn

from .corpora import Corpora, hand_checked, read_derived
from .second_decoder import EncodedLessons, with_new_decoder
from .treebank import TRAINING

__all__ = ["by_frequency", "command"]

_DECODERS = {
    "classifier (CC)": DecoderConfig(kind="cc", threshold=1, dropout=0.2),
    "generator (CGNG2)": DecoderConfig(
        kind="cg", oracle="NG", threshold=1, dropout=0.2, lstm_width=128, tag_width=32
    ),
}
_TRAINING = TrainingConfig(
    learning_rate=2e-3, beta2=0.999, weight_decay=0.01, schedule="linear", warmup=0.05, clip=1.0,
    average=0.998, batch=32, epochs=6,
)  # fmt: skip
_GOLD = 3  # how often each gold sentence is among the lessons


def by_frequency(
    tagger: TaggerLike, examples: Sequence[Example], counts: Mapping[Category, int]
) -> TagScores:
    """Accuracy on the examples, also by how often a category was seen."""
    scores = TagScores(counts)
    found = tagger.kbest([example.words for example in examples], k=4)
    for example, reading in zip(examples, found, strict=True):
        scores.add(example.categories, [[tag.category for tag in word] for word in reading.tags])
    return scores


def table(scores: Mapping[str, TagScores]) -> str:
    """Markdown: a row for each tagger, all words and those of each bin; the bins are those of gold."""
    bins, _ = next(iter(scores.values())).bins()
    head = ["tagger", "all words", *(f"seen {label}" for label in bins)]
    rows = [
        [name, str(one.accuracy), *(str(share) for share in one.bins()[0].values())]
        for name, one in scores.items()
    ]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, ["---"] * len(head), *rows])


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--treebank", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--model", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, treebank: Path, model: Path, work: Path, threads: int) -> None:
    """Print tables for PMB's dev set and the running text's."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    use_threads(threads)
    lender = work / model.resolve().name
    if not lender.exists():
        copytree(model, lender)
    corpora = Corpora.read(data)
    text = read_derived([treebank / f"{name}.auto" for name in TRAINING])
    counts = count_categories([*corpora.gold, *text])
    sets = {"PMB dev": corpora.dev, "running text dev": hand_checked(data, "dev")}
    taggers: dict[str, TaggerLike] = {f"{lender.name} itself": Tagger.load(lender)}
    examples = [*corpora.gold * _GOLD, *text]
    lessons = None
    for name, decoder in _DECODERS.items():
        tagger = with_new_decoder(lender, decoder, _TRAINING, counts, "rebank")
        lessons = lessons or EncodedLessons(tagger, examples, [list(one.categories) for one in examples])
        dev = [example for part in sets.values() for example in part]
        taggers[name] = learn(tagger, lessons, dev, work / decoder.kind, resume=True)
    for title, part in sets.items():
        scores = {name: by_frequency(one, part, counts) for name, one in taggers.items()}
        click.echo(f"\n{title}\n\n{table(scores)}")


if __name__ == "__main__":
    command()
