"""`ccgkit oracle`, run as a user runs it."""

import json
from functools import partial

import pytest
from invocation import invoke

from ccgkit import CategorySyntaxError, CCGKitError
from ccgkit.cli.oracle import command

run = partial(invoke, command)


def test_the_longest_match_of_every_set_with_its_length() -> None:
    result = run(r"(NP/NP)\NP", "--k", "1")
    assert result.output.splitlines() == [
        r"(NP/NP)\NP  (3 atoms)",
        r"  AC (6 tags): 1 sequence",
        r"    length 7   ( NP / NP ) \ NP <eos>",
        r"  PA (7 tags): 2 sequences, longest match",
        r"    length 5   ( NP/NP ) \ NP <eos>",
        r"  NG (7 tags): 2 sequences, longest match",
        r"    length 6   (NP / NP ) \ NP <eos>",
        r"  OR (7 tags): 2 sequences, longest match",
        r"    length 1   (NP/NP)\NP <eos>",
    ]
    assert result.exit_code == 0


def test_all_sequences() -> None:
    assert run(r"(NP/NP)\NP", "--set", "PA", "--all").output.splitlines()[2:] == [
        r"    length 5   ( NP/NP ) \ NP <eos>",
        r"    length 7   ( NP / NP ) \ NP <eos>",
    ]


def test_only_the_count() -> None:
    assert run(r"(NP/NP)\NP", "--set", "ng", "--count").output.splitlines()[1:] == [
        "  NG (12 tags): 21 sequences"
    ]


def test_a_sample_is_repeated_by_its_seed() -> None:
    def sample(seed: str) -> str:
        return run(r"((S\NP)/NP)/NP", "--set", "NG", "--sample", "9", "--seed", seed).output

    assert sample("1") == sample("1") != sample("2")
    assert sample("1").count("<eos>") == 9


def test_the_transitions_are_laid_out_as_in_the_paper() -> None:
    assert run(r"(S\NP)/NP", "--set", "AC", "--transitions").output.splitlines()[3:] == [
        r"  transitions, 8 steps",
        r"    T  Stack      Buffer   Action",
        r"    0                      gen(S)",
        r"    1  S          S        op(\)",
        r"    2  S|\        S        gen(NP)",
        r"    3  S|\|NP     S|NP     reduce",
        r"    4  S\NP       S|NP     op(/)",
        r"    5  S\NP|/     S|NP     gen(NP)",
        r"    6  S\NP|/|NP  S|NP|NP  reduce",
        r"    7  (S\NP)/NP  S|NP|NP  stop",
    ]


def test_json_has_a_line_for_each_category() -> None:
    result = run("NP", r"S[dcl]\NP", "--json", "--set", "AC", "--transitions")
    documents = [json.loads(line) for line in result.output.splitlines()]
    assert [document["category"] for document in documents] == ["NP", r"S[dcl]\NP"]
    assert documents[1]["sets"] == {
        "AC": {"tags": 7, "count": 1, "sequences": [["S[dcl]", "\\", "NP", "<eos>"]]}
    }
    assert documents[0]["transitions"] == [
        {"time": 0, "stack": [], "buffer": [], "action": "gen(NP)"},
        {"time": 1, "stack": ["NP"], "buffer": ["NP"], "action": "stop"},
    ]


def test_expressions_are_counted_in_a_corpus(tmp_path) -> None:  # type: ignore[no-untyped-def]
    corpus = tmp_path / "small.stagged"
    corpus.write_text(
        "Mary|NNP|NP sees|VBZ|(S\\NP)/NP John|NNP|NP\nboth|DT|(NP/NP)/NP\n" * 2, encoding="utf-8"
    )
    result = run("(NP/NP)/(S\\NP)", "--set", "PA", "--k", "1", "--corpus", str(corpus))
    assert "length 9   ( NP/NP ) / ( S \\ NP ) <eos>" in result.output
    unknown = run("PP/NP", "--set", "AC", "--corpus", str(corpus))
    assert unknown.output.splitlines()[1:] == ["  AC (7 tags): no sequence: the set lacks PP"]


def test_an_empty_corpus_is_an_error(tmp_path) -> None:  # type: ignore[no-untyped-def]
    corpus = tmp_path / "empty.stagged"
    corpus.write_text("", encoding="utf-8")
    assert isinstance(run("NP", "--corpus", str(corpus)).exception, CCGKitError)


def test_a_bad_category_gets_a_caret_before_anything_is_shown() -> None:
    result = run("NP", "(S\\NP")
    assert result.output == ""
    assert isinstance(result.exception, CategorySyntaxError)
    assert str(result.exception).endswith("    (S\\NP\n    ^")


def test_what_has_no_transitions_is_refused_before_anything_is_shown() -> None:
    result = run("NP", r"NP\NP[conj]", "--transitions")
    assert result.output == ""
    assert "no action makes the [conj] mark" in str(result.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["NP", "--set", "XX"],
        ["NP", "--all", "--count"],
        ["NP", "--k", "-1"],
        ["NP", "--corpus", "nowhere"],
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_counts_beyond_all_enumeration() -> None:
    category = "NP"
    for _ in range(2500):
        category = f"({category})/NP" if "/" in category else f"{category}/NP"
    shown = run(category, "--set", "NG", "--k", "99").output.splitlines()[1]
    assert "about 10^" in shown
    assert "about 10^" in run(category, "--set", "NG", "--k", "99", "--json").output
    refused = run(category, "--set", "NG", "--k", "99", "--json", "--all")
    assert "take --sample instead" in str(refused.exception)
