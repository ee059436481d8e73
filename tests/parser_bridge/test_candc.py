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

import pytest
from bridge_sentences import hear_ctrl_c, sentence, wait_until

from ccgkit.corpora import loads
from ccgkit.parser_bridge import CandC, CandCError, Installation, Limits
from ccgkit.parser_bridge.installation import hint


def parse(installation, texts, limits=None, **settings):
    with CandC(installation, limits, **settings) as parser:
        return list(parser.pipe(sentence(text) for text in texts))


def outcomes(results):
    return [result.status.value for result in results]


def with_property(installation, name):
    return replace(installation, java_options=(*installation.java_options, f"-D{name}=true"))


def test_a_parse_has_dependencies_categories_and_no_derivation(installation):
    (result,) = parse(installation, ["big dogs bark"])
    assert [(link.head, str(link.category), link.slot, link.argument) for link in result.dependencies] == [
        (1, "N", 1, 0), (2, "N", 1, 1),
    ]  # fmt: skip
    assert [str(category) for category in result.sentence.categories] == ["N", "N", "N"]
    assert result.derivation is None and result.derivations == ()
    assert result.beta == 0.075


def test_odd_words_and_sentences_come_back_as_they_were(installation):
    texts = ["Zoë a|b ( [ _ # <c> 東京", "", "# first", "x", "New\u00a0York says"]
    results = parse(installation, texts)
    assert [" ".join(result.sentence.words) for result in results] == texts
    assert outcomes(results) == ["parsed", "failed", "parsed", "parsed", "parsed"]
    assert results[1].reason == "no words"


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


def test_a_program_that_always_crashes_is_given_up(installation):
    with pytest.raises(CandCError, match=r"5 times in a row.*crashed on purpose"):
        parse(installation, ["CRASH"] * 30)


def test_out_of_memory_a_new_process_goes_on(installation):
    results = parse(installation, ["a", "b", "MEMORY c", "d", "MEMORY! e", "f"])
    assert outcomes(results) == ["parsed", "parsed", "parsed", "parsed", "failed", "parsed"]
    assert "--xmx 2g" in results[4].reason


def test_a_model_too_big_for_the_memory_is_an_error(installation):
    with pytest.raises(CandCError, match="does not fit into --xmx 2g"):
        parse(with_property(installation, "greedy"), ["a"])


@pytest.mark.parametrize("property", ["log", "nolog"])
def test_a_sentence_that_takes_too_long_is_left_out(installation, property):
    """What had been parsed but not yet written when the process was killed is parsed again."""
    start = time.monotonic()
    results = parse(with_property(installation, property), ["a", "HANG b", "c"], Limits(timeout=2.0))
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "2 seconds" in results[1].reason
    assert time.monotonic() - start < 120


def test_a_process_that_is_killed_from_outside_costs_one_sentence(installation):
    results = parse(installation, ["a", "KILLED b", "c"])
    assert outcomes(results) == ["parsed", "failed", "parsed"]


def test_a_start_that_takes_too_long_is_an_error(installation):
    with pytest.raises(CandCError, match=r"not begun to parse after 0\.5 seconds"):
        parse(with_property(installation, "slowstart"), ["a"], Limits(startup=0.5))


def test_a_sentence_that_is_silently_dropped_is_noticed(installation):
    results = parse(installation, ["a", "LAST b", "c"])
    assert outcomes(results) == ["parsed", "failed", "parsed"]
    assert "without a block" in results[1].reason


@pytest.mark.parametrize(
    ("text", "complaint"), [("WRONGWORDS b", "not about the words sent"), ("SURPLUS", "2 blocks to 1")]
)
def test_output_that_is_not_about_the_input_is_refused(installation, text, complaint):
    with pytest.raises(CandCError, match=complaint):
        parse(installation, [text])


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
    markedup.write_text(markedup.read_text() + "\nBROKEN\n  1 x\n")
    with pytest.raises(CandCError, match="slots are not increasing"):
        parse(installation, ["a"])


def test_an_older_jar_gets_positional_arguments_in_its_home(installation):
    older = with_property(installation, "older")
    assert outcomes(parse(older, ["a b"])) == ["parsed"]
    with pytest.raises(CandCError, match="--cc-home"):
        parse(replace(older, home=None), ["a b"])


def test_several_processes_keep_the_order(installation):
    texts = [f"w{number} x" for number in range(23)]
    texts[7] = "CRASH x"
    results = parse(installation, texts, jobs=2, batch=6)
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


def test_outside_of_its_with_statement_it_says_so(installation):
    with CandC(installation) as parser:
        pass
    with pytest.raises(CandCError, match="outside of its with statement"):
        parser.parse(sentence("a"))


def test_a_caller_may_stop_early_and_go_on(installation):
    with CandC(installation, batch=1) as parser:
        results = parser.pipe(sentence(text) for text in ("a", "b", "HANG"))
        assert next(results).sentence.words == ("a",)
        results.close()
        assert parser.parse(sentence("c")).status.value == "parsed"


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
    with pytest.raises(CandCError, match="is no jar"):
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
