"""The experiments on accuracy as a whole: main results, oracles, other domains, small corpora."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from . import paper
from .cells import Cell, Missing
from .comparison import outcomes
from .corpora import Corpus, find_corpus
from .errors import ExperimentError
from .experiment import Bench, Experiment, tagging
from .laboratory import Task
from .report import Report, Row, Table, Value
from .systems import label, parts, scaled

__all__ = ["DOMAIN", "LOW_RESOURCE", "MAIN", "ORACLES", "SPLITS", "SYSTEMS"]

SINGLE = ("cc", "cg", "cgng2", "ct")
RERANKED = ("cg+cc", "cgng2+cc", "cg+cgng2")
SYSTEMS = (*SINGLE, *RERANKED)
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


def _main_tasks(bench: Bench) -> list[Task]:
    return tagging(bench, (*SYSTEMS, *WITH_BERT, *_tuned(bench)), SPLITS.values())


def _tuned(bench: Bench) -> list[str]:
    """The systems with a fine-tuned transformer, not in the paper: those that are there or asked for."""
    models, wanted = bench.lab.models, bench.lab.settings.only

    def is_there(part: str) -> bool:
        cells = (Cell(bench.corpus.name, part, seed) for seed in bench.lab.seeds)
        return part in wanted or any(models.folder(cell).exists() for cell in cells)

    tuned = (scaled(system, "bert-tuned") for system in SYSTEMS)
    return [system for system in tuned if all(map(is_there, parts(bench.name(system))))]


def _main_report(bench: Bench) -> Report:
    rows = [*_main_rows(bench, SYSTEMS, ""), *_main_rows(bench, WITH_BERT, "BERT + ")]
    rows += _main_rows(bench, _tuned(bench), "fine-tuned BERT + ")
    digits = {"Sentences/s": 0}
    table = Table("", ("Dev", "Test", "Size, MB", "Sentences/s"), rows, digits=digits)
    notes = [
        _FROM_PAPER,
        "Size is that of the trained weights, four bytes each; a frozen transformer's are not counted.",
        "Sentences/s are of tagging dev once when the model was measured, one category a word; "
        "the experiment `speed` measures with more care.",
    ]
    return Report("Supertagging: main results", [table], notes)


def _main_rows(bench: Bench, systems: Sequence[str], prefix: str) -> list[Row]:
    names = [bench.name(system) for system in systems]
    if not names:
        return []
    dev, test = (outcomes(bench.lab, bench.corpus, names, split) for split in ("dev", "test"))
    sentences = len(bench.lab.library.examples(bench.corpus, "dev"))
    rows = []
    for system, name in zip(systems, names, strict=True):
        ours = {
            "Dev": dev[name].accuracy(base=dev[names[0]]),
            "Test": test[name].accuracy(base=test[names[0]]),
            "Size, MB": dev[name].fact(lambda facts: facts["parameters"] * _MB),
            "Sentences/s": dev[name].fact(lambda facts: sentences / facts["seconds"], digits=0),
        }
        rows.append(Row(prefix + label(system), ours, paper.MAIN.get(system, {}), name))
    return rows


def _oracle_report(bench: Bench) -> Report:
    names = {system: bench.name(system) for system in _ORACLES}
    rows = _rows(bench, bench.corpus, names, paper.ORACLES, _ORACLES.__getitem__)
    note = (
        "D: deterministic, longest match; ND: non-deterministic, sampled every epoch. PA and NG have k = 10."
    )
    return Report("Oracles of the tag-wise generator", [Table("", list(SPLITS), rows, head="Oracle")], [note])


def _rows(
    bench: Bench,
    corpus: Corpus,
    names: Mapping[str, str],
    figures: paper.Figures,
    text: Callable[[str], str] = label,
) -> list[Row]:
    """Dev and test of systems by their names at the scale of the run, compared with the first."""
    found = {
        column: outcomes(bench.lab, corpus, list(names.values()), split) for column, split in SPLITS.items()
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


def _domain_tasks(bench: Bench) -> list[Task]:
    if not bench.corpus.domains:
        raise ExperimentError(
            f"{bench.corpus.name} has no out-of-domain set: that is pmb4/en.ood_questions.stagged among the "
            "open corpora, and any file of a folder `domain` in CCGbank's"
        )
    return tagging(bench, SYSTEMS, bench.corpus.domains.values())


def _domain_report(bench: Bench) -> Report:
    domains = bench.corpus.domains
    names = [bench.name(system) for system in SYSTEMS]
    found = {shown: outcomes(bench.lab, bench.corpus, names, name) for shown, name in domains.items()}
    absent = [name for name in paper.DOMAIN["cc"] if name not in domains]
    rows = []
    for system, name in zip(SYSTEMS, names, strict=True):
        ours: dict[str, Value] = {
            shown: found[shown][name].accuracy(base=found[shown][names[0]]) for shown in domains
        }
        ours |= dict.fromkeys(absent, Missing(f"{bench.corpus.name} has no texts {' and '.join(absent)}"))
        rows.append(Row(label(system), ours, paper.DOMAIN.get(system, {}), name))
    return Report("Out-of-domain texts", [Table("", [*domains, *absent], rows)], [_FROM_PAPER])


def _small_corpora(bench: Bench) -> list[Corpus]:
    """The corpora of few sentences beside the open one; a corpus that was asked for stands alone."""
    if bench.corpus.name != "pmb-en":
        return [bench.corpus]
    return [find_corpus(bench.data, name) for name in _LANGUAGES]


def _low_name(bench: Bench) -> Callable[[str], str]:
    suffix = "small" if bench.lab.settings.small else "low"
    return lambda system: scaled(system, suffix)


def _low_tasks(bench: Bench) -> list[Task]:
    name = _low_name(bench)
    return [
        Task(corpus, name(system), split)
        for corpus in _small_corpora(bench)
        for system in SYSTEMS
        for split in SPLITS.values()
    ]


def _low_report(bench: Bench) -> Report:
    name, tables = _low_name(bench), []
    for corpus in _small_corpora(bench):
        figures = paper.LOW_RESOURCE if corpus.name == "pmb-it" else {}
        rows = _rows(bench, corpus, {system: name(system) for system in SYSTEMS}, figures)
        size = len(bench.lab.library.examples(corpus, "train"))
        tables.append(Table(f"{corpus.title}: {size:,} training sentences", list(SPLITS), rows))
    note = "The paper's Italian is the news part of the Italian CCGbank, 740 sentences in all."
    titles = "; ".join(corpus.title for corpus in _small_corpora(bench))
    return Report("Languages of few resources", tables, [note, _FROM_PAPER], corpus=titles)


MAIN = Experiment(_main_tasks, _main_report)
ORACLES = Experiment(lambda bench: tagging(bench, _ORACLES, SPLITS.values()), _oracle_report)
DOMAIN = Experiment(_domain_tasks, _domain_report)
LOW_RESOURCE = Experiment(_low_tasks, _low_report)
