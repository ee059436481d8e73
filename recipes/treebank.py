"""The treebank of running text: other theories' trees to derivations, source by source.

    python -m recipes.treebank --data DATA --work WORK [--model DIR] [--jobs N] [--source NAME ...]
        [--precision bfloat16]

Each source is read, tagged and parsed under its own evidence in portions; a portion that is there already is
not made again, so a run that was stopped goes on, and another --doubt only sorts what is there anew.
WORK/NAME.auto has the derivations that are kept whole, WORK/NAME.part.auto those kept in part, WORK/report.md
the figures. Tag with a model trained on the result (--model), and make it again in another folder: that is
the loop.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click

from ccgkit.corpora import CorpusError, Unreadable, auto, conllu
from ccgkit.corpora.auto import read_tree, write_tree
from ccgkit.grammar.dependencies import dependencies
from ccgkit.grammar.heads import Coindexation
from ccgkit.pipeline import Pipeline, load
from ccgkit.sentence import Sentence
from ccgkit.treebanks import erg, running_text
from ccgkit.treebanks.evidence import Evidence, erg_evidence
from ccgkit.treebanks.making import Kept, Maker, Outcome
from ccgkit.treebanks.ud import Tree, ud_evidence
from ccgkit.treebanks.ud_pairs import core_pairs

from .precision import Precision, precision_option, use_precision

ERG = ("wescience", "tourism", "tanaka", "mail", "essay", "holmes", "glosses", "suites")
SOURCES = {
    **{f"{name}.train": f"erg/{name}.train.jsonl.gz" for name in ERG},
    "wescience.dev": "erg/wescience.dev.jsonl.gz",
    "en_ewt.train": "ud/en_ewt.train.conllu.gz",
    "en_ewt.dev": "ud/en_ewt.dev.conllu.gz",
}
TRAINING = tuple(name for name in SOURCES if name.endswith(".train"))
PORTION = 200  # sentences
DOUBT = 0.18  # nats a word that a derivation kept whole may be below the tagger's best
UD_SHARE = 4 / 7  # of it for UD: dependencies say less than derivations, so that the tagger must be surer
DOUBTS = (0.7, 0.5, 0.4, 0.3, 0.25, 0.2, DOUBT, 0.15, 0.12, 0.1)  # that the report compares
MOST_DOUBT = 1.4
K, BETA = 20, 1e-4  # of the tagger's k-best
FOREIGN = "⌊"  # opens what WeScience keeps of a page's markup: words of other languages, mostly
LENGTHS = ((1, 9), (10, 19), (20, 29), (30, 39), (40, 1000))
Raw = erg.Item | Sentence


def read(path: Path) -> Iterator[Raw]:
    """The items of a source; those that do not read are named, and the rest goes on."""
    if ".conllu" in path.name:
        yield from _trees(path)
    else:
        yield from (item for item in erg.load(path, _name) if FOREIGN not in item.text)


def _trees(path: Path) -> Iterator[Sentence]:
    empty = True
    try:
        for one in conllu.load(path, on_error="keep"):
            empty = False
            if isinstance(one, Unreadable):
                _name(one.error)
            else:
                yield one
    except CorpusError as error:  # nothing can be read behind it
        _name(error)
    else:
        if empty:
            _name(CorpusError("no sentences: the file is empty", str(path)))


def _name(error: CorpusError) -> None:
    click.echo(f"left out: {error}", err=True)


def portions(items: Iterable[Raw], most: int | None = None) -> Iterator[list[Raw]]:
    rest = islice(items, most)
    while portion := list(islice(rest, PORTION)):
        yield portion


def make(items: Sequence[Raw], model: str | None, target: Path, precision: Precision = "float32") -> None:
    """A portion's outcomes, a JSON object a line; the file is there when all of it is."""
    use_precision(precision)
    known = [_evidence(item) for item in items]
    tagged = _pipeline(model).pipe_sentences((one.sentence for one in known), k=K, beta=BETA)
    lines = [
        json.dumps(
            _record(item, sentence, _maker().derive(evidence, sentence)),
            ensure_ascii=False,
        )
        + "\n"
        for item, evidence, sentence in zip(items, known, tagged, strict=True)
    ]
    part = target.with_suffix(".part")
    part.write_text("".join(lines), encoding="utf-8")
    part.replace(target)


def _evidence(item: Raw) -> Evidence:
    return erg_evidence(item) if isinstance(item, erg.Item) else ud_evidence(item)


@cache
def _pipeline(model: str | None) -> Pipeline:
    return load(model, threads=1)


@cache
def _maker() -> Maker:
    """What keeps whatever can be kept; how much doubt is too much is asked when portions are joined."""
    return Maker(whole=MOST_DOUBT, part=MOST_DOUBT)


