"""The experiment on parsing: what dependencies a parser finds with the supertags of each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import itemgetter

from ccgkit.corpora.scheme import corpus_scheme
from ccgkit.evaluation.dependencies import Totals
from ccgkit.evaluation.derivations import evaluate_derivations, with_dependencies
from ccgkit.parser_bridge import CandC
from ccgkit.parser_bridge.evaluation import evaluate
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag
from ccgkit.text.pos import PosTagger

from . import paper
from .accuracy import SYSTEMS, WITH_BERT
from .cells import Cell, Content, Missing
from .errors import ExperimentError
from .experiment import Bench, Experiment, only
from .laboratory import Laboratory, Task
from .report import Report, Row, Table, Value
from .systems import label

__all__ = ["PARSING"]

_COLUMNS = ("F1", "UF1", "Coverage")
_FIGURES = dict(zip(_COLUMNS, ("f1", "uf1", "coverage"), strict=True))


@dataclass(frozen=True)
class _Way:
    """A parser, and where the POS tags that it reads come from."""

    name: str
    title: str
    candc: CandC | None = None
    own_pos: bool = False  #: tags of a tagger of ours instead of gold ones

    def parse(self, gold: Sequence[Sentence], tagged: Sequence[Sentence]) -> Content:
        """The scores of parsing `tagged`, the sentences of `gold` with other supertags."""
        scheme = corpus_scheme(gold)
        if self.candc is None:
            found = (result.to_sentence() for result in Parser(scheme).pipe(tagged))
            links = evaluate_derivations(gold, found, scheme).links
            return _scores(links.all, links.coverage)
        linked = [one if one.dependencies is not None else with_dependencies(one, scheme) for one in gold]
        given = map(_with_own_pos, tagged) if self.own_pos else iter(tagged)
        results = (result.to_sentence() for result in self.candc.pipe(given))
        scores = evaluate(linked, gold, results)
        return _scores(scores.parsed, scores.coverage)


def _scores(totals: Totals, coverage: float) -> Content:
    return {
        "f1": 100 * totals.labelled.f1,
        "uf1": 100 * totals.unlabelled.f1,
        "coverage": 100 * coverage,
        "categories": 100 * totals.category_accuracy,
    }


def _with_own_pos(sentence: Sentence) -> Sentence:
    tags = _pos_tagger().tag(sentence.words)
    tokens = (replace(token, pos=tag) for token, tag in zip(sentence.tokens, tags, strict=True))
    return replace(sentence, tokens=tuple(tokens))


@cache
def _pos_tagger() -> PosTagger:
    return PosTagger.load()


def _ways(bench: Bench) -> list[_Way]:
    embedded = _Way("parse", "The embedded parser, which reads no POS tags")
    if bench.candc is None:
        return [embedded]
    return [
        embedded,
        _Way("candc", "C&C, automatic POS tags", bench.candc, own_pos=True),
        _Way("candc-gold-pos", "C&C, gold POS tags", bench.candc),
    ]


def _set(bench: Bench) -> str:
    name = bench.corpus.trees("test")
    if name is None:
        raise ExperimentError(f"{bench.corpus.name} has no test set with derivations to compare parses with")
    return name


def _task(bench: Bench, way: _Way, system: str) -> Task:
    return Task(bench.corpus, bench.name(system), _set(bench), way.name, partial(_parsed, way))


def _parsed(way: _Way, lab: Laboratory, task: Task, seed: int) -> Content | Missing:
    found = lab.predictions(Task(task.corpus, task.system, task.name), seed)
    if isinstance(found, Missing):
        return found
    gold = task.corpus.sentences(task.name)
    return way.parse(gold, [_tagged(one, tags) for one, tags in zip(gold, found.kbest, strict=True)])


def _tagged(sentence: Sentence, tags: Sequence[tuple[Supertag, ...]]) -> Sentence:
    return Sentence(sentence.tokens, tuple(tags), id=sentence.id)


def _gold(bench: Bench, way: _Way) -> Content:
    """The scores of the right categories, which no model gives."""
    cell, name = Cell(bench.corpus.name, "gold", 0), _set(bench)
    mark, what = bench.lab.library.mark(bench.corpus, name), f"{way.name}-{name}"
    content = bench.lab.shelf.read(cell, what, None, mark)
    if content is None:
        gold = bench.corpus.sentences(name)
        tags = [tuple((Supertag(category),) for category in one.categories or ()) for one in gold]
        content = way.parse(gold, [_tagged(one, k_best) for one, k_best in zip(gold, tags, strict=True)])
        bench.lab.shelf.write(cell, what, "", mark, content)
    return content


def _tasks(bench: Bench) -> list[Task]:
    ways = _ways(bench)
    return [_task(bench, way, system) for system in (*SYSTEMS, *WITH_BERT) for way in ways]


def _report(bench: Bench) -> Report:
    tables = [_table(bench, way) for way in _ways(bench)]
    notes = [
        "F1: labelled, UF1: unlabelled dependencies, in per cent. The paper's are through C&C.",
        "The embedded parser's are over all sentences, both sides' dependencies read off derivations by the "
        "same rules; C&C's are over the sentences that it parsed, as its own evaluation has it.",
    ]
    if bench.candc is None:
        notes.append("Parsing with C&C: not run, since no jar is named (--cc-jar).")
    sentences = len(bench.lab.library.examples(bench.corpus, _set(bench)))
    notes.append(f"Test sentences with gold derivations: {sentences:,}.")
    return Report("Parsing", tables, notes)


def _table(bench: Bench, way: _Way) -> Table:
    rows = []
    for system in (*SYSTEMS, *WITH_BERT):
        task = _task(bench, way, system)
        ours: dict[str, Value] = {
            column: bench.lab.figures(task, itemgetter(key)) for column, key in _FIGURES.items()
        }
        key = f"{system}, gold POS" if way.name == "candc-gold-pos" else system
        text = f"BERT + {label(system)}" if "bert" in system else label(system)
        rows.append(Row(text, ours, only(paper.PARSING.get(key, {}), _COLUMNS), task.system))
    gold = _gold(bench, way)
    rows.append(Row("right categories", {column: float(gold[key]) for column, key in _FIGURES.items()}))
    return Table(way.title, _COLUMNS, rows)


PARSING = Experiment(_tasks, _report)
