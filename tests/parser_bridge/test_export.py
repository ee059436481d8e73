"""The grammar that is written for C&C."""

import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit.cli.export_candc_grammar import command
from ccgkit.corpora import loads
from ccgkit.corpora.deps import plain_category
from ccgkit.grammar import Category
from ccgkit.parser_bridge.export import build_grammar, write_grammar, write_model
from ccgkit.parser_bridge.layout import Layout
from ccgkit.parser_bridge.markedup import known_categories, load_notation

CORPUS = r"""We|PRP|NP want|VBP|(S[dcl]\NP)/(S[to]\NP) to|TO|(S[to]\NP)/(S[b]\NP) pick|VB|((S[b]\NP)/NP)/PR it|PRP|NP up|RP|PR .|.|.
The|DT|NP/N dogs|NNS|N that|WDT|(N\N)/(S[dcl]/NP) cats|NNS|N see|VBP|(S[dcl]\NP)/NP bark|VBP|S[dcl]\NP
How|WRB|(S[wq]/(S[q]/(S[adj]\NP)))/(S[adj]\NP) tall|JJ|S[adj]\NP are|VBP|(S[q]/(S[adj]\NP))/NP you|PRP|NP ?|.|X[odd]
"""  # noqa: E501


@pytest.fixture(scope="module")
def grammar():
    return build_grammar(loads(CORPUS, "stagged"))


def pairs(grammar):
    """The pairs without C&C's outermost parentheses."""
    return {f"{Category.parse(left)} {Category.parse(right)}" for left, right in grammar.pairs}


def is_well_marked(category, markup):
    """Whether C&C's reader would take the markup: the category, slots numbered in order, known variables."""
    slots = re.findall(r"<(\d+)>", markup)
    return (
        plain_category(markup) == str(category)
        and slots == [str(number) for number in range(1, len(slots) + 1)]
        and set(re.findall(r"\{(.)", markup)) <= set("_YZWVUTRQABCDEF")
    )


def test_every_category_is_marked_up_as_cands_reader_wants_it(grammar):
    for category, markup in grammar.markedup.items():
        assert is_well_marked(category, markup), (category, markup)


@pytest.mark.parametrize(
    ("category", "markup"),
    [
        ("NP/N", "(NP{Y}/N{Y}<1>){_}"),
        (r"(S\NP)\(S\NP)", r"((S[X]{Y}\NP{Z}){Y}\(S[X]{Y}<1>\NP{Z}){Y}){_}"),
        (r"(S[dcl]\NP)/(S[to]\NP)", r"((S[dcl]{_}\NP{Y}<1>){_}/(S[to]{Z}<2>\NP{Y*}){Z}){_}"),
        (
            r"(S[wq]/(S[q]/(S[adj]\NP)))/(S[adj]\NP)",
            r"((S[wq]{_}/(S[q]{Y}<1>/(S[adj]{Z}\NP{W}){Z*}){Y}){_}/(S[adj]{Z}<2>\NP{W}){Z}){_}",
        ),
    ],
)
def test_heads_are_those_of_our_coindexation(grammar, category, markup):
    assert grammar.markedup[Category.parse(category)] == markup


def test_particles_are_spelled_as_an_atom_that_cand_does_not_use(grammar):
    spelled = {str(category): markup for category, markup in grammar.markedup.items()}
    assert spelled["S[num]"] == "S[num]{_}" and not any("PR" in category for category in spelled)
    assert spelled[r"((S[b]\NP)/NP)/S[num]"] == r"(((S[b]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}/S[num]{W}<3>){_}"
    assert r"((S[b]\NP)/NP)/S[num] S[num]" in pairs(grammar)
    assert "S/S S[num]" not in pairs(grammar)


def test_what_cand_cannot_express_is_left_out(grammar):
    assert {str(category): count for category, count in grammar.left_out.items()} == {"X[odd]": 1}


@pytest.mark.parametrize(
    "pair",
    [
        "NP/N N", r"NP S[dcl]\NP", r"(S[dcl]\NP)/(S[to]\NP) S[to]\NP", r"S/(S\NP) (S[dcl]\NP)/NP", "conj NP",
        r"(S[to]\NP)/(S[b]\NP) (S[b]\NP)/NP", r"(S[dcl]\NP)/(S[to]\NP) (S[to]\NP)/NP",
        r"NP NP\NP", ", NP", "S[dcl] .", r"(N\N)/(S[dcl]/NP) S[dcl]/NP", r"(S[b]\NP)/NP (S\NP)\(S\NP)",
    ],
)  # fmt: skip
def test_pairs_that_combine_are_listed(grammar, pair):
    assert pair in pairs(grammar)


