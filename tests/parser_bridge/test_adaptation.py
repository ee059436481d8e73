"""A grammar of the C++ parser's becomes one of the Java parser's, in a copy."""

import json
from dataclasses import replace

import pytest
from bridge_sentences import sentence
from click.testing import CliRunner

from ccgkit.cli.doctor import command
from ccgkit.parser_bridge import CandC, CandCError
from ccgkit.parser_bridge.adaptation import adapt, needs_adaptation
from ccgkit.parser_bridge.pairs import read_pairs

UNORDERED = "\n(NP\\NP)/NP\n  2 ((NP{Y}\\NP{Y}<2>){_}/NP{Z}<1>){_}\n  1 dobj %l <2>\n"


@pytest.fixture
def made_for_cpp(home):
    grammar = home / "grammar"
    markedup = grammar / "markedup"
    markedup.write_text(markedup.read_text() + UNORDERED)
    (grammar / "all_rule_instances").write_text("# seen\n\n(NP[nb]/N) N\nNP (NP\\NP)\nconj N\n")
    return grammar


def test_slots_are_numbered_and_rules_widened_in_a_copy(made_for_cpp, tmp_path):
    before = (made_for_cpp / "markedup").read_text()
    assert needs_adaptation(made_for_cpp) == ["markedup", "all_rule_instances"]
    copy = adapt(made_for_cpp, tmp_path / "copy")
    assert (made_for_cpp / "markedup").read_text() == before
    assert (copy / "markedup").read_text() == before.replace(
        "((NP{Y}\\NP{Y}<2>){_}/NP{Z}<1>){_}", "((NP{Y}\\NP{Y}<1>){_}/NP{Z}<2>){_}"
    )
    assert set(read_pairs(copy / "all_rule_instances")) >= {
        ("(NP[nb]/N)", "N"), ("(NP[nb]/N)", "N[num]"), ("conj", "N"), ("conj", "N[num]"),
        ("NP", "(NP\\NP)"), ("NP", "(NP[nb]\\NP[nb])"), ("NP[nb]", "(NP\\NP)"),
        ("NP[nb]", "(NP[nb]\\NP[nb])"),
    }  # fmt: skip
    assert {path.name for path in copy.iterdir()} == {path.name for path in made_for_cpp.iterdir()}


QUESTIONS = r"""
S[q]/(S[b]\NP)
  1 (S[q]{_}/(S[b]{Y}<1>\NP{Z}){Y}){_}

S[q]/(S[pss]\NP)
  1 (S[q]{_}/(S[pss]{Y}<1>\NP{Z}){Y}){_}

(S[b]\NP)/NP
  2 ((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}

(S[pss]\NP)/NP
  2 ((S[pss]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}

(S[pss]\NP)/PP
  2 ((S[pss]{_}\NP{Y}<1>){_}/PP{Z}<2>){_}

S[q]/PP
  1 (S[q]{_}/PP{Y}<1>){_}

S[q]/NP
  1 (S[q]{_}/NP{Y}<1>){_}
"""


def test_pairs_that_only_happen_not_to_be_seen_are_added_to_a_list(made_for_cpp, tmp_path):
    markedup, rules = made_for_cpp / "markedup", made_for_cpp / "all_rule_instances"
    markedup.write_text(markedup.read_text() + QUESTIONS)
    rules.write_text(rules.read_text() + "(S[q]/(S[b]\\NP)) ((S[b]\\NP)/NP)\nno) (category\n")
    pairs = set(read_pairs(adapt(made_for_cpp, tmp_path / "copy") / "all_rule_instances"))
    other_features = (r"(S[q]/(S[pss]\NP))", r"((S[pss]\NP)/NP)")
    application, quotes, apposition = ("(S[q]/PP)", "PP"), ("LQU", "S[q]"), ("NP", "NP[nb]")
    assert {other_features, application, quotes, apposition, ("no)", "(category")} <= pairs
    assert (r"(S[q]/(S[pss]\NP))", r"((S[pss]\NP)/PP)") not in pairs  # a composition of a kind never seen