def _record(item: Raw, tagged: Sentence, outcome: Outcome) -> dict[str, Any]:
    """What the files and the report need of an outcome."""
    record: dict[str, Any] = {
        "id": item.id, "words": len(tagged.tokens), "kept": outcome.kept.value, "reason": outcome.reason,
    }  # fmt: skip
    if outcome.sentence.derivations:
        derivation = outcome.sentence.derivations[0]
        best = [k_best[0].category for k_best in tagged.tags or ()]
        leaves = [leaf.category for leaf in derivation.leaves()]
        record["cost"] = round(outcome.cost, 4)
        record["tree"] = write_tree(derivation)
        record["agree"] = [int(one is other) for one, other in zip(best, leaves, strict=True)]
        if isinstance(item, Sentence):
            record["pairs"] = _pairs_found(item, outcome.sentence)
    return record


def _pairs_found(item: Sentence, sentence: Sentence) -> tuple[int, int]:
    """How many of the core pairs of Universal Dependencies the derivation has, and how many there are."""
    links = dependencies(sentence.derivations or (), Coindexation())
    found = {frozenset((link.head, link.argument)) for link in links}
    gold = core_pairs(Tree(conllu.tree(item)))
    return len(gold & found), len(gold)


@dataclass
class Figures:
    """The figures of one source."""

    kept: Counter[tuple[Kept, int]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)  # by category
    agreed: Counter[str] = field(default_factory=Counter)
    checked: Counter[tuple[Kept, bool]] = field(default_factory=Counter)  # words of the hand-checked set
    pairs: Counter[str] = field(default_factory=Counter)

    doubts: Counter[tuple[float, str]] = field(default_factory=Counter)  # by limit: kept, right, words

    def add(self, record: dict[str, Any], gold: Sequence[str] | None, share: float) -> None:
        kept = Kept(record["kept"])
        self.kept[kept, _bucket(record["words"])] += 1
        if record["reason"]:
            self.reasons[record["reason"]] += 1
        if kept is Kept.DROPPED:
            return
        found = read_tree(record["tree"])
        categories = [str(leaf.category) for leaf in found[0].leaves()] if found else []
        for category, agreed in zip(categories, record["agree"], strict=True):
            self.words[category] += 1
            self.agreed[category] += agreed
        right = [one == other for one, other in zip(categories, gold or (), strict=False)]
        self.checked.update((kept, one) for one in right)
        for limit in DOUBTS:
            if record["made"] == Kept.WHOLE and record["cost"] <= limit * share:
                self.doubts[limit, "kept"] += 1
                self.doubts[limit, "right"] += sum(right)
                self.doubts[limit, "words"] += len(right)
        if kept is Kept.WHOLE and "pairs" in record:
            self.pairs["found"] += record["pairs"][0]
            self.pairs["gold"] += record["pairs"][1]


def _bucket(words: int) -> int:
    return next((number for number, (_, most) in enumerate(LENGTHS) if words <= most), len(LENGTHS) - 1)


def records(folder: Path, doubt: float) -> Iterator[dict[str, Any]]:
    """What was made of a source's sentences; what the tagger doubts more is kept in part only.

    `made` is what would be kept whatever the doubt.
    """
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                record["made"] = record["kept"]
                if record["kept"] == Kept.WHOLE and record["cost"] > doubt:
                    record["kept"], record["reason"] = Kept.PART.value, "doubtful to the tagger"
                yield record


def _share(name: str) -> float:
    return UD_SHARE if ".conllu" in SOURCES[name] else 1.0


def join(work: Path, name: str, doubt: float = DOUBT) -> Figures:
    """The portions of a source as its files, and its figures."""
    share = _share(name)
    checked = {
        one.id: [str(leaf.category) for leaf in one.derivation.leaves()]
        for one in running_text.load("dev")
        if one.corpus == name
    }
    figures = Figures()

    def sentences(kept: Kept) -> Iterator[Sentence]:
        for record in records(work / name, doubt * share):
            if record["kept"] == kept and (found := read_tree(record["tree"])):
                yield Sentence(tuple(found[1]), derivations=(found[0],), id=f"{name}/{record['id']}")

    for record in records(work / name, doubt * share):
        figures.add(record, checked.get(record["id"]), share)
    auto.dump(sentences(Kept.WHOLE), work / f"{name}.auto")
    auto.dump(sentences(Kept.PART), work / f"{name}.part.auto")
    return figures


