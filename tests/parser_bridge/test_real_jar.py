"""The bridge with a real C&C, where one is named by CCGKIT_CC_JAR and CCGKIT_CC_HOME."""

import os
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from bridge_sentences import sentence
from click.testing import CliRunner

from ccgkit.cli.doctor import command
from ccgkit.corpora import load, loads
from ccgkit.parser_bridge import CandC, Limits
from ccgkit.parser_bridge.export import build_grammar, write_grammar, write_model
from ccgkit.parser_bridge.options import Options
from ccgkit.sentence import Supertag

EXAMPLE = r"""Mary|NNP|N wants|VBZ|(S[dcl]\NP)/(S[to]\NP) to|TO|(S[to]\NP)/(S[b]\NP) sing|VB|S[b]\NP .|.|.
birds|NNS|N and|CC|conj bees|NNS|N which|WDT|(NP\NP)/(S[dcl]/NP) we|PRP|NP like|VBP|(S[dcl]\NP)/NP
the|DT|NP/N the|DT|NP/N the|DT|NP/N
What|WP|S[wq]/(S[q]/NP) do|VBP|(S[q]/(S[b]\NP))/NP you|PRP|NP want|VB|(S[b]\NP)/(S[to]\NP) to|TO|(S[to]\NP)/(S[b]\NP) eat|VB|(S[b]\NP)/NP ?|.|.
They|PRP|NP pick|VBP|((S[dcl]\NP)/NP)/PR up|RP|PR birds|NNS|N .|.|.
"""  # noqa: E501


@pytest.fixture(scope="module")
def installation(real_candc, tmp_path_factory):
    """The jar with a grammar and a model of our own making: for the example, and `pmb5` if at hand."""
    folder = tmp_path_factory.mktemp("home of a grammar")
    sentences = list(loads(EXAMPLE, "stagged"))
    if "CCGKIT_DATA" in os.environ:
        sentences += load(Path(os.environ["CCGKIT_DATA"]) / "pmb5" / "en.train.auto", None, "skip")
        sentences += load(Path(os.environ["CCGKIT_DATA"]) / "pmb5" / "en.dev.auto", None, "skip")
    write_grammar(build_grammar(sentences), folder / "grammar")
    write_model(folder)
    return Options.gather({"home": str(folder)}, real_candc).installation()


def links(result):
    words = result.sentence.words
    return {(words[link.head], link.slot, words[link.argument]) for link in result.dependencies}


def test_the_home_that_is_named_is_complete(real_candc):
    with CandC(Options.gather({}, real_candc).installation()) as parser:
        assert parser.parse(sentence("dogs")).status.value == "parsed"


def test_our_grammar_gives_the_dependencies_it_should(installation):
    with CandC(installation) as parser:
        control, relative, nonsense, question, particle = parser.pipe(loads(EXAMPLE, "stagged"))
    assert links(control) == {
        ("wants", 1, "Mary"), ("wants", 2, "to"), ("to", 1, "Mary"), ("to", 2, "sing"), ("sing", 1, "Mary"),
    }  # fmt: skip
    assert {("like", 1, "we"), ("like", 2, "bees"), ("which", 2, "like")} <= links(relative)
    assert {("eat", 2, "What"), ("want", 2, "to")} <= links(question) and ("want", 2, "What") not in links(
        question
    )
    assert links(particle) == {("pick", 1, "They"), ("pick", 2, "birds"), ("pick", 3, "up")}
    assert [str(category) for category in particle.sentence.categories][1:3] == [r"((S[dcl]\NP)/NP)/PR", "PR"]
    assert nonsense.status.value == "failed" and nonsense.reason == "no category spans the sentence"


CHANGED = r"""ID=1
(<T S 1 2> (<L NP _ _ They NP>) (<T S\NP 0 2> (<L S\NP _ _ left S\NP>) (<T (S\NP)\(S\NP) 0 1> (<L NP _ _ Monday NP>) ) ) )
"""  # noqa: E501


