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
from .errors import ExperimentError
from .experiment import Experiment, Setup, earlier, only
from .report import Report, Row, Table, Value
from .results import Content, Missing, Trial
from .runner import Runner, Task

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


def _ways(setup: Setup) -> list[_Way]:
    embedded = _Way("parse", "The embedded parser, which reads no POS tags")
    if setup.candc is None:
        return [embedded]
    return [
        embedded,
        _Way("candc", "C&C, automatic POS tags", setup.candc, own_pos=True),
        _Way("candc-gold-pos", "C&C, gold POS tags", setup.candc),
    ]


def _set(setup: Setup) -> str:
    name = setup.corpus.trees("test")
    if name is None:
        raise ExperimentError(f"{setup.corpus.name} has no test set with derivations to compare parses with")
    return name


def _task(setup: Setup, way: _Way, system: str) -> Task:
    return Task(setup.corpus, setup.name(system), _set(setup), way.name, partial(_parsed, way))


def _parsed(way: _Way, runner: Runner, task: Task, seed: int) -> Content | Missing:
    found = runner.predictions(Task(task.corpus, task.system, task.name), seed)
    if isinstance(found, Missing):
        return found
    gold = task.corpus.sentences(task.name)
    return way.parse(gold, [_tagged(one, tags) for one, tags in zip(gold, found.kbest, strict=True)])


def _tagged(sentence: Sentence, tags: Sequence[tuple[Supertag, ...]]) -> Sentence:
    return Sentence(sentence.tokens, tuple(tags), id=sentence.id)


def _gold(setup: Setup, way: _Way) -> Content:
    """The scores of the right categories, which no model gives."""
    trial, name = Trial(setup.corpus.name, "gold", 0), _set(setup)
    digest, what = setup.runner.corpora.digest(setup.corpus, name), f"{way.name}-{name}"
    content = setup.runner.store.read(trial, what, None, digest)
    if content is None:
        gold = setup.corpus.sentences(name)
        tags = [tuple((Supertag(category),) for category in one.categories or ()) for one in gold]
        content = way.parse(gold, [_tagged(one, k_best) for one, k_best in zip(gold, tags, strict=True)])
        setup.runner.store.write(trial, what, "", digest, content)
    return content


def _tasks(setup: Setup) -> list[Task]:
    ways = _ways(setup)
    return [_task(setup, way, system) for system in (*SYSTEMS, *WITH_BERT) for way in ways]


def _report(setup: Setup) -> Report:
    tables = [_table(setup, way) for way in _ways(setup)]
    notes = [
        "F1: labelled, UF1: unlabelled dependencies, in per cent. The paper's are through C&C.",
        "Systems with a year, and the row C&C, are those of others that the paper compares with.",
        "The embedded parser's are over all sentences, both sides' dependencies read off derivations by the "
        "same rules; C&C's are over the sentences that it parsed, as its own evaluation has it.",
    ]
    if setup.candc is None:
        notes.append("Parsing with C&C: not run, since no jar is named (--cc-jar).")
    sentences = len(setup.runner.corpora.examples(setup.corpus, _set(setup)))
    notes.append(f"Test sentences with gold derivations: {sentences:,}.")
    return Report("Parsing", tables, notes)


def _table(setup: Setup, way: _Way) -> Table:
    gold_pos = way.name == "candc-gold-pos"
    rows = earlier(paper.EARLIER_GOLD_POS if gold_pos else paper.EARLIER_PARSERS)
    for system in (*SYSTEMS, *WITH_BERT):
        task = _task(setup, way, system)
        ours: dict[str, Value] = {
            column: setup.runner.figures(task, itemgetter(key)) for column, key in _FIGURES.items()
        }
        key = f"{system}, gold POS" if gold_pos else system
        text = setup.label(system)
        rows.append(Row(text, ours, only(paper.PARSING.get(key, {}), _COLUMNS), task.system))
    gold = _gold(setup, way)
    rows.append(Row("right categories", {column: float(gold[key]) for column, key in _FIGURES.items()}))
    return Table(way.title, _COLUMNS, rows)


PARSING = Experiment(_tasks, _report)