def report(found: dict[str, Figures]) -> str:
    """The figures of all sources as a page."""
    lines = ["# The treebank's figures", ""]
    lines += ["Sentences kept whole (and in part), % of all, by length in words:", ""]
    heads = [f"{least}–{most}" for least, most in LENGTHS[:-1]] + [f"{LENGTHS[-1][0]}+"]
    lines += [f"| source | sentences | all | {' | '.join(heads)} |", "|---" * (3 + len(heads)) + "|"]
    for name, one in found.items():
        total = one.kept.total()
        numbers = range(len(LENGTHS))
        cells = [_shares(one, numbers), *(_shares(one, [number]) for number in numbers)]
        lines.append(f"| {name} | {total:,} | {' | '.join(cells)} |")
    reasons = sum((one.reasons for one in found.values()), Counter[str]())
    lines += ["", "Why sentences are not kept whole:", "", "| reason | sentences |", "|---|---|"]
    lines += [f"| {reason} | {count:,} |" for reason, count in reasons.most_common()]
    lines += ["", "Against `running-text.dev`, checked by hand, and Universal Dependencies' core pairs:", ""]
    lines += ["| source | words right, whole | in part | core pairs, whole |", "|---|---|---|---|"]
    for name, one in found.items():
        if one.checked or one.pairs:
            pairs = _percent(one.pairs["found"], one.pairs["gold"])
            lines.append(f"| {name} | {_right(one, Kept.WHOLE)} | {_right(one, Kept.PART)} | {pairs} |")
    lines += ["", *doubts_table(found)]
    words = sum((one.words for one in found.values()), Counter[str]())
    agreed = sum((one.agreed for one in found.values()), Counter[str]())
    lines += ["", "How often the tagger's best category is the derivation's, by category:", ""]
    lines += ["| category | words | the tagger's best |", "|---|---|---|"]
    lines += [
        f"| `{category}` | {count:,} | {_percent(agreed[category], count)} |"
        for category, count in words.most_common(40)
    ]
    return "\n".join([*lines, f"| all | {words.total():,} | {_percent(agreed.total(), words.total())} |", ""])


def doubts_table(found: dict[str, Figures]) -> Iterator[str]:
    """What other limits of doubt would keep whole, and how much of it is right by the hand-checked set."""
    yield "Sentences kept whole at other limits of doubt, %, and words right in what is hand-checked of it:"
    yield ""
    yield "| limit | " + " | ".join([*found, "words right"]) + " |"
    yield "|---" * (2 + len(found)) + "|"
    for limit in DOUBTS:
        kept = [_percent(one.doubts[limit, "kept"], one.kept.total()) for one in found.values()]
        right = sum(one.doubts[limit, "right"] for one in found.values())
        words = sum(one.doubts[limit, "words"] for one in found.values())
        of_words = f"{_percent(right, words)} of {words:,}" if words else ""
        yield f"| {limit} | " + " | ".join([*kept, of_words]) + " |"


def _shares(figures: Figures, buckets: Iterable[int]) -> str:
    counts = {kept: sum(figures.kept[kept, bucket] for bucket in buckets) for kept in Kept}
    total = sum(counts.values())
    return f"{_percent(counts[Kept.WHOLE], total)} ({_percent(counts[Kept.PART], total)})" if total else ""


def _right(figures: Figures, kept: Kept) -> str:
    right, wrong = figures.checked[kept, True], figures.checked[kept, False]
    return f"{_percent(right, right + wrong)} of {right + wrong:,}" if right + wrong else ""


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f}" if total else ""


def run(
    name: str,
    path: Path,
    work: Path,
    model: str | None,
    jobs: int,
    most: int | None = None,
    precision: Precision = "float32",
) -> None:
    """Make the portions of a source that are not there yet."""
    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    left = (
        (portion, target)
        for number, portion in enumerate(portions(read(path), most))
        if not (target := folder / f"{number:04}.jsonl").exists()
    )
    if jobs == 1:
        for portion, target in left:
            make(portion, model, target, precision)
        return
    under_way: deque[Future[None]] = deque()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for portion, target in left:
            under_way.append(pool.submit(make, portion, model, target, precision))
            while len(under_way) > jobs:
                under_way.popleft().result()
        for portion_made in under_way:
            portion_made.result()


def convert(
    data: Path,
    work: Path,
    model: str | None,
    jobs: int,
    names: Sequence[str],
    most: int | None = None,
    doubt: float = DOUBT,
    precision: Precision = "float32",
) -> None:
    """All portions, files and the report of the sources with these names."""
    found = {}
    for name in names:
        run(name, data / SOURCES[name], work, model, jobs, most, precision)
        found[name] = join(work, name, doubt)
        click.echo(f"{name}: {found[name].kept.total()} sentences")
    (work / "report.md").write_text(report(found), encoding="utf-8")


@click.command()
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--model", help="a model of the package or a folder; by default the package's for English")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option("--most", type=click.IntRange(1), help="sentences of each source; by default all")
@click.option(
    "--doubt",
    type=click.FloatRange(0, MOST_DOUBT),
    default=DOUBT,
    show_default=True,
    help="nats a word that a derivation kept whole may be below the tagger's best (UD: 4/7 of that)",
)
@precision_option
@click.option("--source", "names", type=click.Choice(list(SOURCES)), multiple=True, help="by default all")
def command(
    data: Path,
    work: Path,
    model: str | None,
    jobs: int,
    most: int | None,
    doubt: float,
    precision: Precision,
    names: Sequence[str],
) -> None:
    """Turn ERG derivations and UD trees in --data into CCG derivations in --work."""
    convert(data, work, model, jobs, names or tuple(SOURCES), most, doubt, precision)


if __name__ == "__main__":
    command()
