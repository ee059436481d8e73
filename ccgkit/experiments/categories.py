"""The experiments on kinds of categories: rare ones, long ones, and those outside the tag set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from ccgkit.evaluation.tags import TagScores, frequency_bin, length_bin
from ccgkit.grammar import Category
from ccgkit.taggers.config import override
from ccgkit.training.data import count_categories

from . import paper
from .accuracy import SPLITS, SYSTEMS, WITH_BERT
from .comparison import outcomes
from .experiment import Experiment, Setup, tagging
from .report import Curve, Measured, Plot, Report, Row, Table, Value
from .results import Missing, Predictions
from .runner import Task
from .systems import label, system

__all__ = ["LENGTH", "RARE", "UNSEEN"]

_BINS = ("10-99", "100-399", "400-1999")
_LENGTHS = ("1", "2-3", "4-7", "8-15", "16+")
_RANKS = (1, 2, 4, 8)
_GENERATORS = ("cg", "cgng2", "ct")
_EXAMPLES = 10


def _counts(setup: Setup) -> Counter[Category]:
    return count_categories(setup.runner.corpora.examples(setup.corpus, "train"))


def _gold(setup: Setup, split: str) -> Iterator[Category]:
    for sentence in setup.runner.corpora.gold(setup.corpus, split):
        yield from sentence


def _rare_report(setup: Setup) -> Report:
    notes = [
        "Columns: how often a category is in the training data. The paper's figures are of test.",
        "The paper's row `rerank` combines CG and CGNG2; it has no rows with BERT here.",
    ]
    return Report("Infrequent categories", [_rare_table(setup, *one) for one in SPLITS.items()], notes)


def _rare_table(setup: Setup, title: str, split: str) -> Table:
    counts, of_test = _counts(setup), split == "test"
    rows = []
    for systems in (SYSTEMS, WITH_BERT):
        names = [setup.name(system) for system in systems]
        found = outcomes(setup.runner, setup.corpus, names, split, lambda one: frequency_bin(counts[one]))
        for one, name in zip(systems, names, strict=True):
            ours = {column: found[name].accuracy(column, found[names[0]]) for column in _BINS}
            rows.append(Row(setup.label(one), ours, paper.RARE.get(one, {}) if of_test else {}, name))
    types = _shares(Counter(frequency_bin(counts[one]) for one in set(_gold(setup, split))))
    words = _shares(Counter(frequency_bin(counts[one]) for one in _gold(setup, split)))
    shares = paper.RARE_SHARE if of_test else {}
    rows += [Row("% of the categories", types, shares), Row("% of the words", words)]
    return Table(title, _BINS, rows)


def _shares(counts: Counter[str]) -> dict[str, Value]:
    return {column: 100 * counts[column] / counts.total() for column in _BINS}


def _length_report(setup: Setup) -> Report:
    tables = [_length_table(setup, *one) for one in SPLITS.items()]
    curves = [curve for row in tables[-1].rows if (curve := _length_curve(row)).points]
    note = "Length: atoms, slashes and parentheses of a category. The paper shows a figure without numbers."
    plot = Plot("length of the category", "accuracy on test, %", curves, _LENGTHS) if curves else None
    return Report("Accuracy by the length of the category", tables, [note], plot)


def _length_table(setup: Setup, title: str, split: str) -> Table:
    names = [setup.name(system) for system in SYSTEMS]
    found = outcomes(setup.runner, setup.corpus, names, split, length_bin)
    base = found[names[0]]
    rows = [
        Row(label(one), {column: found[name].accuracy(column, base) for column in _LENGTHS}, system=name)
        for one, name in zip(SYSTEMS, names, strict=True)
    ]
    words = Counter(map(length_bin, _gold(setup, split)))
    rows.append(Row("words", {column: f"{words[column]:,}" for column in _LENGTHS}))
    return Table(title, _LENGTHS, rows)


def _length_curve(row: Row) -> Curve:
    points = [
        (place, value.mean, value.deviation or 0.0)
        for place, value in enumerate(row.ours.values())
        if isinstance(value, Measured)
    ]
    return Curve(row.label, points)


def _unseen_report(setup: Setup) -> Report:
    counts, threshold = _counts(setup), _threshold(setup)

    def is_outside(category: Category) -> bool:
        return counts[category] < threshold

    tables = [
        _unseen_table(setup, "Outside the tag set", "dev", is_outside, {}),
        _unseen_table(setup, "Outside the tag set", "test", is_outside, paper.UNSEEN),
        *(
            _unseen_table(setup, "Never seen in training", split, lambda one: not counts[one], {})
            for split in SPLITS.values()
        ),
        _failures(setup, is_outside),
    ]
    notes = [
        f"The tag set holds the categories seen at least {threshold} times in training.",
        "p@k: per cent of the words whose category is among the k best of a beam of "
        f"{_RANKS[-1]}. A classifier cannot find them. The paper's figures are of test.",
    ]
    return Report("Unknown categories", tables, notes)


def _threshold(setup: Setup) -> int:
    """Of the models as they were trained, which may be with other settings than this run's."""
    name, runner = setup.name("cg"), setup.runner
    for seed in runner.seeds:
        runner.obtain(Task(setup.corpus, name, "dev"), seed)
    return override(system(name), runner.changes.get(name, runner.settings.changes)).threshold


def _unseen_table(
    setup: Setup, title: str, split: str, chosen: Callable[[Category], bool], figures: paper.Figures
) -> Table:
    rows, words = [], sum(map(chosen, _gold(setup, split)))
    for generator in _GENERATORS:
        scores, missing = _scores(setup, setup.name(generator), split, chosen)
        for features in (True, False):
            ours: dict[str, Value] = {}
            for k in _RANKS:
                values = {seed: one.at(k, features=features).percent for seed, one in scores.items()}
                ours[f"p@{k}"] = (Measured(values) if words else "no such words") if values else missing
            key, text = (
                one if features else f"{one}, without features" for one in (generator, label(generator))
            )
            rows.append(Row(text, ours, figures.get(key, {}), setup.name(generator)))
    return Table(f"{title}: {words:,} words of {split}", [f"p@{k}" for k in _RANKS], rows)


def _scores(
    setup: Setup, name: str, split: str, chosen: Callable[[Category], bool]
) -> tuple[dict[int, TagScores], Missing]:
    """The scores of each seed on the chosen words of a set."""
    found, missing = {}, Missing()
    gold = setup.runner.corpora.gold(setup.corpus, split)
    for seed in setup.runner.seeds:
        predicted = setup.runner.predictions(Task(setup.corpus, name, split), seed)
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


def _failures(setup: Setup, chosen: Callable[[Category], bool]) -> Table:
    """What CG wrote, first seed, where it was wrong on dev: the commonest of each category."""
    rows: list[Row] = []
    predicted = setup.runner.predictions(Task(setup.corpus, setup.name("cg"), "dev"), 1)
    if isinstance(predicted, Predictions):
        gold = setup.runner.corpora.gold(setup.corpus, "dev")
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
    return Table("Failed predictions of CG on dev", ("Prediction",), rows, head="Category")


def _tasks(setup: Setup) -> list[Task]:
    return tagging(setup, SYSTEMS, SPLITS.values())


RARE = Experiment(lambda setup: tagging(setup, (*SYSTEMS, *WITH_BERT), SPLITS.values()), _rare_report)
LENGTH = Experiment(_tasks, _length_report)
UNSEEN = Experiment(lambda setup: tagging(setup, _GENERATORS, SPLITS.values()), _unseen_report)