def test_noun_phrases_become_modifiers_where_trees_have_them_so(real_candc, tmp_path):
    trees = list(loads(CHANGED * 10, "auto"))
    write_grammar(build_grammar(trees), tmp_path / "grammar")
    write_model(tmp_path)
    with CandC(Options.gather({"home": str(tmp_path)}, real_candc).installation()) as parser:
        (result,) = parser.pipe(map(single_best, trees[:1]))
    assert links(result) == {("left", 1, "They")}


OLD = "old|JJ|N/N men|NNS|N and|CC|conj women|NNS|N\n"


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        *(("q", "women"), ("s", "NNP"), ("t", "old women"), ("u", "JJ women"), ("v", "old NNP")),
        *(("w", "JJ NNP"), ("F", "women 2"), ("G", "women 0"), ("H", "women 0")),
    ],
)
@pytest.mark.parametrize("weight", [5, -5])
def test_the_weights_of_a_cpp_model_decide(real_candc, tmp_path, kind, word, weight):
    """A weight on *old*, as it meets *women*, says whether these are old, too."""
    (given,) = loads(OLD.replace("women|NNS", "women|NNP"), "stagged")
    write_grammar(build_grammar([given]), tmp_path / "cats")
    (tmp_path / "lexicon").write_text("# x\n\nold 1\nJJ 1\nwomen 1\nNNP 1\n")
    (tmp_path / "features").write_text(f"# x\n\n1 c S[dcl]\n1 {kind} (N/N) N N {word}\n")
    (tmp_path / "weights").write_text(f"1.0\n{weight}\n")
    with CandC(Options.gather({"home": str(tmp_path)}, real_candc).installation()) as parser:
        (result,) = parser.pipe([given])
    assert (("old", 1, "women") in links(result)) is (weight > 0)


SING = "dogs|NNS|N sing|VBP|S[dcl]\\NP\ndogs|NNS|NP sing|VBP|S[q]\\NP\n"
DOGS = "old|JJ|N/N dogs|NNS|N\nold|JJ|NP/N dogs|NNS|N\n"


@pytest.mark.parametrize(
    ("text", "place", "feature"),
    [
        *((SING, 0, feature) for feature in ("a N dogs", "b N NNS", "m N NP NP", "p N NP NP dogs")),
        *((SING, 1, feature) for feature in ("c S[dcl]", "d S[dcl] sing", "e S[dcl] VBP")),
        *((SING, 0, "r N NP NP NNS"), (DOGS, 0, "n (N/N) N N")),
    ],
)
@pytest.mark.parametrize("weight", [5, -5])
def test_the_weights_of_a_cpp_model_choose_between_categories(
    real_candc, tmp_path, text, place, feature, weight
):
    """Each word has two that are as probable; the first is chosen where its feature has the better weight."""
    one, other = loads(text, "stagged")
    write_grammar(build_grammar([one, other]), tmp_path / "cats")
    (tmp_path / "lexicon").write_text("# x\n\ndogs 1\nsing 1\nNNS 1\nVBP 1\n")
    (tmp_path / "features").write_text(f"# x\n\n1 c S[wq]\n1 {feature}\n")
    (tmp_path / "weights").write_text(f"1.0\n{weight}\n")
    pairs = zip(one.categories, other.categories, strict=True)
    given = replace(one, tags=tuple((Supertag(first), Supertag(second)) for first, second in pairs))
    with CandC(Options.gather({"home": str(tmp_path)}, real_candc).installation()) as parser:
        (result,) = parser.pipe([given])
    chosen = one if weight > 0 else other
    assert result.sentence.categories[place] is chosen.categories[place]


@pytest.mark.parametrize(("rules", "well"), [(r"NP (S[dcl]\NP)", True), ("(N/N) N", False)])
def test_the_doctor_parses_a_sentence(installation, tmp_path, monkeypatch, rules, well):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    grammar = shutil.copytree(installation.grammar, tmp_path / "grammar")
    (grammar / "all_rule_instances").write_text(f"# x\n\n{rules}\n")
    parts = {"jar": installation.jar, "home": installation.home, "grammar": grammar}
    classpath = os.pathsep.join(map(str, installation.classpath))
    options = [f"--cc-{name}={part}" for name, part in {**parts, "classpath": classpath}.items()]
    found = CliRunner().invoke(command, options)
    assert found.exit_code == (0 if well else 1), found.output
    said = "parses 'birds sing'" if well else "does not parse 'birds sing': no category spans"
    assert said in found.output


