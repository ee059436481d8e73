"""The last step of the English model: int8, its figures, its card, its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from ccgkit.corpora import load
from ccgkit.evaluation.tags import accuracy
from ccgkit.taggers import Reading, TaggerLike
from ccgkit.taggers.encoders.compact import compress
from ccgkit.taggers.tagger import POS, Tagger
from ccgkit.text.penn import penn_tag
from ccgkit.training.data import Example, read_examples
from ccgkit.treebanks import running_text

from .augmentation import VARIANTS
from .corpora import Corpora, hand_checked
from .pos_head import relearn_pos
from .precision import use_precision

__all__ = ["ship", "typical_sentences"]

_CALIBRATION = 500  # sentences of each kind

#: what `ccgkit models` says of it, but for the figures
INFO = {
    "name": "en-pmb",
    "language": "en",
    "data": "PMB 4.0.0 gold (6,992 sentences of Tatoeba); running text converted from ERG derivations and "
    "UD-EWT; UD-EWT and UD-CCG as auxiliary tasks; text of Tatoeba, Wikipedia, speeches, essays, sayings and "
    "a novel",
    "licence": "annotation ODC-BY 1.0 (PMB), MIT (ERG), CC BY-SA 4.0 (UD-EWT, UD-CCG); text CC BY 2.0 FR "
    "(Tatoeba), CC BY-SA (Wikipedia), GPL-2 (essays), BSD (sayings), public domain; transformers Apache-2.0 "
    "(MiniLM, MPNet)",
}

_CARD = Path(__file__).with_name("en-pmb.md")


def ship(tagger: Tagger, corpora: Corpora, data: Path, output: Path) -> None:
    """Write a tagger as it is shipped, with the figures of what is written."""
    use_precision("float32")
    student = finished(tagger, corpora)
    figures = measure(student, data)
    student.save(output, write_card(figures), {**INFO, "figures": figures})
    for name, figure in figures.items():
        click.echo(f"{name:40}{figure:6.2f}")


def finished(student: Tagger, corpora: Corpora) -> Tagger:
    """The student as it is shipped: int8, and without the head of an auxiliary task."""
    made = Tagger(
        student.config, student.encoder, student.decoder, student.scheme, {POS: student.heads[POS].labels}
    )
    made.heads[POS].load_state_dict(student.heads[POS].state_dict())
    made.head_words = student.head_words
    compress(made, typical_sentences(corpora))
    relearn_pos(made, corpora.auxiliary)
    return made


def typical_sentences(corpora: Corpora) -> list[Sequence[str]]:
    """Sentences that show how large activations become."""
    gold = [example.words for example in corpora.gold[:_CALIBRATION]]
    return [*gold, *(sentence.words for sentence in corpora.auxiliary[:_CALIBRATION])]


def measure(tagger: TaggerLike, data: Path) -> dict[str, float]:
    """The figures of the card."""
    dev = read_examples([data / "pmb4/en.dev.stagged"])
    figures = {
        "PMB dev" if name == "as it is" else f"PMB dev, {name}": _accuracy(tagger, change(dev))
        for name, change in VARIANTS.items()
    }
    figures["PMB dev, greedy (--k 1)"] = _accuracy(tagger, dev, 1)
    figures["PMB test"] = _accuracy(tagger, read_examples([data / "pmb4/en.test.stagged"]))
    figures["PMB questions (TREC, CLEF)"] = _accuracy(
        tagger, read_examples([data / "pmb4/en.ood_questions.stagged"])
    )
    for split in running_text.SPLITS:
        text = hand_checked(data, split)
        found = tagger.kbest([example.words for example in text], k=4)
        figures[f"running text {split}"] = _first(text, found)
        figures[f"running text {split}, among four"] = _among(text, found)
        figures[f"POS tags, UD-EWT {split}"] = _pos_accuracy(tagger, data / f"ud/en_ewt.{split}.pos")
    return {name: round(figure, 2) for name, figure in figures.items()}


def _accuracy(tagger: TaggerLike, examples: Sequence[Example], k: int = 4) -> float:
    """As `ccgkit tag --k` gives it; 1 is greedy."""
    return _first(examples, tagger.kbest([example.words for example in examples], k, 0.075))


def _first(examples: Sequence[Example], found: Sequence[Reading]) -> float:
    """How often the right category is the best."""
    return accuracy((example.categories for example in examples), (reading.categories for reading in found))


def _among(examples: Sequence[Example], found: Sequence[Reading]) -> float:
    """How often the right category is among those found."""
    pairs = [
        gold in [tag.category for tag in tags]
        for example, reading in zip(examples, found, strict=True)
        for gold, tags in zip(example.categories, reading.tags, strict=True)
    ]
    return 100 * sum(pairs) / max(1, len(pairs))


def _pos_accuracy(tagger: TaggerLike, path: Path) -> float:
    """Of a POS-tagged file whose tags are mapped to the Penn Treebank's."""
    sentences = list(load(path))
    found = tagger.kbest([sentence.words for sentence in sentences], k=1)
    gold = ([penn_tag(token.pos or "") for token in sentence.tokens] for sentence in sentences)
    return accuracy(gold, (reading.pos or () for reading in found))


def write_card(figures: Mapping[str, float]) -> str:
    """The card as Markdown."""
    rows = "\n".join(f"| {name} | {figure:.2f} |" for name, figure in figures.items())
    return _CARD.read_text(encoding="utf-8").format(name=INFO["name"], notation="rebank/PMB", rows=rows)