@pytest.mark.parametrize("pair", ["N NP/N", r"S[dcl]\NP NP", ". .", "PR NP"])
def test_others_are_not(grammar, pair):
    assert pair not in pairs(grammar)


def test_cands_unary_rules_find_their_categories(grammar):
    for needed in ("NP", r"NP/(NP\NP)", r"NP\NP", r"N\N", r"S\S", "S/S", r"(S\NP)\(S\NP)", r"(S\NP)/(S\NP)"):
        assert Category.parse(needed) in grammar.markedup


def test_verbs_of_a_corpus_without_features_get_one_that_cand_changes_types_by():
    grammar = build_grammar(
        loads(r"dogs|_|NP bark|_|S\NP loudly|_|(S\NP)\(S\NP) that|_|(NP\NP)/(S\NP)", "stagged")
    )
    spelled = set(map(str, grammar.markedup))
    assert {r"S[dcl]\NP", r"(S\NP)\(S\NP)", r"(NP\NP)/(S\NP)"} <= spelled
    assert {r"NP S[dcl]\NP", r"(NP\NP)/(S\NP) S[dcl]\NP", r"S[dcl]\NP (S\NP)\(S\NP)"} <= pairs(grammar)


def changing(*rules):
    """Sentences whose trees change a noun phrase into each of the modifiers, before or after a verb."""
    for number, (modifier, count) in enumerate(rules):
        tree = f"(<T S 0 2> (<T {modifier} 0 1> (<L NP _ _ now NP>) ) (<L S _ _ rain S>) )\n"
        yield from loads(f"ID={number}\n{tree}" * count, "auto")


def test_noun_phrases_that_trees_often_change_into_modifiers_are_told_in_the_file_of_raised_ones(tmp_path):
    others = ((r"NP\NP", 9), ("S/NP", 20), ("(S/S)/(S/S)", 20))
    grammar = build_grammar(changing(("S/S", 10), (r"(S\NP)\(S\NP)", 12), *others))
    assert {name: [*map(str, found)] for name, found in grammar.changes.items()} == {
        "trNP": [r"(S\NP)\(S\NP)", "S/S"], "trPP": [],
    }  # fmt: skip
    assert {"S/S S", r"S\NP (S\NP)\(S\NP)"} <= pairs(grammar)
    write_grammar(grammar, tmp_path)
    assert (tmp_path / "trNP").read_text().splitlines()[-2:] == [
        r"((S[X]{Y}\NP{Z}){Y}\(S[X]{Y}\NP{Z}){Y}){_} +", "(S[X]{Y}/S[X]{Y}){_} +",
    ]  # fmt: skip
    assert build_grammar(changing(("S/S", 10)), tmp_path).changes == {}


def test_the_notation_of_a_grammar_is_read_from_its_file(grammar, tmp_path):
    write_grammar(grammar, tmp_path)
    notation = load_notation(tmp_path / "markedup")
    assert notation.translate(Category.parse("PR")) is Category.parse("S[num]")
    assert notation.spellings == grammar.spellings


def test_the_files_have_cands_form(grammar, tmp_path):
    write_grammar(grammar, tmp_path)
    assert known_categories(tmp_path / "markedup") == grammar.markedup
    assert (tmp_path / "markedup").read_text().startswith("# ")
    rules = (tmp_path / "all_rule_instances").read_text().split("\n")
    assert rules[1] == "" and rules[-1] == "" and len(rules) == len(grammar.pairs) + 3
    assert "(NP/N) N" in rules
    for name in ("trNP", "trPP", "trAP", "trVP_to"):
        for line in (tmp_path / name).read_text().splitlines():
            markup, variable = line.split(" ")
            raised = Category.parse(plain_category(markup))
            assert raised.argument.result is raised.result
            assert variable == "+" or f"{{{variable}}}" in markup


atoms = st.sampled_from(["N", "NP", "S", "S[dcl]", "PP", "S[b]", "NP[nb]"])
spelled = st.recursive(
    atoms, lambda part: st.tuples(part, st.sampled_from("/\\"), part).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
    max_leaves=7,
)  # fmt: skip


@examples(20)
@given(st.lists(spelled, min_size=1, max_size=3))
def test_any_category_is_marked_up_or_left_out(categories):
    grammar = build_grammar(loads(" ".join(f"w|X|{category}" for category in categories) + "\n", "stagged"))
    for category, markup in grammar.markedup.items():
        assert is_well_marked(category, markup), (category, markup)