def test_limits_and_odd_words_reach_the_real_parser(installation):
    with CandC(installation, Limits(max_words=2)) as parser:
        long, odd = parser.pipe([sentence("a b c"), sentence("Zoë|x_1")])
    assert "--max-words" in long.reason
    assert odd.sentence.words == ("Zoë|x_1",) and odd.status.value == "parsed"


def test_processes_that_are_killed_cost_nothing(installation):
    texts = [f"word{number}" for number in range(300)]

    def given():
        for number, text in enumerate(texts):
            if number in (100, 200):
                kill_java()
            yield sentence(text)

    with CandC(installation) as parser:
        results = list(parser.pipe(given()))
    assert [result.sentence.words for result in results] == [(text,) for text in texts]
    assert {result.status.value for result in results} == {"parsed"}


def kill_java(*_):
    for process in java_children():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def java_children():
    found = [
        int(pid) for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()
    ]
    return [pid for pid in found if b"--grammarDir" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def truncate_answers(folder, random):
    for path in folder.glob("run-*/output.deps"):
        os.truncate(path, random.randrange(path.stat().st_size + 1))


def spoil_log(folder, random):
    nonsense = b"\0\xff\nParsing sentence 7\nParsing sentence 99999\nNo root category.\nx"
    for path in folder.glob("run-*/log"):
        with path.open("ab") as log:
            log.write(nonsense * random.randrange(1, 5))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_done_to_its_processes_and_files_each_sentence_has_its_result(
    installation, tmp_path, seed
):
    """Killed while it loads or parses, its answers cut off, nonsense in its log: three times a run."""
    random = Random(seed)
    harm = {random.randrange(200): random.choice([kill_java, truncate_answers, spoil_log]) for _ in range(3)}
    texts = [f"word{number}" if number % 9 else f"word{number} the the" for number in range(200)]

    def given():
        for number, text in enumerate(texts):
            if number in harm:
                time.sleep(random.random())  # somewhere between its start and the sentence before
                harm[number](tmp_path, random)
            yield sentence(text, *([("NP/N", -0.1)] if " " in text else []))

    with CandC(installation, Limits(timeout=60), keep=tmp_path) as parser:
        results = list(parser.pipe(given()))
    assert [" ".join(result.sentence.words) for result in results] == texts, f"seed {seed}"
    others = [result.reason for number, result in enumerate(results) if number % 9 and result.reason]
    assert others == [], f"seed {seed}"
    reasons = {result.reason for number, result in enumerate(results) if number % 9 == 0}
    assert reasons == {"no category spans the sentence"}, f"seed {seed}"


@pytest.mark.slow
def test_too_little_memory_costs_the_sentences_that_need_more(installation):
    ambiguous = [
        ("N", -0.1),
        ("NP", -0.2),
        (r"S[to]\NP", -0.3),
        (r"(S[to]\NP)/(S[b]\NP)", -0.4),
        (r"S[b]\NP", -0.5),
    ]
    texts = [sentence("dogs"), sentence("a b " * 40 + "c", *ambiguous), sentence("cats")]
    with CandC(replace(installation, xmx="48m"), Limits(timeout=120, max_supercats=10**8)) as parser:
        dogs, many, cats = parser.pipe(texts)
    assert (dogs.status.value, cats.status.value) == ("parsed", "parsed")
    assert many.status.value == "failed" and "--xmx 48m" in many.reason


@pytest.mark.slow
def test_coverage_with_gold_tags(installation, corpus_folder):
    path = corpus_folder / "pmb5" / "en.dev.auto"
    tagged = [single_best(gold) for gold in islice(load(path, None, "skip"), 200)]
    with CandC(installation) as parser:
        parsed = [result.status.value == "parsed" for result in parser.pipe(tagged)]
    assert sum(parsed) / len(parsed) >= 0.9


def single_best(gold):
    return replace(gold, derivations=None, tags=tuple((Supertag(category),) for category in gold.categories))
