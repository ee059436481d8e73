"""The experiments on accuracy as a whole: main results, oracles, other domains, small corpora."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from . import paper
from .comparison import Outcome, outcomes
from .corpora import CCG_TUT, Corpus, find_corpus
from .errors import ExperimentError
from .experiment import Experiment, Setup, earlier, tagging
from .report import Report, Row, Table, Value
from .results import Missing, Trial
from .runner import Task
from .systems import PAPER, label, parts, scaled

__all__ = ["DOMAIN", "LOW_RESOURCE", "MAIN", "ORACLES", "SPLITS", "SYSTEMS"]

SINGLE = ("cc", "cg", "cgng2", "ct")
RERANKED = ("cg+cc", "cgng2+cc", "cg+cgng2")
SYSTEMS = (*SINGLE, *RERANKED)
CONTROLS = ("cc+cc", "cg+cg")
WITH_BERT = tuple(scaled(system, "bert") for system in SYSTEMS)
_MB = 4 / 2**20  # a weight has four bytes
_ORACLES = {
    "cc": "CC", "cg": "D, AC", "cgpa": "D, PA", "cgng2": "D, NG (n=2)", "cgng3": "D, NG (n=3)",
    "cgng4": "D, NG (n=4)", "cgpa-nd": "ND, PA", "cgor-nd": "ND, OR", "cgng2-nd": "ND, NG (n=2)",
    "cgng3-nd": "ND, NG (n=3)", "cgng4-nd": "ND, NG (n=4)",
}  # fmt: skip
_FROM_PAPER = "The paper's row `rerank` combines CG and CGNG2; it stands beside our `rerank CG + CGNG2`."
_LANGUAGES = ("pmb-it", "pmb-de", "pmb-nl")
SPLITS = {"Dev": "dev", "Test": "test"}  #: as tables have them


def _main_tasks(setup: Setup) -> list[Task]:
    return tagging(setup, (*_in_main(SYSTEMS), *_in_main(WITH_BERT), *_tuned(setup)), SPLITS.values())


def _in_main(systems: Sequence[str]) -> list[str]:
    """The systems, re-ranked ones also with the paper's ν and λ, and without a transformer the controls."""
    found = [one for system in systems for one in ([system, system + PAPER] if "+" in system else [system])]
    return [*found, *CONTROLS] if systems is SYSTEMS else found


def _tuned(setup: Setup) -> list[str]:
    """The systems with a fine-tuned transformer, not in the paper: those that are there or asked for."""
    models, wanted = setup.runner.models, setup.runner.settings.only

    def is_there(part: str) -> bool:
        trials = (Trial(setup.corpus.name, part, seed) for seed in setup.runner.seeds)
        return part in wanted or any(models.folder(trial).exists() for trial in trials)

    tuned = (scaled(system, "bert-tuned") for system in SYSTEMS)
    return [system for system in tuned if all(map(is_there, parts(setup.name(system))))]


def _main_report(setup: Setup) -> Report:
    rows = [*earlier(paper.EARLIER), *_main_rows(setup, _in_main(SYSTEMS)), *earlier(paper.PRETRAINED)]
    rows += [*_main_rows(setup, _in_main(WITH_BERT)), *_main_rows(setup, _tuned(setup))]
    digits = {"Sentences/s": 0}
    columns = ("Dev", "Test", "ν", "λ", "Size, MB", "Sentences/s")
    tables = [Table("", columns, rows, digits=digits), _control_table(setup)]
    notes = [
        _FROM_PAPER,
        "Systems with a year, and the row C&C, are those of others that the paper compares with.",
        "The paper's figures beside those with a transformer are with BERT.",
        "ν and λ are tuned on dev for each seed unless the row says otherwise, so tuned systems are tested "
        "for significance on test only.",
        "`rerank CC + CC` and `rerank CG + CG` are controls, two seeds of one system: they show what having "
        "two models gains by itself. The second table tests the other pairs against it.",
        "Size counts the trained weights and the pretrained word vectors, four bytes each, but not a frozen "
        "transformer.",
        "Sentences/s are of tagging dev once when the model was measured, one category a word; "
        "the experiment `speed` measures with more care.",
    ]
    return Report("Supertagging: main results", tables, notes)


def _control_table(setup: Setup) -> Table:
    """Re-ranked pairs of different systems against two seeds of the classifier, on test."""
    names = {system: setup.name(system) for system in (CONTROLS[0], *RERANKED)}
    found = outcomes(setup.runner, setup.corpus, list(names.values()), "test")
    control = found[names[CONTROLS[0]]]
    rows = [Row(label(CONTROLS[0]), {"Test": control.accuracy()}, system=names[CONTROLS[0]])]
    for system in RERANKED:
        one = found[names[system]]
        ours = {"Test": one.accuracy(base=control), "Difference": one.difference(control)}
        rows.append(Row(label(system), ours, system=names[system]))
    return Table("Pairs of different systems against two classifiers", ("Test", "Difference"), rows)


