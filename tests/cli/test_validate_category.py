"""`ccgkit validate-category`, run as a user runs it."""

import json

import pytest
from click.testing import CliRunner

from ccgkit.cli.main import main


def run(*arguments, stdin=None):
    return CliRunner().invoke(main, ["validate-category", *arguments], input=stdin)


def test_a_line_a_category():
    result = run("((S\\NP)/NP)", "-LRB-", " NP ")
    assert result.output == "(S\\NP)/NP\n-LRB-\nNP\n"
    assert result.exit_code == 0


def test_an_error_with_a_caret_and_exit_code_1():
    result = run("NP", "(S\\NP")
    assert result.output.splitlines() == [
        "NP",
        "error: unclosed parenthesis at column 1; did you mean S\\NP?",
        "    (S\\NP",
        "    ^",
    ]
    assert result.exit_code == 1


def test_lines_on_standard_input_are_numbered():
    result = run("-", stdin="NP\nN NP\n\n")
    assert "line 2: error: two categories" in result.output
    assert "line 3: error: an empty string" in result.output
    assert result.exit_code == 1


def test_a_file_of_categories_with_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "categories"
    path.write_bytes(b"NP\r\nS\\NP\n\xff\n")
    result = run("--file", str(path))
    assert result.output.startswith("NP\nS\\NP\nline 3: error: a control character")


def test_json_lines():
    result = run("--json", "(NP)", "S//NP")
    good, bad = map(json.loads, result.output.splitlines())
    assert good == {"input": "(NP)", "valid": True, "category": "NP"}
    assert (bad["valid"], bad["column"], bad["suggestions"]) == (False, 3, ["S/NP"])


def test_the_tree():
    result = run("--tree", "(S\\NP)/NP")
    assert result.output == ("(S\\NP)/NP\n    /\n    ├─ \\\n    │  ├─ S\n    │  └─ NP\n    └─ NP\n")


def test_inventory_of_a_scheme():
    result = run("--inventory", "ccgbank", "S[dcl]\\NP", "S[zzz]\\NP", "NP/PR")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "S[dcl]\\NP",
        "S[zzz]\\NP  [not in CCGbank: S[zzz]]",
        "NP/PR  [not in CCGbank: PR]",
    ]
    assert run("--inventory", "rebank", "NP/PR").exit_code == 0


def test_inventory_of_a_list_names_the_nearest(tmp_path):
    path = tmp_path / "known"
    path.write_text("# counted\n(S[dcl]\\NP)/NP 12\nNP 30\n", encoding="utf-8")
    result = run("--inventory", str(path), "(S[dlc]\\NP)/NP", "NP")
    assert "nearest known: (S[dcl]\\NP)/NP" in result.output
    assert result.output.endswith("NP\n") and result.exit_code == 1


@pytest.mark.parametrize(
    ("decoder", "flagged"),
    [
        ({"categories": ["NP", "S[dcl]\\NP"]}, "[not in {folder}; nearest known: S[dcl]\\NP]"),
        ({"tags": ["(", ")", "/", "\\", "NP", "S", "[dcl]", "\\ NP"]}, None),
        ({"atoms": ["NP", "S[dcl]"]}, None),
        ({"tags": ["NP", "S[b]"]}, "[not among the atoms of {folder}: S[dcl]; nearest known: S[b]]"),
    ],
    ids=["classifier", "generator with features apart", "transitions", "generator"],
)
def test_inventory_of_a_model(tmp_path, decoder, flagged):
    (tmp_path / "vocabulary.json").write_text(json.dumps({"decoder": decoder}), encoding="utf-8")
    result = run("--inventory", str(tmp_path), "(S[dcl]\\NP)/NP")
    flag = "" if flagged is None else "  " + flagged.replace("{folder}", str(tmp_path))
    assert result.output == f"(S[dcl]\\NP)/NP{flag}\n"
    assert result.exit_code == (flagged is not None)


def test_a_folder_that_is_no_model(tmp_path):
    result = run("--inventory", str(tmp_path), "NP")
    assert result.exit_code == 1 and "not a model directory" in result.output


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("vocabulary.json", "{"),
        ("vocabulary.json", "[" * 200_000),
        ("vocabulary.json", "[]"),
        ("vocabulary.json", '{"decoder": {"tags": 3}}'),
        ("vocabulary.json", '{"decoder": {"categories": ["S//"]}}'),
        ("ensemble.toml", "generator ="),
        ("ensemble.toml", "generator = 3"),
    ],
)
def test_a_model_that_is_not_sound(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    result = run("--inventory", str(tmp_path), "NP")
    assert result.exit_code == 1 and str(tmp_path) in result.output and "Traceback" not in result.output


def test_left_association_on_request():
    assert run("S\\NP/NP").exit_code == 1
    assert run("--left-associative", "S\\NP/NP").output == "(S\\NP)/NP\n"


@pytest.mark.parametrize(
    "arguments", [[], ["--jsn", "NP"], ["--file", "missing"], ["--inventory", "missing", "NP"]]
)
def test_wrong_usage_is_exit_code_2(arguments):
    assert run(*arguments).exit_code == 2


def test_a_mistyped_command_gets_a_hint():
    result = CliRunner().invoke(main, ["validate-catgory"])
    assert result.exit_code == 2 and "Did you mean 'validate-category'?" in result.output
