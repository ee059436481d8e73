"""The German, Italian and Dutch models, from the corpora to the files in the package.

    python -m recipes.german_italian_dutch --data DIR --work DIR --output DIR

One tagger without anything pretrained learns the three languages together: what they share, names and the
shapes of sentences, helps the smallest corpus most. Beside PMB's categories it learns POS tags and UD-CCG
categories of the words of Italian-VIT, which has ten times as many sentences.
"""

from __future__ import annotations

import logging
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import click
import torch

from ccgkit.evaluation.tags import accuracy
from ccgkit.grammar import Category
from ccgkit.taggers import use_threads
from ccgkit.taggers.config import BiLSTMConfig, Config, DecoderConfig, TrainingConfig
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import Example, batches, count_categories, read_examples
from ccgkit.training.lessons import Lesson
from ccgkit.training.trainer import learn

from .augmentation import drop_stop, join, lower, split_names
from .corpora import TaggedWords, auxiliary_lesson, label_sets, part, read_udccg
from .corpora import batches as auxiliary_batches

__all__ = ["CONFIG", "LANGUAGES", "augmented", "command", "measure", "split_capitalised", "trained"]

LANGUAGES: Mapping[str, str] = MappingProxyType({"de": "German", "it": "Italian", "nl": "Dutch"})
CONFIG = Config(
    BiLSTMConfig(word_width=64, char_filters=64, lstm_width=128, lstm_layers=1),
    DecoderConfig(kind="cg", oracle="NG", ngram=2, top=10, threshold=1, lstm_width=64),
    TrainingConfig(
        learning_rate=5e-3, schedule="linear", warmup=0.05, average=0.99, batch=32, epochs=30, patience=30
    ),
)

_AUXILIARY = "udccg/it_vit.train.auto"
_LONGEST = 40  # words of its sentences
_SHARE = 0.2  # of them in an epoch
_NOTATION = "rebank/PMB"
_LICENCE = "annotation ODC-BY 1.0 (PMB), CC BY-SA 4.0 (UD Italian-VIT, UD-CCG); text CC BY 2.0 FR (Tatoeba)"
_CARD = """\
# {names}: supertaggers for {languages}

Small models without anything pretrained: a generator of categories (CGNG2: an LSTM writes each category
tag by tag, frequent bigrams being tags of their own; only legal categories can come out) over words,
characters and one layer of BiLSTM. The same weights serve the three languages, which they learnt
together; nobody needs to tell them which language a sentence is in. They also learnt POS tags and UD-CCG
categories of Italian-VIT's words, where most of what they know of Italian words comes from. There are
{parameters:,} weights, in float16. They give no POS tags.

**Notation: {notation}** (`NP/N` for determiners, `N/PP` for relational nouns), **not CCGbank**. Unlike
the English part of PMB, the other languages give punctuation and adverbs the category of what they
modify: a final stop is `S[dcl]\\S[dcl]`. Figures below are on PMB's short and clean sentences, six words
on average, and cannot be compared with published figures on CCGbank, nor with those of `en-pmb`.

## Accuracy

Per cent of words. *Most frequent category* is the baseline: each word gets the category that it has most
often in the training part of its language, an unknown word the commonest of all.

| set | {columns} |
|---|{rules}|
{rows}

Names that PMB joins (`Ada~Rossi`) are split into `N/N … N` for *names split*. Dev decided for
one model for the three languages over one for each, and for Italian-VIT beside it; widths and the like were
not tuned. Test was measured with the final model only.

## Made from

The training parts of the Parallel Meaning Bank 4.0.0, gold: {sizes} sentences.
Annotation ODC-BY 1.0; text, from Tatoeba, CC BY 2.0 FR. Attribution: the Parallel Meaning Bank
(Abzianidze et al. 2017, pmb.let.rug.nl); Tatoeba and its contributors (tatoeba.org). Universal Dependencies
Italian-VIT (Alfieri and Tamburini 2016; Delmonte et al. 2007) and its UD-CCG derivations, CC BY-SA 4.0.

```sh
python -m recipes.german_italian_dutch --data DATA --work WORK --output ccgkit/models/de-it-nl-pmb
```

makes them again from `DATA/pmb4/{{de,it,nl}}.{{train,dev,test}}.stagged` and
`DATA/udccg/it_vit.train.auto`, in some ten minutes on one core.

## Limits

So little was learnt from that a word which the training part does not have is guessed from its letters and
neighbours, and questions, which are few in it, go wrong more often: see above. There are hardly any
sentences of more than ten words in the data, so nothing is known of longer ones. PMB splits off some endings
(`Tom s`, `al la`), and not always: text is not split there.
"""


