"""`ccgkit evaluate deps` prints the figures of C&C's own script."""

import gzip
import importlib.util
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ccgkit.cli.evaluate_deps import command
from ccgkit.corpora import dumps, load
from ccgkit.grammar import CCGKitError

SPEC = importlib.util.spec_from_file_location(
    "worked_example", Path(__file__).parent.parent / "parser_bridge" / "worked_example.py"
)
example = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(example)


@pytest.fixture
def files(tmp_path):
    """The worked example as files, by name."""
    texts = {
        "gold.stagged": example.TAGS,
        "gold.ccgbank_deps": example.DEPS,
        "gold2.ccgbank_deps": example.WITHOUT_DETERMINER,
        "gold.parg": example.PARG,
        "out.deps": example.OUTPUT,
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def evaluate(files, gold, *options, output="out.deps", **settings):
    arguments = ["--gold-deps", str(files / gold), "--gold-tags", str(files / "gold.stagged")]
    return CliRunner().invoke(command, [*arguments, *options, str(files / output)], **settings)


def figures(result):
    """Name → the percentages of its row."""
    rows = (line.split() for line in result.stdout.splitlines() if "%" in line)
    return {row[0]: [float(cell[:-1]) for cell in row if cell.endswith("%")] for row in rows}


def over_parsed(result):
    return {name: row[0] for name, row in figures(result).items()}


def test_the_worked_example_to_the_last_digit(files):
    assert over_parsed(evaluate(files, "gold2.ccgbank_deps")) == {
        "cover": 75.00, "cats": 93.75, "csent": 66.67,
        "lp": 75.00, "lr": 81.82, "lf": 78.26, "lsent": 66.67,
        "up": 83.33, "ur": 90.91, "uf": 86.96, "usent": 66.67,
        "skip": 25.00,
    }  # fmt: skip


TREE = (
    "ID=1\n(<T S[dcl] 1 2> (<L NP _ _ We NP>) "
    "(<T S[dcl]\\NP 0 2> (<L (S[dcl]\\NP)/NP _ _ see (S[dcl]\\NP)/NP>) "
    "(<T NP 0 1> (<L N _ _ dogs N>) ) ) )\n"
)
PARSED = """# mandatory preface
# mandatory preface

see_2 ((S[dcl]{_}\\NP{Y}<1>){_}/NP{Z}<2>){_} 1 We_1 0
see_2 ((S[dcl]{_}\\NP{Y}<1>){_}/NP{Z}<2>){_} 2 dogs_3 0
<c> We|_|NP see|_|(S[dcl]\\NP)/NP dogs|_|N

"""


def test_gold_may_be_trees(tmp_path):
    gold, output = tmp_path / "gold.auto", tmp_path / "out.deps"
    gold.write_text(TREE)
    output.write_text(PARSED)
    options = ["--gold-deps", str(gold), "--gold-tags", str(gold), str(output)]
    result = CliRunner().invoke(command, [*options, "--scheme", "ccgbank"])
    assert (over_parsed(result)["lf"], over_parsed(result)["cats"]) == (100.0, 100.0)
    assert "by the rules of ccgbank" in result.stderr


@pytest.mark.parametrize("gold", ["gold.ccgbank_deps", "gold.parg"])
def test_gold_may_be_dependencies_or_parg(files, gold):
    found = over_parsed(evaluate(files, gold))
    assert [found[name] for name in ("lp", "lr", "lf", "uf")] == [83.33, 83.33, 83.33, 91.67]


def test_easyccgs_variant_fails_a_parse_without_dependencies_and_scores_no_categories(files):
    found = over_parsed(evaluate(files, "gold.ccgbank_deps", "--variant", "easyccg"))
    assert (found["cover"], found["lf"], found["uf"]) == (50.00, 83.33, 91.67)
    assert "cats" not in found and "csent" not in found


def test_easyccgs_variant_reads_dependencies_without_words(files):
    bare = "".join(line for line in example.OUTPUT.splitlines(True) if not line.startswith("<c>"))
    (files / "bare.deps").write_text(bare, encoding="utf-8")
    result = evaluate(files, "gold.ccgbank_deps", "--variant", "easyccg", output="bare.deps")
    assert result.stdout == evaluate(files, "gold.ccgbank_deps", "--variant", "easyccg").stdout
    assert "end in a <c> line" in str(evaluate(files, "gold.ccgbank_deps", output="bare.deps").exception)


def test_over_all_sentences_a_failure_has_found_nothing(files):
    both = evaluate(files, "gold.ccgbank_deps")
    assert figures(both)["lr"] == [83.33, 76.92]  # 10 of 12, 10 of 13
    assert figures(both)["cats"] == [93.75, 78.95]  # 15 of 16, 15 of 19
    alone = evaluate(files, "gold.ccgbank_deps", "--failed-as-empty")
    assert over_parsed(alone)["lr"] == 76.92
    assert over_parsed(alone)["lsent"] == 50.0


def test_json_holds_the_counts(files):
    found = json.loads(evaluate(files, "gold2.ccgbank_deps", "--json", "--by-relation").stdout)
    labelled = found["parsed"]["labelled"]
    assert (labelled["correct"], labelled["test"], labelled["gold"]) == (9, 12, 11)
    assert found["parsed"]["ignored"] == 4
    (of,) = [row for row in found["relations"] if row["category"] == r"(NP\NP)/NP" and row["slot"] == 1]
    assert (of["test"], of["gold"], of["f1"]) == (1, 0, 0.0)


def test_a_list_says_what_became_of_each_dependency(files):
    lines = evaluate(files, "gold2.ccgbank_deps", "--list").stdout.splitlines()
    assert r"incorrect a_7 NP[nb]/N 1 house_8" in lines
    assert r"missing in_9 ((S\NP)\(S\NP))/NP 2 buy_6" in lines
    assert r"correct loves_2 (S[dcl]\NP)/NP 1 John_1" in lines
    assert "# sentence 3: no parse" in lines


def test_standard_input_is_cands_output(files):
    result = evaluate(files, "gold.ccgbank_deps", output="out.deps", input=None)
    arguments = ["--gold-deps", str(files / "gold.parg"), "--gold-tags", str(files / "gold.stagged"), "-"]
    piped = CliRunner().invoke(command, arguments, input=example.OUTPUT)
    assert piped.stdout == result.stdout


def test_standard_input_may_be_of_any_format_with_dependencies(files):
    (files / "out.jsonl").write_text(dumps(load(files / "out.deps"), "jsonl"), encoding="utf-8")
    gold = ["--gold-deps", str(files / "gold.ccgbank_deps"), "--gold-tags", str(files / "gold.stagged")]
    expected = CliRunner().invoke(command, [*gold, str(files / "out.jsonl")]).stdout
    for text in (files / "out.jsonl").read_bytes(), gzip.compress((files / "out.jsonl").read_bytes()):
        piped = CliRunner().invoke(command, [*gold, "-"], input=text)
        assert "lf" in piped.stdout and piped.stdout == expected
    refused = CliRunner().invoke(command, [*gold, "-"], input=(files / "gold.stagged").read_text())
    assert refused.exit_code == 2 and "which holds no dependencies" in refused.stderr


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: text.replace("Mary|NNP|N .|.|.", "Maria|NNP|N .|.|.").replace("Mary_3", "Maria_3"),
         "word 3 of sentence 1 is 'Mary' in gold, 'Maria' in the output"),
        (lambda text: text.replace(" .|.|.\n", "\n", 1), "sentence 1 has 4 words in gold, 3 in the output"),
        (lambda text: text.replace("\n<c> Hello|UH|N\n", ""), "ends before sentence 4"),
    ],
)  # fmt: skip
def test_output_that_is_not_about_gold_is_refused(files, change, complaint):
    (files / "other.deps").write_text(change(example.OUTPUT), encoding="utf-8")
    error = evaluate(files, "gold.ccgbank_deps", output="other.deps").exception
    assert isinstance(error, CCGKitError)
    assert complaint in str(error)


def test_gold_tags_and_gold_dependencies_must_go_together(files):
    (files / "short.ccgbank_deps").write_text(example.DEPS.removesuffix("\n"), encoding="utf-8")
    assert "no dependencies for sentence 4" in str(evaluate(files, "short.ccgbank_deps").exception)
    (files / "long.ccgbank_deps").write_text(example.DEPS + "\n", encoding="utf-8")
    assert "go on after the 4 sentences" in str(evaluate(files, "long.ccgbank_deps").exception)


def test_surplus_output_is_left_alone_with_a_warning(files):
    (files / "long.deps").write_text(example.OUTPUT + "\n", encoding="utf-8")
    result = evaluate(files, "gold.ccgbank_deps", output="long.deps")
    assert result.exit_code == 0
    assert "more sentences than gold" in result.stderr


def test_a_file_without_dependencies_is_wrong_usage(files):
    result = evaluate(files, "gold.stagged")
    assert result.exit_code == 2
    assert "holds no dependencies" in result.stderr
