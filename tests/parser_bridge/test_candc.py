"""The bridge keeps what C&C has parsed, whatever C&C does."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from bridge_sentences import FAST, hear_ctrl_c, sentence, wait_until

from ccgkit.corpora import loads
from ccgkit.parser_bridge import CandC, CandCError, Installation, Limits
from ccgkit.parser_bridge.installation import first_line, hint


def parse(installation, texts, limits=None, **settings):
    with CandC(installation, limits, **settings) as parser:
        return list(parser.pipe(sentence(text) for text in texts))


def outcomes(results):
    return [result.status.value for result in results]


def with_property(installation, name, value="true"):
    return replace(installation, java_options=(*installation.java_options, f"-D{name}={value}"))


def test_a_parse_has_dependencies_categories_and_no_derivation(installation):
    (result,) = parse(installation, ["big dogs bark"])
    assert [(link.head, str(link.category), link.slot, link.argument) for link in result.dependencies] == [
        (1, "N", 1, 0), (2, "N", 1, 1),
    ]  # fmt: skip
    assert [str(category) for category in result.sentence.categories] == ["N", "N", "N"]
    assert result.derivation is None and result.derivations == ()
    assert result.beta == 0.075


def test_odd_words_and_sentences_come_back_as_they_were(installation):
    texts = ["Zoë a|b ( [ _ # <c> 東京", "", "# first", "x", "New\u00a0York says", "half \ud83d pair"]
    results = parse(installation, texts)
    assert [" ".join(result.sentence.words) for result in results] == texts
    assert outcomes(results) == ["parsed", "failed", *["parsed"] * 4]
    assert results[1].reason == "no words"


@pytest.mark.parametrize("pos", ["|", "", "a|b", "NN P", None, "\udc80"])
def test_odd_pos_tags_do_no_harm(installation, pos):
    given = sentence("a b")
    given = replace(given, tokens=tuple(replace(token, pos=pos) for token in given.tokens))
    with CandC(installation) as parser:
        result = parser.parse(given)
    assert result.status.value == "parsed" and result.sentence.tokens == given.tokens


def test_a_derivation_may_stand_for_the_tags(installation):
    (gold,) = loads("ID=1\n(<T NP 0 1> (<L N POS POS dogs N>) )\n", "auto")
    with CandC(installation) as parser:
        result = parser.parse(gold)
    assert [str(category) for category in result.sentence.categories] == ["N"]
    assert result.to_sentence().derivations is None


def test_no_parse_is_a_result_with_its_reason(installation):
    results = parse(installation, ["a b", "NOPARSE b", "a b c d", "a b"], Limits(max_words=3))
    assert outcomes(results) == ["parsed", "failed", "failed", "parsed"]
    assert results[1].reason == "no category spans the sentence"
    assert results[1].beta == 0.01
    assert "--max-words" in results[2].reason
    assert results[1].to_sentence().dependencies is None


def test_a_crash_costs_one_sentence(installation):
    results = parse(installation, ["a b", "c d", "CRASH x", "e f", "CRASH y", "g h"])
    assert outcomes(results) == ["parsed", "parsed", "failed", "parsed", "failed", "parsed"]
    assert "crashed on purpose" in results[2].reason


def test_sentences_that_crash_one_after_the_other_do_not_end_the_run(installation):
    results = parse(installation, ["a", *["CRASH"] * 7, "b"])
    assert outcomes(results) == ["parsed", *["failed"] * 7, "parsed"]


def test_a_program_that_never_answers_is_an_error(installation, tmp_path):
    with pytest.raises(CandCError, match="gone on purpose"):
        (tmp_path / "gone").touch()
        parse(with_property(installation, "gone", tmp_path / "gone"), ["a"])


def test_when_candc_is_gone_what_was_parsed_stays_and_the_rest_is_reported(installation, tmp_path):
    here = with_property(installation, "gone", tmp_path / "gone")
    with CandC(here, keep=tmp_path / "kept") as parser:
        results = parser.pipe(disappearing(tmp_path / "kept" / "run-0001" / "log", tmp_path / "gone"))
        first = [next(results), next(results)]
        rest = list(results)
    assert outcomes(first) == ["parsed", "failed"]
    assert outcomes(rest) == ["failed"] * 20
    assert all(result.reason.startswith("not parsed: C&C has failed 5 times in a row") for result in rest)
    assert "gone on purpose" in rest[0].reason


def disappearing(log, gone):
    """Sentences, after the second of which no process starts any more."""
    yield sentence("a")
    yield sentence("CRASH")
    wait_until(lambda: log.exists() and "Parsing sentence 2" in log.read_text())
    gone.touch()
    for number in range(20):
        yield sentence(f"w{number}")


@pytest.mark.parametrize("property", ["log", "nolog"])
def test_out_of_memory_a_new_process_goes_on(installation, property):
    results = parse(
        with_property(installation, property),
        ["a", "b", "MEMORY c", "d", "MEMORY! e", "f", "STARVED g", "h", "STARVED i", "STARVED j"],
    )
    assert outcomes(results) == [
        "parsed", "parsed", "parsed", "parsed", "failed", "parsed", "failed", "parsed", "failed", "failed",
    ]  # fmt: skip
    assert {result.reason for result in results} == {"", "out of memory with --xmx 2g: give it more"}


def test_a_model_too_big_for_the_memory_is_an_error(installation):
    with pytest.raises(CandCError, match="does not fit into --xmx 2g"):
        parse(with_property(installation, "greedy"), ["a"])


def test_too_little_memory_for_anything_is_an_error_and_no_sentences_fault(installation):
    results = []
    said = "5 times in a row: out of memory with --xmx 2g"
    with pytest.raises(CandCError, match=said), CandC(with_property(installation, "hopeless")) as parser:
        results += parser.pipe(sentence(f"w{number}") for number in range(20))
    assert results == []


def test_a_failure_that_is_all_there_is_is_a_result(installation):
    assert outcomes(parse(installation, ["MEMORY!", "", "CRASH"])) == ["failed"] * 3


def test_failures_come_as_they_are_made_once_candc_is_known_to_answer(installation):
    """Five of them, and a probe that has an answer."""
    given = 0

    def sentences():
        nonlocal given
        for given in range(300):
            yield sentence(f"w{given} MEMORY!")

    with CandC(installation) as parser:
        results = parser.pipe(sentences())
        assert next(results).status.value == "failed"
        assert given < 150
        results.close()


@pytest.mark.parametrize("property", ["log", "nolog"])
def test_a_sentence_that_takes_too_long_is_left_out(installation, property):
    """What had been parsed but not yet written when the process was killed is parsed again."""
    start = time.monotonic()
    results = parse(with_property(installation, property), ["a", "HANG b", "c"], Limits(timeout=2.0))
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "2 seconds" in results[1].reason
    assert time.monotonic() - start < 120


def test_timeouts_one_after_the_other_do_not_end_the_run(installation):
    results = parse(installation, ["a", *["HANG"] * 6, "b"], Limits(timeout=3.0))
    assert outcomes(results) == ["parsed", *["failed"] * 6, "parsed"]


def test_after_a_timeout_the_next_process_gets_fewer_sentences(installation, tmp_path):
    """What Java held back is lost with it: that is not to happen again to as much."""
    texts = [*(f"a{number}" for number in range(10)), "HANG", *(f"b{number}" for number in range(10))]
    results = parse(installation, texts, Limits(timeout=5.0), keep=tmp_path)
    assert [result.sentence.words[0] for result in results if result.reason] == ["HANG"]
    inputs = [path.read_text() for path in sorted(tmp_path.glob("run-*/input.multitag"))]
    assert [text.count("\n\n") - 1 for text in inputs] == [21, 10, 10]


def test_a_sentence_at_which_c_and_c_is_always_killed_is_given_up(installation):
    results = parse(installation, ["a", "KILLED b", "c"])
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "signal 9" in results[1].reason


def test_whoever_is_alone_when_processes_are_killed_while_they_start_is_not_to_blame(installation, tmp_path):
    """Seven in a row, five with that sentence alone and two with a probe: then C&C is there, after all."""
    left = tmp_path / "left"
    left.write_text("x" * 7)
    results = parse(with_property(installation, "early", left), ["a"])
    assert outcomes(results) == ["parsed"] and left.read_text() == ""


def test_a_process_that_ends_at_its_first_sentence_may_have_ended_by_chance(installation, tmp_path):
    left = tmp_path / "left"
    left.write_text("e")
    results = parse(with_property(installation, "early", left), ["a", "b"])
    assert outcomes(results) == ["parsed", "parsed"] and left.read_text() == ""


def fall(installation, tmp_path, sentences, jobs):
    """Parse while each process meets a sudden end; how many did."""
    fates = tmp_path / "fates"
    fates.touch()
    texts = [f"w{number} x" if number % 7 else "NOPARSE" for number in range(sentences)]
    results = parse(with_property(installation, "chaos", fates), texts, jobs=jobs)
    assert [" ".join(result.sentence.words) for result in results] == texts
    for number, result in enumerate(results):
        assert result.status.value == ("parsed" if number % 7 else "failed"), result.reason
        assert number % 7 or result.reason == "no category spans the sentence"
        assert len(result.dependencies) == (1 if number % 7 else 0)
    return fates.read_text().splitlines()


def test_sudden_ends_lose_and_double_nothing(installation, tmp_path):
    assert len(fall(installation, tmp_path, 60, jobs=1)) >= 8


@pytest.mark.slow
def test_hundreds_of_sudden_ends_lose_and_double_nothing(installation, tmp_path):
    ends = fall(installation, tmp_path, 1400, jobs=2)
    assert len(ends) >= 200
    assert set(ends) == {"killed while it starts", "killed", "starved", "crashed", "ended", "truncated"}


# what a sentence does to C&C, and whether it has a parse all the same
TROUBLES = {
    "": True, "MEMORY": True, "NOPARSE": False, "CRASH": False, "MEMORY!": False, "STARVED": False,
    "KILLED": False, "WRONGWORDS": False, "LAST": False, "HANG": False, "TRUNCATED": False, "GARBAGE": True,
}  # fmt: skip


def troubled_texts(random):
    """Nine sentences, one in three of them trouble; or five in a row that take too long."""
    kinds = [random.choice([*TROUBLES] if random.random() < 1 / 3 else [""]) for _ in range(9)]
    if random.random() < 0.1:
        kinds[2:7] = ["HANG"] * 5
    return kinds, [f"{kind} w{number}".strip() for number, kind in enumerate(kinds)]


def troubled_run(installation, folder, seed):
    """Sentences and processes with their troubles: each sentence has one result, in its place."""
    random = Random(seed)
    kinds, texts = troubled_texts(random)
    here = with_property(installation, random.choice(["log", "log", "nolog"]))
    if random.random() < 0.5:  # and each process meets its end, whatever the sentences are
        fates = folder / f"fates-{seed}"
        fates.write_text("drawn before\n" * seed)
        here = with_property(here, "chaos", fates)
    results = parse(here, texts, Limits(timeout=5.0), jobs=random.choice([1, 2]))
    assert [" ".join(result.sentence.words) for result in results] == texts, f"seed {seed}"
    expected = ["parsed" if TROUBLES[kind] else "failed" for kind in kinds]
    assert outcomes(results) == expected, (f"seed {seed}", [result.reason for result in results])


def test_whatever_sentences_do_each_has_its_result(installation, tmp_path):
    for seed in range(2):
        troubled_run(installation, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_in_hundreds_of_runs_nothing_is_lost_and_nothing_doubled(installation, tmp_path, seed):
    troubled_run(installation, tmp_path, seed)


def test_nonsense_in_the_log_blames_nobody(installation):
    results = parse(installation, ["a", "GARBAGE b", "c", "CRASH", "d", "GARBAGE NOPARSE", "e"])
    assert outcomes(results) == [*["parsed"] * 3, "failed", "parsed", "failed", "parsed"]
    assert "crashed on purpose" in results[3].reason
    assert results[5].reason == "no category spans the sentence"


def test_half_an_answer_is_none(installation):
    results = parse(installation, ["a b", "TRUNCATED b", "c d"])
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "without an answer" in results[1].reason


def test_results_come_as_they_are_made(installation):
    """C&C writes when it has eight kilobytes: then they are here, long before the last sentence is."""
    given = 0

    def sentences():
        nonlocal given
        for given in range(2000):
            yield sentence(f"w{given} " + "x " * 10 + "y")

    with CandC(installation) as parser:
        results = parser.pipe(sentences())
        assert next(results).sentence.words[0] == "w0"
        assert given < 500
        results.close()


def test_a_start_that_takes_too_long_is_an_error(installation):
    with pytest.raises(CandCError, match=r"not begun to parse after 0\.5 seconds"):
        parse(with_property(installation, "slowstart"), ["a"], Limits(startup=0.5))


def test_a_sentence_that_is_silently_dropped_is_noticed(installation):
    results = parse(installation, ["a", "LAST b", "c"])
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "without an answer" in results[1].reason


def test_an_answer_about_other_words_is_refused(installation):
    results = parse(installation, ["a", "WRONGWORDS b", "b", "c"])
    assert outcomes(results) == ["parsed", "failed", "parsed", "parsed"]
    assert "not about the words sent: 'other other'" in results[1].reason


def test_an_answer_too_many_is_not_taken_for_the_next_sentences(installation):
    results = parse(installation, ["a", "SURPLUS", "b", "c", "SURPLUS", "NOPARSE", "d"])
    assert outcomes(results) == [*["parsed"] * 5, "failed", "parsed"]


def test_exit_code_0_without_output_is_an_error(installation):
    with pytest.raises(CandCError, match="C&C has written nothing: exit code 0"):
        parse(with_property(installation, "silent"), ["a"])


def test_a_file_that_vanishes_is_reported_out_of_the_log(installation):
    with CandC(installation) as parser:
        installation.features.unlink()
        with pytest.raises(CandCError, match=r"written nothing: exit code 0;.*\n.*FileNotFoundException"):
            parser.parse(sentence("a"))


def test_a_broken_grammar_is_reported(installation):
    markedup = installation.grammar / "markedup"
    markedup.write_text(markedup.read_text() + "\nN/NP\n  1 (N{_}/NP{Y}\n")
    with pytest.raises(CandCError, match="unbalanced"):
        parse(installation, ["a"])


def test_an_older_jar_gets_positional_arguments_in_its_home(installation):
    older = with_property(installation, "older")
    assert outcomes(parse(older, ["a b"])) == ["parsed"]
    with pytest.raises(CandCError, match="--cc-home"):
        parse(replace(older, home=None), ["a b"])


def test_several_processes_keep_the_order(installation):
    texts = [f"w{number} x" for number in range(23)]
    texts[7] = "CRASH x"
    results = parse(installation, texts, jobs=2)
    assert [" ".join(result.sentence.words) for result in results] == texts
    assert outcomes(results).count("failed") == 1


def test_files_are_kept_on_demand_and_otherwise_vanish(installation, tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    parse(installation, ["a", "CRASH"])
    assert list((tmp_path / "temporary").iterdir()) == []
    for _ in range(2):
        parse(installation, ["a"], keep=tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["run-0001", "run-0002"]
    assert (
        tmp_path / "kept" / "run-0002" / "input.multitag"
    ).read_text() == "# supertags\n\na X 1 N 0.904837418036\n\n"


def test_a_java_may_be_named_from_the_current_folder(installation, tmp_path, monkeypatch):
    """Processes run in folders of their own."""
    script = tmp_path / "my java"
    script.write_text('#!/bin/sh\nexec java "$@"\n')
    script.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    here = Installation.locate(installation.jar, installation.home, java="./my java", java_options=FAST)
    assert outcomes(parse(here, ["a b"])) == ["parsed"]


def test_outside_of_its_with_statement_it_says_so(installation):
    with CandC(installation) as parser:
        pass
    with pytest.raises(CandCError, match="inside its with statement"):
        parser.parse(sentence("a"))


def test_a_caller_may_stop_early_and_go_on(installation):
    with CandC(installation) as parser:
        results = parser.pipe(sentence(text) for text in ["a", *["x " * 20 + "y"] * 200, "HANG"])
        assert next(results).sentence.words == ("a",)
        results.close()
        assert parser.parse(sentence("c")).status.value == "parsed"


def test_leaving_the_with_statement_ends_what_is_running(installation):
    marker = f"ccgkit-test-left-{os.getpid()}"
    with CandC(with_property(installation, "marker", marker)) as parser:
        results = parser.pipe(sentence(text) for text in [*["x " * 20 + "y"] * 200, "HANG"])
        next(results)
        assert java_processes(marker)
    assert not java_processes(marker)


def test_ctrl_c_ends_the_java_process_and_leaves_no_file(installation, tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[3])\n"
        "from bridge_sentences import sentence\n"
        "from ccgkit.parser_bridge import CandC, Installation\n"
        "here = Installation.locate(sys.argv[1], sys.argv[2], java_options=('-Dmarker=' + sys.argv[4],))\n"
        "with CandC(here) as parser: parser.parse(sentence('HANG'))\n"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    marker = f"ccgkit-test-{os.getpid()}"
    arguments = [str(installation.jar), str(installation.home), str(Path(__file__).parent), marker]
    child = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.DEVNULL,
        preexec_fn=hear_ctrl_c,
    )
    try:
        wait_until(lambda: any(temporary.rglob("log")))
        assert java_processes(marker)
        child.send_signal(signal.SIGINT)
        assert child.wait(20) != 0
    finally:
        child.kill()
    assert not java_processes(marker)
    assert list(temporary.iterdir()) == []


def test_a_program_that_is_killed_while_java_starts_leaves_no_java_behind(installation, tmp_path):
    code = (
        "import signal, sys\n"
        "from ccgkit.parser_bridge import CandC, Installation\n"
        "here = Installation.locate(sys.argv[1], sys.argv[2], java_options=('-Dmarker=' + sys.argv[3],))\n"
        "with CandC(here): signal.pause()\n"
    )
    marker = f"ccgkit-test-orphan-{os.getpid()}"
    command = [sys.executable, "-c", code, str(installation.jar), str(installation.home), marker]
    child = subprocess.Popen(command, env={**os.environ, "TMPDIR": str(tmp_path)})  # its files stay
    try:
        wait_until(lambda: java_processes(marker), seconds=60)
    finally:
        child.kill()
    assert child.wait() == -signal.SIGKILL
    wait_until(lambda: not java_processes(marker), seconds=30)


def java_processes(marker):
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            found += [path] if f"-Dmarker={marker}".encode() in words else []
    return found


@pytest.mark.parametrize("betas", [(0.1, 0.2), (0.3, 0.2, 0.1), (0.0, 0.1, 0.2)])
def test_betas_that_would_crash_are_refused(betas):
    with pytest.raises(CandCError, match="at least three"):
        Limits(betas=betas)


def test_everything_missing_is_named_at_once_before_anything_runs(tmp_path):
    here = Installation.locate(tmp_path / "no.jar", tmp_path, java="no-such-java", xmx="much")
    with pytest.raises(CandCError) as caught, CandC(here):
        pass
    for part in ("no-such-java", "no.jar", "grammar", "wordsPos", "feats", "weights", "512m or 2g"):
        assert part in str(caught.value)


def test_parts_of_the_grammar_are_named(installation):
    (installation.grammar / "trPP").unlink()
    (installation.grammar / "all_rule_instances").write_text("N N\n")
    first, second = installation.problems()
    assert "trPP does not exist" in first
    assert "all_rule_instances does not start with '#'" in second


def test_a_jar_that_is_something_else_is_refused_by_name(installation, tmp_path):
    other = tmp_path / "other.jar"
    with pytest.raises(CandCError, match="is not a jar"):
        other.write_text("text")
        parse(replace(installation, jar=other), ["a"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(CandCError, match="no class Parser"):
        parse(replace(installation, jar=tmp_path / "empty"), ["a"])


def test_javas_complaints_come_with_advice():
    said = "Error: Unable to initialize main class Parser\nCaused by: java.lang.NoClassDefFoundError: x/Y"
    assert "--cc-classpath" in hint(said)
    assert "newer Java" in hint("java.lang.UnsupportedClassVersionError: Parser has been compiled by …")
    assert hint("anything else") == ""


def test_what_java_says_on_how_it_starts_is_not_what_went_wrong():
    said = (
        "Picked up JAVA_TOOL_OPTIONS: -Xss4m\n"
        "2026-01-02T03:04:05.678901234Z main INFO Starting configuration Properties@3b07a0d6...\n"
        'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n'
    )
    assert first_line(said).startswith("Exception in thread")
    assert "ERROR" in first_line("2026-01-02T03:04:05.6Z main ERROR Unable to write\nmore")