def test_what_the_java_parser_reads_is_used_as_it_is(made_for_cpp, tmp_path):
    copy = adapt(made_for_cpp, tmp_path / "copy")
    assert needs_adaptation(copy) == []
    assert adapt(copy, tmp_path / "again") == copy


def test_without_a_rule_list_all_pairs_that_the_categories_form_are_listed(made_for_cpp, tmp_path):
    (made_for_cpp / "all_rule_instances").unlink()
    raised = r"((S[X]{Y}\NP{Z}){Y}\((S[X]{Y}\NP{Z}){Y}/PP{_}){Y}){Y} +"
    (made_for_cpp / "trPP").write_text(f"{raised}\n")
    markedup = made_for_cpp / "markedup"
    markedup.write_text(markedup.read_text() + "\n(S[b]\\NP)/PP\n  2 ((S[b]{_}\\NP{Y}<1>){_}/PP{Z}<2>){_}\n")
    assert needs_adaptation(made_for_cpp) == ["markedup", "all_rule_instances"]
    pairs = set(read_pairs(adapt(made_for_cpp, tmp_path / "copy") / "all_rule_instances"))
    assert {
        ("(NP[nb]/N)", "N"), ("(NP[nb]/N)", "N[num]"), ("NP[nb]", r"(S[dcl]\NP)"), ("S[dcl]", "."),
        ("((NP\\NP)/NP)", "NP[nb]"), (r"((S[b]\NP)/PP)", r"((S\NP)\((S\NP)/PP))"), ("NP", "NP[nb]"),
    } <= pairs  # fmt: skip
    assert ("N", "NP") not in pairs and ("(NP[nb]/N)", "NP") not in pairs
    assert not (made_for_cpp / "all_rule_instances").exists()


def test_an_older_jar_must_have_its_rule_list(installation):
    (installation.grammar / "all_rule_instances").unlink()
    older = replace(installation, java_options=(*installation.java_options, "-Dolder=true"))
    with pytest.raises(CandCError, match="for which no rules are made"), CandC(older):
        pass


def test_the_parser_uses_the_copy(installation, made_for_cpp):
    with CandC(installation) as parser:
        assert parser.parse(sentence("a b")).status.value == "parsed"


def doctor(installation, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    options = ["--cc-jar", str(installation.jar), "--cc-home", str(installation.home), "--json"]
    result = CliRunner().invoke(command, options)
    findings = [json.loads(line) for line in result.stdout.splitlines()]
    return result.exit_code, [finding for finding in findings if finding["name"] in ("C&C", "grammar")]


def test_the_doctor_parses(installation, made_for_cpp, monkeypatch, tmp_path):
    _, findings = doctor(installation, monkeypatch, tmp_path)
    assert [finding["ok"] for finding in findings] == [True, None, None, True]
    assert "for the C++ parser" in findings[1]["found"]
    (made_for_cpp / "all_rule_instances").unlink()
    _, findings = doctor(installation, monkeypatch, tmp_path)
    assert "no all_rule_instances" in findings[0]["found"]
    assert findings[2]["found"] == "all_rule_instances is made of its categories"
    assert findings[-1]["ok"]


def test_the_doctor_finds_a_rule_list_without_rules(installation, monkeypatch, tmp_path):
    (installation.grammar / "all_rule_instances").write_text("# rules\n\n")
    code, findings = doctor(installation, monkeypatch, tmp_path)
    assert code == 1
    assert "no two words would combine" in next(one["found"] for one in findings if one["ok"] is False)


def test_the_doctor_finds_a_grammar_that_does_not_load(installation, monkeypatch, tmp_path):
    markedup = installation.grammar / "markedup"
    markedup.write_text(markedup.read_text() + "\nN/NP\n  1 (N{_}/NP{Y}\n")
    code, findings = doctor(installation, monkeypatch, tmp_path)
    assert code == 1
    assert findings[-1]["ok"] is False and "unbalanced" in findings[-1]["found"]