def split_capitalised(example: Example) -> Example:
    """Joined names as several words; other compounds stay, since their parts have categories of their own.

    >>> from ccgkit import Category
    >>> n = Category.parse("N")
    >>> split_capitalised(Example(("Ada~Rossi", "bomba~atomica"), (n, n))).words
    ('Ada', 'Rossi', 'bomba~atomica')
    """
    words = [Example((word,), (gold,)) for word, gold in zip(example.words, example.categories, strict=True)]
    return join([split_names(word) if _is_name(word.words[0]) else word for word in words])


def _is_name(word: str) -> bool:
    return all(part[:1].isupper() for part in word.split("~"))


def augmented(examples: Sequence[Example], chance: random.Random) -> list[Example]:
    """An epoch's view of the examples: as they are, but now and then as users write, or run together."""
    changes: list[tuple[float, Callable[[Example], Example]]] = [
        (0.3, split_capitalised),
        (0.1, drop_stop),
        (0.05, lower),
    ]
    left = list(examples)
    for rate, change in changes:
        left = [change(example) if chance.random() < rate else example for example in left]
    chance.shuffle(left)
    view = []
    while left:
        size = chance.randint(2, 4) if chance.random() < 0.05 else 1
        view.append(join(left[-size:]))
        del left[-size:]
    return view


class Views:
    """The examples as each epoch shows them, with a part of the sentences of the auxiliary tasks."""

    def __init__(
        self, examples: Sequence[Example], auxiliary: Sequence[TaggedWords], batch: int, seed: int
    ) -> None:
        self.identity = examples
        self._auxiliary, self._batch, self._seed = auxiliary, batch, seed

    def epoch(self, number: int) -> list[Lesson]:
        chance = random.Random(f"{self._seed} {number}")
        view = augmented(self.identity, chance)
        lessons = [
            Lesson([view[place].words for place in batch], [view[place].categories for place in batch])
            for batch in batches(view, self._batch, self._seed, number)
        ]
        others = auxiliary_batches(part(self._auxiliary, _SHARE, chance), self._batch, chance)
        lessons += map(auxiliary_lesson, others)
        chance.shuffle(lessons)
        return lessons


def trained(
    config: Config,
    examples: Sequence[Example],
    auxiliary: Sequence[TaggedWords],
    dev: Sequence[Example],
    work: Path,
) -> Tagger:
    """A tagger trained on views of the examples, its weights averaged over the steps."""
    torch.manual_seed(config.training.seed)
    counts = count_categories([*examples, *map(split_capitalised, examples)])
    words = [*(one.words for one in examples), *(one.words for one in auxiliary)]
    tagger = Tagger.build(config, words, counts, heads=label_sets(auxiliary))
    views = Views(examples, auxiliary, config.training.batch, config.training.seed)
    return _without_heads(learn(tagger, views, dev, work, resume=True))


def _without_heads(tagger: Tagger) -> Tagger:
    """The tagger without what it has learnt for the auxiliary tasks alone."""
    return Tagger(tagger.config, tagger.encoder, tagger.decoder, tagger.scheme)


def measure(tagger: Tagger, data: Path) -> dict[str, dict[str, float]]:
    """The figures of the card, by language; test sets are looked at for the final model only."""
    return {language: _figures(tagger, data / f"pmb4/{language}") for language in LANGUAGES}


