"""A model of the C++ parser's becomes one of the Java parser's, in a copy."""

import json
import tempfile

import pytest
from bridge_sentences import sentence
from click.testing import CliRunner

from ccgkit.cli.doctor import command
from ccgkit.parser_bridge import CandC, CandCError, Installation
from ccgkit.parser_bridge.cpp_model import import_model, is_cpp_model

LEXICON = "# made by the C++ tools\n\nthe 9\nDT 12\nN\u00a0Y 1\nbark 3\n"
FEATURES = r"""# made by the C++ tools

9 a NP[nb]/N the
12 b NP[nb]/N DT
4 c S[dcl]
3 d S[dcl] bark
3 e S[dcl] DT
7 m N NP NP
7 n (NP[nb]/N) N NP[nb]
2 p N NP NP bark
2 q NP (S[dcl]\NP) S[dcl] bark
2 r N NP NP DT
2 s NP (S[dcl]\NP) S[dcl] DT
1 t (NP[nb]/N) N NP[nb] the bark
1 u (NP[nb]/N) N NP[nb] DT bark
1 v (NP[nb]/N) N NP[nb] the DT
1 w (NP[nb]/N) N NP[nb] DT DT
1 F (NP[nb]/N) N NP[nb] bark 0
1 G (NP[nb]/N) N NP[nb] bark 1
1 H (NP[nb]/N) N NP[nb] bark 2
1 I (NP[nb]/N) N NP[nb] DT 0
1 J (NP[nb]/N) N NP[nb] DT 1
1 K (NP[nb]/N) N NP[nb] DT 2
5 a (S\NP)\(S\NP) bark
"""
SPELLED = r"""5 (NP[nb]/N) 0 9
6 (NP[nb]/N) 1 12
1 S[dcl] 4
2 S[dcl] 3 3
3 S[dcl] 1 3
8 N N NP 7
7 (NP[nb]/N) N NP[nb] 7
11 N N NP 3 2
9 NP (S[dcl]\NP) S[dcl] 3 2
12 N N NP 1 2
10 NP (S[dcl]\NP) S[dcl] 1 2
13 (NP[nb]/N) N NP[nb] 0 3 1
15 (NP[nb]/N) N NP[nb] 1 3 1
14 (NP[nb]/N) N NP[nb] 0 1 1
16 (NP[nb]/N) N NP[nb] 1 1 1
17 (NP[nb]/N) N NP[nb] 3 0 1
19 (NP[nb]/N) N NP[nb] 3 1 1
18 (NP[nb]/N) N NP[nb] 3 2 1
20 (NP[nb]/N) N NP[nb] 1 0 1
22 (NP[nb]/N) N NP[nb] 1 1 1
21 (NP[nb]/N) N NP[nb] 1 2 1
5 ((S\NP)\(S\NP)) 3 5
"""


@pytest.fixture
def cpp(installation, home):
    """The installation with grammar and model where the C++ parser has them, and as it has them."""
    (home / "grammar").rename(home / "cats")
    (home / "cats" / "all_rule_instances").rename(home / "rules")
    for path in (home / "words_feats").iterdir():
        path.unlink()
    (home / "lexicon").write_text(LEXICON, encoding="utf-8")
    (home / "features").write_text(FEATURES, encoding="utf-8")
    count = FEATURES.count("\n") - 2
    (home / "weights").write_text("".join(f"{number / 8}\n" for number in range(1, count + 1)))
    return Installation.locate(installation.jar, home, java_options=installation.java_options)


def body(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("#")
    return text.partition("\n\n")[2]


def test_each_kind_of_feature_has_the_java_parsers_number_words_and_parentheses(cpp, tmp_path):
    made = import_model(cpp, tmp_path / "model")
    assert body(made.lexicon) == "the\nDT\nN\u00a0Y\nbark\n"
    assert body(made.features) == SPELLED
    assert [float(weight) for weight in body(made.weights).split()] == [n / 8 for n in range(1, 23)]
    assert "logp" not in body(made.weights)
    assert not is_cpp_model(made.features)


def test_features_without_weight_are_left_out(cpp, tmp_path):
    cpp.weights.write_text("0 0.5 " + "0 " * 19 + "-1e-3\n")
    made = import_model(cpp, tmp_path / "model")
    assert body(made.features).splitlines() == [SPELLED.splitlines()[1], SPELLED.splitlines()[-1]]
    assert body(made.weights).split() == ["0.5", "-1e-3"]


def test_a_java_model_is_used_as_it_is(installation, tmp_path):
    assert import_model(installation, tmp_path / "model") is installation
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("feature", ["1 N 3", "5 N 0 3", "1 S 3", "7 N N NP 3"])
def test_a_java_model_that_begins_with_a_category_of_one_letter_is_one(installation, tmp_path, feature):
    installation.features.write_text(f"# x\n\n{feature}\n")
    assert import_model(installation, tmp_path / "model") is installation


def test_the_folder_of_a_cpp_model_parses_as_it_is(cpp):
    before = {path: path.read_bytes() for path in cpp.home.rglob("*") if path.is_file()}
    with CandC(cpp) as parser:
        assert parser.parse(sentence("a b")).status.value == "parsed"
    assert {path: path.read_bytes() for path in cpp.home.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("feature", "reason"),
    [
        (r"3 f bark (S[dcl]\NP) 1 the 0", "of C&C's models, that of normal-form derivations can be imported"),
        ("3 a NP[nb]/N meow", "'meow' is not in the lexicon"),
        ("3 n NP N", "this is not a feature as C&C writes them"),
        ("3 Z NP N", "this is not a feature as C&C writes them"),
    ],
)
def test_a_feature_that_cannot_be_told_is_named(cpp, monkeypatch, tmp_path, feature, reason):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    cpp.features.write_text(f"# x\n\n9 a NP[nb]/N the\n{feature}\n")
    cpp.weights.write_text("1\n1\n")
    with pytest.raises(CandCError) as caught, CandC(cpp):
        pass
    assert feature in str(caught.value) and reason in str(caught.value)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_features_and_weights_of_two_models_are_refused(cpp, tmp_path):
    cpp.weights.write_text("1\n1\n")
    with pytest.raises(CandCError, match=r"22 features, but .* 2 weights: they are not of one model"):
        import_model(cpp, tmp_path / "model")


def test_weights_that_are_no_numbers_are_named(cpp, tmp_path):
    cpp.weights.write_text("x " * 22)
    with pytest.raises(CandCError, match="its weight must be a number, not 'x'"):
        import_model(cpp, tmp_path / "model")


def test_the_doctor_tells_of_the_copy(cpp, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    options = ["--cc-jar", str(cpp.jar), "--cc-home", str(cpp.home), "--json"]
    result = CliRunner().invoke(command, options)
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    said = [finding["found"] for finding in findings if finding["name"] in ("grammar", "model", "C&C")]
    assert "is for the C++ parser: a copy is made for the Java parser" in said
    assert said[-1] == "parses 'birds sing'"
    assert f"7 categories, 1 rules in {cpp.home / 'cats'}" in said
