"""What the embedded parser is chosen by: its figures on dev sets with a tagger, and how far to trust it.

    python -m recipes.parser_figures --data DATA [--model en-pmb] [--costs FILE] [--head-words W]

Dependencies of the hand-checked running text and of PMB 5, pairs of Universal Dependencies and finished roots
on running text; then the numbers that `Costs.certainty` should be, and what they say of held-out sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import click
import numpy as np

from ccgkit.corpora import conllu, load
from ccgkit.evaluation.derivations import evaluate_derivations
from ccgkit.grammar import Scheme, load_scheme
from ccgkit.grammar.notations import NotationError
from ccgkit.models.registry import find
from ccgkit.parsing import Parser, ParseResult
from ccgkit.parsing.costs import doubts, load_costs, read_costs
from ccgkit.pipeline import Pipeline
from ccgkit.pipeline import load as load_pipeline
from ccgkit.sentence import Sentence
from ccgkit.treebanks import running_text
from ccgkit.treebanks.ud import Tree
from ccgkit.treebanks.ud_pairs import core_pairs

__all__ = ["Trust", "command", "fitted"]

_PMB, _EWT = "pmb5/en.dev.auto", "ud/en_ewt.dev.conllu.gz"
_SENTENCES, _LENGTHS = 500, range(5, 41)  # of EWT, for core pairs …
_TRUSTED = range(3, 61)  # … and how long those are by which it is found out how far to trust a parse
_K, _BETA = 10, 1e-4  # as the pipeline tags for its parser
_FIFTHS = 5


@dataclass(frozen=True, slots=True)
class Trust:
    """What is known of a parse: what speaks against it, pairs found and wanted."""

    doubts: tuple[float, float, float]
    found: int
    wanted: int

    @property
    def right(self) -> bool:
        return self.found == self.wanted


def trust(result: ParseResult, pairs: set[frozenset[int]]) -> Trust:
    """A parse beside the pairs that it should have."""
    found = {frozenset((link.head, link.argument)) for link in result.dependencies}
    best = sum(max(tag.logprob for tag in tags) for tags in result.sentence.tags or ())
    heads = result.sentence.head_words
    linked = None if heads is None else float(heads.max(1).sum())
    return Trust(doubts(best, best - result.parses[0].score, linked), len(pairs & found), len(pairs))


def trusts(read: Iterable[tuple[ParseResult, set[frozenset[int]]]]) -> list[Trust]:
    """What is known of those that have a derivation, of sentences with pairs."""
    return [trust(found, wanted) for found, wanted in read if found.spans and wanted]


def fitted(seen: Sequence[Trust]) -> np.ndarray:
    """The logistic regression of being right on what is known: `Costs.certainty`."""
    known, right = _known(seen), np.array([one.right for one in seen], float)
    weights = np.zeros(known.shape[1])
    for _ in range(50):  # Newton's method, with a little weight decay
        sure = 1 / (1 + np.exp(-known @ weights))
        curvature = (known * (sure * (1 - sure))[:, None]).T @ known + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(curvature, known.T @ (right - sure) - 1e-3 * weights)
    return weights


def _known(seen: Sequence[Trust]) -> np.ndarray:
    return np.array([(1.0, *one.doubts) for one in seen])


def fifths(seen: Sequence[Trust], weights: np.ndarray) -> Iterator[str]:
    """Rows of a table: of parses in order of their confidence, how many are right."""
    sure = 1 / (1 + np.exp(-_known(seen) @ weights))
    for places in np.array_split(np.argsort(-sure), _FIFTHS):
        part, here = [seen[place] for place in places], sure[places]
        pairs = 100 * sum(one.found for one in part) / max(1, sum(one.wanted for one in part))
        right = np.mean([one.right for one in part])
        yield f"| {here.min():.2f} – {here.max():.2f} | {here.mean():.2f} | {right:.2f} | {pairs:.1f} % |"


def read_gold(data: Path, notation: str) -> dict[str, list[Sentence]]:
    """Derivations by hand, in a notation as far as they can be put into it."""
    sets = {
        "running text dev": running_text.join(running_text.load("dev"), data),
        "pmb5/en.dev": load(data / _PMB, on_error="skip"),
    }
    return {name: list(_in_notation(sentences, notation)) for name, sentences in sets.items()}


def _in_notation(sentences: Iterable[Sentence], notation: str) -> Iterator[Sentence]:
    for sentence in sentences:
        bare = Sentence(sentence.tokens, derivations=sentence.derivations, id=sentence.id)
        with suppress(NotationError):
            yield bare if notation == "rebank" else bare.in_notation(notation)


def read_pairs(data: Path) -> list[tuple[Sentence, set[frozenset[int]]]]:
    """Sentences of UD-EWT with their core pairs."""
    return [
        (sentence, core_pairs(Tree(conllu.tree(sentence))))
        for sentence in conllu.load(data / _EWT)
        if len(sentence) in _TRUSTED and not any(" " in word for word in sentence.words)
    ]


def tagged(nlp: Pipeline, sentences: Iterable[Sentence]) -> list[Sentence]:
    """The words alone, tagged as the pipeline tags them for its parser."""
    bare = (Sentence(tuple(replace(token, pos=None) for token in one.tokens), id=one.id) for one in sentences)
    return list(nlp.pipe_sentences(bare, k=_K, beta=_BETA))


def derivations_line(name: str, gold: Sequence[Sentence], found: Sequence[ParseResult], rules: Scheme) -> str:
    """Dependencies of derivations by hand."""
    spanning = [
        replace(one.sentence, derivations=(one.derivation,) if one.spans and one.derivation else None)
        for one in found
    ]
    scores = evaluate_derivations(gold, spanning, rules)
    links = scores.links.all
    return (
        f"{name}: LF1 {100 * links.labelled.f1:.2f}, UF1 {100 * links.unlabelled.f1:.2f}, "
        f"coverage {100 * scores.covered / len(gold):.1f} % of {len(gold)}"
    )


def pairs_line(found: Sequence[ParseResult], seen: Sequence[Trust], rules: Scheme) -> str:
    """Pairs of Universal Dependencies, and roots."""
    core = 100 * sum(one.found for one in seen) / max(1, sum(one.wanted for one in seen))
    finished = sum(
        bool(one.spans and one.derivation and rules.is_root(one.derivation.category)) for one in found
    )
    roots = f"finished roots {100 * finished / len(found):.1f} % of {len(found)}"
    return f"UD-EWT dev: core pairs {core:.2f}, {roots}"


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--model", help="a model of the package or a folder; by default the package's for English")
@click.option("--costs", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--head-words", "weights", type=float, multiple=True, help="their weight; several are compared")
def command(data: Path, model: str | None, file: Path | None, weights: Sequence[float]) -> None:
    """Figures of the embedded parser on dev sets."""
    info = find(model)
    nlp, scheme = load_pipeline(info, threads=1), info.scheme
    rules, gold, pairs = load_scheme(scheme), read_gold(data, scheme), read_pairs(data)
    costs = read_costs(file.read_text(encoding="utf-8")) if file else load_costs(scheme)
    words = {name: tagged(nlp, sentences) for name, sentences in gold.items()}
    text = tagged(nlp, [sentence for sentence, _ in pairs])
    for weight in weights or (costs.head_words,):
        click.echo(f"head words {weight:g}")
        measure(Parser(rules, costs=replace(costs, head_words=weight)), gold, words, pairs, text)


def measure(
    parser: Parser,
    gold: dict[str, list[Sentence]],
    words: dict[str, list[Sentence]],
    pairs: Sequence[tuple[Sentence, set[frozenset[int]]]],
    text: Sequence[Sentence],
) -> None:
    """Print everything that is known of a parser."""
    for name, sentences in gold.items():
        click.echo("  " + derivations_line(name, sentences, list(parser.pipe(words[name])), parser.scheme))
    read = [(found, wanted) for found, (_, wanted) in zip(parser.pipe(text), pairs, strict=True)]
    short = list(islice((pair for pair in read if len(pair[0].sentence) in _LENGTHS), _SENTENCES))
    click.echo("  " + pairs_line([found for found, _ in short], trusts(short), parser.scheme))
    seen = trusts(read)
    click.echo(f"  certainty by all: {[round(float(one), 4) for one in fitted(seen)]}")
    for row in fifths(seen[1::2], fitted(seen[::2])):
        click.echo("  " + row)


if __name__ == "__main__":
    command()