def _figures(tagger: Tagger, stem: Path) -> dict[str, float]:
    train, dev, test = (
        read_examples([stem.with_name(f"{stem.name}.{part}.stagged")]) for part in ("train", "dev", "test")
    )
    known = frozenset(word for example in train for word in example.words)
    found = {
        "PMB dev": _accuracy(tagger, dev),
        "PMB dev, names split": _accuracy(tagger, [split_capitalised(example) for example in dev]),
        "PMB dev, final stop dropped": _accuracy(tagger, [drop_stop(example) for example in dev]),
        "PMB dev, questions": _accuracy(tagger, [example for example in dev if "?" in example.words]),
        "PMB dev, words new to the language": _accuracy(tagger, dev, known),
        "PMB dev, most frequent category": _baseline(train, dev),
        "PMB test": _accuracy(tagger, test),
        "PMB test, most frequent category": _baseline(train, test),
    }
    return {name: round(figure, 2) for name, figure in found.items()}


def _accuracy(tagger: Tagger, examples: Sequence[Example], but: frozenset[str] = frozenset()) -> float:
    """Per cent of the words, but for some, whose best category is right, as `ccgkit tag` gives it."""
    found = tagger.kbest([example.words for example in examples], 4, 0.075)
    pairs = [
        (gold, said)
        for example, reading in zip(examples, found, strict=True)
        for word, gold, said in zip(example.words, example.categories, reading.categories, strict=True)
        if word not in but
    ]
    return accuracy(([gold] for gold, _ in pairs), ([said] for _, said in pairs))


def _baseline(training: Sequence[Example], examples: Sequence[Example]) -> float:
    """The same where each word gets its most frequent category, an unknown one that of all words."""
    of_word: dict[str, Counter[Category]] = defaultdict(Counter)
    for example in training:
        for word, category in zip(example.words, example.categories, strict=True):
            of_word[word][category] += 1
    usual = {word: counts.most_common(1)[0][0] for word, counts in of_word.items()}
    other = count_categories(training).most_common(1)[0][0]
    return accuracy(
        (example.categories for example in examples),
        ([usual.get(word, other) for word in example.words] for example in examples),
    )


def _facts(language: str, data: Path) -> dict[str, str]:
    """What `ccgkit models` says of the model, but for the figures."""
    sentences = len(read_examples([data / f"pmb4/{language}.train.stagged"]))
    return {
        "name": f"{language}-pmb",
        "language": language,
        "data": f"PMB 4.0.0 gold, {LANGUAGES[language]} ({sentences:,} sentences of Tatoeba), with "
        + " and ".join(name for code, name in LANGUAGES.items() if code != language),
        "licence": _LICENCE,
    }


def _card(tagger: Tagger, figures: Mapping[str, Mapping[str, float]], data: Path) -> str:
    sizes = {code: len(read_examples([data / f"pmb4/{code}.train.stagged"])) for code in LANGUAGES}
    rows = [
        f"| {name} | " + " | ".join(f"{figures[code][name]:.2f}" for code in LANGUAGES) + " |"
        for name in next(iter(figures.values()))
    ]
    return _CARD.format(
        names=", ".join(f"{code}-pmb" for code in LANGUAGES),
        languages=_listed(list(LANGUAGES.values())),
        parameters=sum(parameter.numel() for parameter in tagger.parameters()),
        notation=_NOTATION,
        columns=" | ".join(LANGUAGES.values()),
        rules="|".join("---" for _ in LANGUAGES),
        rows="\n".join(rows),
        sizes=_listed([f"{sizes[code]:,} {name}" for code, name in LANGUAGES.items()]),
    )


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True)
def command(data: Path, output: Path, work: Path, threads: int) -> None:
    """Make the German, Italian and Dutch models from pmb4/{de,it,nl}.* and udccg/it_vit.* in --data."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    use_threads(threads)
    examples, dev = (
        read_examples([data / f"pmb4/{language}.{part}.stagged" for language in LANGUAGES])
        for part in ("train", "dev")
    )
    auxiliary = [one for one in read_udccg(data / _AUXILIARY) if len(one.words) <= _LONGEST]
    tagger = trained(CONFIG, examples, auxiliary, dev, work).half()
    tagger.save(output)
    rounded = Tagger.load(output)
    figures = measure(rounded, data)  # of the model as it is shipped
    info = [{**_facts(language, data), "figures": found} for language, found in figures.items()]
    tagger.save(output, _card(tagger, figures, data), info)
    for language, found in figures.items():
        for name, figure in found.items():
            click.echo(f"{language}  {name:50}{figure:6.2f}")


if __name__ == "__main__":
    command()
