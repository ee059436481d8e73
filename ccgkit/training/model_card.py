"""The default model's card: what it was made from, how it does on dev and its variants, what it cannot do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ccgkit.models.compact import CompactTagger
from ccgkit.text.penn import penn_tag

from .augmentation import VARIANTS
from .data import Example, read_examples

__all__ = ["INFO", "accuracy", "measure", "pos_accuracy", "write_card"]

#: what `ccgkit models` says of it, but for the figures
INFO = {
    "name": "en-pmb",
    "language": "en",
    "notation": "rebank/PMB",
    "data": "PMB 4.0.0 gold (6,992 sentences of Tatoeba); UD-EWT and UD-CCG as auxiliary tasks; Tatoeba text",
    "licence": "annotation ODC-BY 1.0 (PMB), CC BY-SA 4.0 (UD-EWT, UD-CCG); text CC BY 2.0 FR (Tatoeba); "
    "transformer Apache-2.0 (MiniLM)",
}

_CARD = """\
# {name}: the default English supertagger

A generator of categories (CGNG2: an LSTM writes each category tag by tag, frequent bigrams being tags of
their own; only legal categories can come out) over a fine-tuned MiniLM, in int8. It also gives
Penn Treebank POS tags. It needs neither network nor the transformers library.

**Notation: {notation}** (`NP/N` for determiners, `N/PP` for relational nouns, `PR` for particles), not that
of CCGbank, and not that of UD-CCG. Figures below are on PMB's short and clean sentences: they cannot be
compared with published figures on CCGbank.

## Accuracy

| set | per cent of words |
|---|---|
{rows}

Variants of dev are made by script (`ccgkit.training.augmentation`): names that PMB joins (`Brad~Pitt`) are
split into `N/N … N`, and so on. Settings were chosen on dev; nothing was chosen by test or the questions.

## Made from

| what | for | licence |
|---|---|---|
| Parallel Meaning Bank 4.0.0, English gold, training part | categories | ODC-BY 1.0; text CC BY 2.0 FR |
| UD English-EWT, training part | POS tags, an auxiliary task | CC BY-SA 4.0 |
| UD-CCG derivations of it | categories of another notation, an auxiliary task only | CC BY-SA 4.0 |
| Tatoeba sentences | labelled by three teachers together, and learnt from | CC BY 2.0 FR |
| all-MiniLM-L6-v2 | start of the transformer | Apache-2.0 |

Attribution: the Parallel Meaning Bank (Abzianidze et al. 2017, pmb.let.rug.nl); Tatoeba and its contributors
(tatoeba.org); the Universal Dependencies English Web Treebank (Silveira et al. 2014); CCG derivations
converted from Universal Dependencies (UD-CCG); MiniLM (Wang et al. 2020) as tuned by sentence-transformers.

It is rebuilt by the command in `docs/models.md`.

## Limits

It has learnt from sentences of seven words on average. Quotation marks, long coordinations, headlines and
jargon are where it errs most. A sentence of more than 510 word pieces is read in parts.
"""


def accuracy(tagger: CompactTagger, examples: list[Example], k: int = 4) -> float:
    """Per cent of the words whose best category is right, as `ccgkit tag --k` gives it; 1 is greedy."""
    found = tagger.read([example.words for example in examples], k, beta=0.075)
    pairs = [
        (best[0].category, gold)
        for example, reading in zip(examples, found, strict=True)
        for best, gold in zip(reading.tags, example.categories, strict=True)
    ]
    return 100 * sum(best is gold for best, gold in pairs) / len(pairs)


def pos_accuracy(tagger: CompactTagger, path: Path) -> float:
    """Per cent of the words of a POS-tagged file that get their tag, mapped to the Penn Treebank's."""
    from ccgkit.corpora import load

    sentences = list(load(path))
    readings = tagger.read([sentence.words for sentence in sentences])
    pairs = [
        (found, penn_tag(token.pos or ""))
        for sentence, reading in zip(sentences, readings, strict=True)
        for found, token in zip(reading.pos or (), sentence.tokens, strict=True)
    ]
    return 100 * sum(found == gold for found, gold in pairs) / len(pairs)


def measure(tagger: CompactTagger, data: Path) -> dict[str, float]:
    """The figures of the card."""
    dev = read_examples([data / "pmb4/en.dev.stagged"])
    figures = {
        "PMB dev" if name == "as it is" else f"PMB dev, {name}": accuracy(tagger, change(dev))
        for name, change in VARIANTS.items()
    }
    figures["PMB dev, greedy (--k 1)"] = accuracy(tagger, dev, 1)
    figures["PMB test"] = accuracy(tagger, read_examples([data / "pmb4/en.test.stagged"]))
    figures["PMB questions (TREC, CLEF)"] = accuracy(
        tagger, read_examples([data / "pmb4/en.ood_questions.stagged"])
    )
    figures["POS tags, UD-EWT dev"] = pos_accuracy(tagger, data / "ud/en_ewt.dev.pos")
    figures["POS tags, UD-EWT test"] = pos_accuracy(tagger, data / "ud/en_ewt.test.pos")
    return {name: round(figure, 2) for name, figure in figures.items()}


def write_card(figures: Mapping[str, float]) -> str:
    """The card as Markdown."""
    rows = "\n".join(f"| {name} | {figure:.2f} |" for name, figure in figures.items())
    return _CARD.format(name=INFO["name"], notation=INFO["notation"], rows=rows)