def _main_rows(setup: Setup, systems: Sequence[str]) -> list[Row]:
    names = [setup.name(system) for system in systems]
    if not names:
        return []
    dev, test = (outcomes(setup.runner, setup.corpus, names, split) for split in ("dev", "test"))
    sentences = len(setup.runner.corpora.examples(setup.corpus, "dev"))
    rows = []
    for system, name in zip(systems, names, strict=True):
        ours = {
            "Dev": dev[name].accuracy(base=dev[names[0]]),
            "Test": test[name].accuracy(base=test[names[0]]),
            **_weights(dev[name], name),
            "Size, MB": dev[name].fact(lambda facts: facts["weights"] * _MB),
            "Sentences/s": dev[name].fact(lambda facts: sentences / facts["seconds"], digits=0),
        }
        figures = paper.MAIN.get(system.removesuffix(PAPER), {})
        rows.append(Row(setup.label(system), ours, figures, name))
    return rows


def _weights(outcome: Outcome, system: str) -> dict[str, Value]:
    """The ν and λ of a re-ranked system."""
    if len(parts(system)) == 1:
        return {}
    return {"ν": outcome.fact(itemgetter("nu")), "λ": outcome.fact(itemgetter("lambda"))}


def _oracle_report(setup: Setup) -> Report:
    names = {system: setup.name(system) for system in _ORACLES}
    rows = _rows(setup, setup.corpus, names, paper.ORACLES, _ORACLES.__getitem__)
    note = (
        "D: deterministic, longest match; ND: non-deterministic, sampled at each occurrence. PA and NG have "
        "k = 10."
    )
    return Report("Oracles of the tag-wise generator", [Table("", list(SPLITS), rows, head="Oracle")], [note])


def _rows(
    setup: Setup,
    corpus: Corpus,
    names: Mapping[str, str],
    figures: paper.Figures,
    text: Callable[[str], str] = label,
) -> list[Row]:
    """Dev and test of systems by their names at the scale of the run, compared with the first."""
    found = {
        column: outcomes(setup.runner, corpus, list(names.values()), split)
        for column, split in SPLITS.items()
    }
    first, *_ = names.values()
    return [
        Row(
            text(system),
            {column: one[name].accuracy(base=one[first]) for column, one in found.items()},
            figures.get(system, {}),
            name,
        )
        for system, name in names.items()
    ]


def _domain_tasks(setup: Setup) -> list[Task]:
    if not setup.corpus.domains:
        raise ExperimentError(
            f"{setup.corpus.name} has no out-of-domain set. pmb-en has one, pmb4/en.ood_questions.stagged; "
            "for CCGbank, put files of tagged sentences (such as wiki.stagged and genia.stagged) into its "
            "folder `domain`"
        )
    return tagging(setup, SYSTEMS, setup.corpus.domains.values())


def _domain_report(setup: Setup) -> Report:
    domains = setup.corpus.domains
    names = [setup.name(system) for system in SYSTEMS]
    found = {shown: outcomes(setup.runner, setup.corpus, names, name) for shown, name in domains.items()}
    absent = [name for name in paper.DOMAIN["cc"] if name not in domains]
    rows = []
    for system, name in zip(SYSTEMS, names, strict=True):
        ours: dict[str, Value] = {
            shown: found[shown][name].accuracy(base=found[shown][names[0]]) for shown in domains
        }
        ours |= dict.fromkeys(absent, Missing(f"{setup.corpus.name} has no texts {' and '.join(absent)}"))
        rows.append(Row(label(system), ours, paper.DOMAIN.get(system, {}), name))
    return Report("Out-of-domain texts", [Table("", [*domains, *absent], rows)], [_FROM_PAPER])


def _small_corpora(setup: Setup) -> list[Corpus]:
    """The corpora of few sentences beside the open one; a corpus that was asked for stands alone."""
    if setup.corpus.name != "pmb-en":
        return [setup.corpus]
    return [find_corpus(setup.data, name) for name in _LANGUAGES]


def _low_name(setup: Setup) -> Callable[[str], str]:
    suffix = "small" if setup.runner.settings.small else "low"
    return lambda system: scaled(system, suffix)


def _low_tasks(setup: Setup) -> list[Task]:
    name = _low_name(setup)
    return [
        Task(corpus, name(system), split)
        for corpus in _small_corpora(setup)
        for system in SYSTEMS
        for split in SPLITS.values()
    ]


def _low_report(setup: Setup) -> Report:
    name, tables = _low_name(setup), []
    for corpus in _small_corpora(setup):
        figures = paper.LOW_RESOURCE if corpus.name in ("pmb-it", CCG_TUT) else {}
        rows = _rows(setup, corpus, {system: name(system) for system in SYSTEMS}, figures)
        size = len(setup.runner.corpora.examples(corpus, "train"))
        tables.append(Table(f"{corpus.title}: {size:,} training sentences", list(SPLITS), rows))
    is_papers = setup.corpus.name == CCG_TUT
    note = "The paper's Italian is the news part of CCG-TUT, 740 sentences in all."
    titles = "; ".join(corpus.title for corpus in _small_corpora(setup))
    return Report("Languages of few resources", tables, [note, _FROM_PAPER], None, titles, is_papers)


MAIN = Experiment(_main_tasks, _main_report)
ORACLES = Experiment(lambda setup: tagging(setup, _ORACLES, SPLITS.values()), _oracle_report)
DOMAIN = Experiment(_domain_tasks, _domain_report)
LOW_RESOURCE = Experiment(_low_tasks, _low_report)