def test_a_grammar_is_extended_by_what_it_lacks_alone(tmp_path):
    base = tmp_path / "base"
    write_grammar(build_grammar(loads("Dogs|NNS|N bark|VBP|S[dcl]\\NP\n", "stagged")), base)
    markedup = base / "markedup"
    markedup.write_text(markedup.read_text() + "(NP\\NP)/NP\n  2 ((NP{Z}\\NP{Z}<2>){_}/NP{Y}<1>){_}\n")
    (base / "trPP").write_text("((S[X]{Y}\\NP{Z}){Y}\\((S[X]{Y}\\NP{Z}){Y}/PP{_}){Y}){Y} +\n")
    (base / "all_rule_instances").write_text("# seen\n\nNP (NP\\NP)\n(S/S) (S/S)\n")
    corpus = "of|IN|(NP\\NP)/NP see|VBP|(S[dcl]\\NP)/NP up|RP|PR\n"
    extended = build_grammar(loads(corpus, "stagged"), base)
    assert extended.markedup[Category.parse(r"(NP\NP)/NP")] == r"((NP{Z}\NP{Z}<1>){_}/NP{Y}<2>){_}"
    assert extended.markedup[Category.parse(r"(S[dcl]\NP)/NP")] == r"((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}"
    assert Category.parse("PR") not in extended.markedup  # C&C's own grammar has adverbs for them
    assert {"S/S S/S", r"NP[nb] NP[nb]\NP[nb]", r"(S[dcl]\NP)/NP NP[nb]"} <= pairs(extended)
    write_grammar(extended, tmp_path / "new")
    assert (tmp_path / "new" / "trPP").read_text() == (base / "trPP").read_text()
    (base / "all_rule_instances").unlink()
    assert pairs(build_grammar(loads(corpus, "stagged"), base)) <= pairs(extended)


def test_the_command_writes_a_home(tmp_path):
    corpus = tmp_path / "corpus.stagged"
    corpus.write_text(CORPUS)
    home = tmp_path / "home"
    result = CliRunner().invoke(command, [str(home), str(corpus), "--model"])
    assert result.exit_code == 0, result.output
    assert "X[odd] (1)" in result.stderr
    assert sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()) == [
        "grammar/all_rule_instances", "grammar/markedup", "grammar/trAP", "grammar/trNP", "grammar/trPP",
        "grammar/trVP_to", "model/weights", "words_feats/wsj02-21.feats.1-22",
        "words_feats/wsj02-21.wordsPos",
    ]  # fmt: skip
    again = CliRunner().invoke(command, [str(home), str(corpus)])
    assert again.exit_code == 2 and "--force" in again.stderr


def test_the_model_has_a_weight_for_each_feature(tmp_path):
    write_model(tmp_path)
    features = (tmp_path / "words_feats" / "wsj02-21.feats.1-22").read_text().split("\n\n", 1)[1].splitlines()
    weights = (tmp_path / "model" / "weights").read_text().split("\n\n", 1)[1].splitlines()
    assert features[0] == "1 S[dcl] 1"
    assert weights == ["logp:1.0", *["1.0"] * len(features)]


def jar(folder, *strings):
    """A folder of classes with these constants."""
    folder.mkdir()
    constants = b"".join(b"\x01" + len(text).to_bytes(2) + text.encode() for text in strings)
    (folder / "Parser.class").write_bytes(b"\xca\xfe\xba\xbe" + constants)
    return folder


def test_files_are_laid_out_as_the_jar_at_hand_wants_them(tmp_path):
    assert Layout.of(jar(tmp_path / "new", "Parsing sentence ")) == Layout()
    early = ("data/x/grammar", "data/lexicon/wsj02-21.wordsPos", "data/lexicon/wsj02-21.feats.1-22")
    assert Layout.of(jar(tmp_path / "early", *early)) == Layout(*early, early=True)
    corpus, home = tmp_path / "corpus.stagged", tmp_path / "home"
    corpus.write_text(CORPUS)
    options = [str(home), str(corpus), "--model", "--cc-jar", str(tmp_path / "early")]
    assert CliRunner().invoke(command, options).exit_code == 0
    assert (home / "data/x/grammar/trPP").read_text().startswith("# type-raised categories\n\n((S[X]")
    assert (home / "model/weights").read_text().split("\n")[2] == "1.0"
    assert (home / early[1]).exists() and (home / early[2]).exists()
