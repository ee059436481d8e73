"""The experiment on parsing: what dependencies a parser finds with the supertags of each system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import itemgetter

from ccgkit.corpora.scheme import corpus_scheme
from ccgkit.evaluation.dependencies import Counts, Totals
from ccgkit.evaluation.derivations import evaluate_derivations, with_dependencies
from ccgkit.parser_bridge import CandC
from ccgkit.parser_bridge.evaluation import evaluate, scored
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
from .significance import f1_difference

__all__ = ["PARSING"]

_FIGURES = {"F1": "f1", "UF1": "uf1", "Coverage": "coverage"}
_DIFFERENCE = "F1 against CC, 95 %"


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
            found = [result.to_sentence() for result in Parser(scheme).pipe(tagged)]
            links = evaluate_derivations(gold, found, scheme).links
            pairs = zip(gold, found, strict=True)
            each = [evaluate_derivations([one], [other], scheme).links.all.labelled for one, other in pairs]
            return _scores(links.all, links.coverage, each)
        linked = [one if one.dependencies is not None else with_dependencies(one, scheme) for one in gold]
        given = map(_with_own_pos, tagged) if self.own_pos else iter(tagged)
        results = [result.to_sentence() for result in self.candc.pipe(given)]
        scores = evaluate(linked, gold, results)
        each = [
            Counts.of(one.gold, one.test) if one.parsed else Counts() for one in scored(linked, gold, results)
        ]
        return _scores(scores.parsed, scores.coverage, each)


def _scores(totals: Totals, coverage: float, each: Sequence[Counts]) -> Content:
    return {
        "sentences": [[one.correct, one.test, one.gold] for one in each],
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
        f"{_DIFFERENCE}: the difference in F1 to CC with the same encoder, and its 95 % interval by a paired "
        "bootstrap over sentences, all seeds together.",
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
        ours |= _against_cc(setup, way, system)
        rows.append(Row(text, ours, only(paper.PARSING.get(key, {}), _FIGURES), task.system))
    gold = _gold(setup, way)
    rows.append(Row("right categories", {column: float(gold[key]) for column, key in _FIGURES.items()}))
    return Table(way.title, ["F1", _DIFFERENCE, "UF1", "Coverage"], rows)


def _against_cc(setup: Setup, way: _Way, system: str) -> dict[str, Value]:
    """The difference in labelled F1 to CC with the same encoder, and its interval."""
    first = WITH_BERT[0] if system in WITH_BERT else SYSTEMS[0]
    base, mine = (_sentences(setup, _task(setup, way, one)) for one in (first, system))
    seeds = base.keys() & mine.keys()
    if system == first or not seeds:
        return {}
    gain, low, high = f1_difference([base[seed] for seed in seeds], [mine[seed] for seed in seeds])
    return {_DIFFERENCE: f"{gain:+.2f} [{low:+.2f}, {high:+.2f}]"}


def _sentences(setup: Setup, task: Task) -> dict[int, Sequence[Sequence[int]]]:
    """Right, found and gold dependencies of each sentence, by seed; none from before they were kept."""
    contents = {seed: setup.runner.obtain(task, seed) for seed in setup.runner.seeds}
    return {
        seed: content["sentences"]
        for seed, content in contents.items()
        if not isinstance(content, Missing) and "sentences" in content
    }


PARSING = Experiment(_tasks, _report)
