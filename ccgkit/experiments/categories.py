"""The experiments on kinds of categories: rare ones, long ones, and those outside the tag set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ccgkit.evaluation.tags import TagScores, frequency_bin, length_bin
from ccgkit.grammar import Category
from ccgkit.taggers.config import override
from ccgkit.training.data import count_categories

from . import paper
from .accuracy import SYSTEMS
from .cells import Missing, Predictions
from .comparison import outcomes
from .experiment import Bench, Experiment, tagging
from .laboratory import Task
from .report import Curve, Measured, Plot, Report, Row, Table, Value
from .systems import label, system

__all__ = ["LENGTH", "RARE", "UNSEEN"]

_BINS = ("10-99", "100-399", "400-1999")
_LENGTHS = ("1", "2-3", "4-7", "8-15", "16+")
_RANKS = (1, 2, 4, 8)
_GENERATORS = ("cg", "cgng2", "ct")
_EXAMPLES = 10


def _counts(bench: Bench) -> Counter[Category]:
    return count_categories(bench.lab.library.examples(bench.corpus, "train"))


def _gold(bench: Bench) -> Iterator[Category]:
    for sentence in bench.lab.library.gold(bench.corpus, "dev"):
        yield from sentence


def _rare_report(bench: Bench) -> Report:
    counts = _counts(bench)
    names = [bench.name(system) for system in SYSTEMS]
    found = outcomes(bench.lab, bench.corpus, names, "dev", lambda one: frequency_bin(counts[one]))
    base = found[names[0]]
    rows = [
        Row(
            label(one),
            {column: found[name].accuracy(column, base) for column in _BINS},
            paper.RARE.get(one, {}),
            name,
        )
        for one, name in zip(SYSTEMS, names, strict=True)
    ]
    types = _shares(Counter(frequency_bin(counts[one]) for one in set(_gold(bench))))
    words = _shares(Counter(frequency_bin(counts[one]) for one in _gold(bench)))
    rows += [Row("% of the categories", types, paper.RARE_SHARE), Row("% of the words", words)]
    notes = [
        "Columns: how often a category is in the training data. Ours are of dev, the paper's of test.",
        "The paper's row `rerank` combines CG and CGNG2.",
    ]
    return Report("Infrequent categories", [Table("", _BINS, rows)], notes)


def _shares(counts: Counter[str]) -> dict[str, Value]:
    return {column: 100 * counts[column] / counts.total() for column in _BINS}


def _length_report(bench: Bench) -> Report:
    names = [bench.name(system) for system in SYSTEMS]
    found = outcomes(bench.lab, bench.corpus, names, "dev", length_bin)
    base = found[names[0]]
    rows, curves = [], []
    for one, name in zip(SYSTEMS, names, strict=True):
        ours = {column: found[name].accuracy(column, base) for column in _LENGTHS}
        rows.append(Row(label(one), ours, system=name))
        points = [
            (place, value.mean, value.deviation or 0.0)
            for place, value in enumerate(ours.values())
            if isinstance(value, Measured)
        ]
        if points:
            curves.append(Curve(label(one), points))
    words = Counter(map(length_bin, _gold(bench)))
    rows.append(Row("words", {column: f"{words[column]:,}" for column in _LENGTHS}))
    note = "Length: atoms, slashes and parentheses of a category. The paper shows a figure without numbers."
    plot = Plot("length of the category", "accuracy on dev, %", curves, _LENGTHS) if curves else None
    return Report("Accuracy by the length of the category", [Table("", _LENGTHS, rows)], [note], plot)


def _unseen_report(bench: Bench) -> Report:
    counts, threshold = _counts(bench), _threshold(bench)
    tables = [
        _unseen_table(bench, "Outside the tag set", lambda one: counts[one] < threshold, paper.UNSEEN),
        _unseen_table(bench, "Never seen in training", lambda one: not counts[one], {}),
        _failures(bench, lambda one: counts[one] < threshold),
    ]
    notes = [
        f"The tag set holds the categories seen at least {threshold} times in training.",
        "p@k: per cent of the words whose category is among the k best of a beam of "
        f"{_RANKS[-1]}. A classifier cannot find them. Ours are of dev, the paper's of test.",
    ]
    return Report("Unknown categories", tables, notes)


def _threshold(bench: Bench) -> int:
    """Of the models as they were trained, which may be with other settings than this run's."""
    name, lab = bench.name("cg"), bench.lab
    for seed in lab.seeds:
        lab.obtain(Task(bench.corpus, name, "dev"), seed)
    return override(system(name), lab.changes.get(name, lab.settings.changes)).decoder.threshold


def _unseen_table(
    bench: Bench, title: str, chosen: Callable[[Category], bool], figures: paper.Figures
) -> Table:
    rows, words = [], sum(map(chosen, _gold(bench)))
    for generator in _GENERATORS:
        scores, missing = _scores(bench, bench.name(generator), chosen)
        for features in (True, False):
            ours: dict[str, Value] = {}
            for k in _RANKS:
                values = {seed: one.at(k, features=features).percent for seed, one in scores.items()}
                ours[f"p@{k}"] = (Measured(values) if words else "no such words") if values else missing
            key, text = (
                one if features else f"{one}, without features" for one in (generator, label(generator))
            )
            rows.append(Row(text, ours, figures.get(key, {}), bench.name(generator)))
    return Table(f"{title}: {words:,} words of dev", [f"p@{k}" for k in _RANKS], rows)


def _scores(
    bench: Bench, name: str, chosen: Callable[[Category], bool]
) -> tuple[dict[int, TagScores], Missing]:
    """The scores of each seed on the chosen words of dev."""
    found, missing = {}, Missing()
    gold = bench.lab.library.gold(bench.corpus, "dev")
    for seed in bench.lab.seeds:
        predicted = bench.lab.predictions(Task(bench.corpus, name, "dev"), seed)
        if isinstance(predicted, Missing):
            missing = predicted
            continue
        found[seed] = TagScores()
        for wanted, words in zip(gold, predicted.kbest, strict=True):
            kept = [place for place, category in enumerate(wanted) if chosen(category)]
            found[seed].add(
                [wanted[place] for place in kept],
                [[tag.category for tag in words[place]] for place in kept],
            )
    return found, missing


def _failures(bench: Bench, chosen: Callable[[Category], bool]) -> Table:
    """What CG wrote, first seed, where it was wrong: the commonest of each category."""
    rows: list[Row] = []
    predicted = bench.lab.predictions(Task(bench.corpus, bench.name("cg"), "dev"), 1)
    if isinstance(predicted, Predictions):
        gold = bench.lab.library.gold(bench.corpus, "dev")
        wrong = Counter(
            (wanted, tags[0].category)
            for sentence, words in zip(gold, predicted.kbest, strict=True)
            for wanted, tags in zip(sentence, words, strict=True)
            if chosen(wanted) and tags[0].category is not wanted
        )
        shown: dict[Category, Category] = {}
        for (wanted, given), _ in wrong.most_common():
            shown.setdefault(wanted, given)
        rows = [Row(f"`{a}`", {"Prediction": f"`{b}`"}) for a, b in list(shown.items())[:_EXAMPLES]]
    else:
        rows = [Row("", {"Prediction": predicted})]
    return Table("Failed predictions of CG", ("Prediction",), rows, head="Category")


def _dev(bench: Bench) -> list[Task]:
    return tagging(bench, SYSTEMS, ["dev"])


RARE = Experiment(_dev, _rare_report)
LENGTH = Experiment(_dev, _length_report)
UNSEEN = Experiment(lambda bench: tagging(bench, _GENERATORS, ["dev"]), _unseen_report)
