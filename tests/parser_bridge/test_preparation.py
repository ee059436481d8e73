"""What is sent to C&C: categories it knows, sorted, with sound probabilities."""

import math

import pytest
from bridge_sentences import sentence
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ccgkit.cli.tag import command as tag
from ccgkit.corpora import multitag
from ccgkit.grammar import Category, Dependency
from ccgkit.parser_bridge import CandCError
from ccgkit.parser_bridge.markedup import known_categories
from ccgkit.parser_bridge.notation import Notation
from ccgkit.parser_bridge.preparation import prepare
from ccgkit.parser_bridge.spellings import Spellings

KNOWN = [
    "N", "N/N", "N/PP", "NP", "NP[nb]/N", r"(NP[nb]/N)\NP", r"S[dcl]\NP", r"(S[dcl]\NP)/NP", r"(S\NP)\(S\NP)",
    r"((S\NP)\(S\NP))/NP", r"S\S",
]  # fmt: skip


def notation(known=KNOWN):
    return Notation([Category.parse(text) for text in known])


def sent(*tags, known=KNOWN, floor=1e-4):
    """(category, probability) of a word with these tags."""
    prepared, dropped = prepare(sentence("w", *tags), notation(known), floor)
    return [(str(tag.category), round(math.exp(tag.logprob), 6)) for tag in prepared.tags[0]], dropped


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("NP/N", "NP[nb]/N"),
        (r"(NP/N)\NP", r"(NP[nb]/N)\NP"),
        ("NP/(N/PP)", "NP[nb]/N"),
        (r"(NP/(N/PP))\NP", r"(NP[nb]/N)\NP"),
        ("N/(N/PP)", "N/N"),
        ("(N/PP)/(N/PP)", "N/N"),
        ("N/PP", "N/PP"),
        ("PR", r"(S\NP)\(S\NP)"),
        (r"((S[dcl]\NP)/NP)/PR", r"(S[dcl]\NP)/NP"),
        (r"((S[dcl]\NP)/PR)/NP", r"(S[dcl]\NP)/NP"),
        (r"(S[X]\NP)\(S[X]\NP)", r"(S\NP)\(S\NP)"),
        (r"((S[dcl]\NP)\(S[dcl]\NP))/NP", r"((S\NP)\(S\NP))/NP"),
        (r"S[dcl]\S[dcl]", r"S\S"),
        (r"S[dcl]\PP", None),
    ],
)
def test_notation(ours, theirs):
    found = notation().translate(Category.parse(ours))
    assert found is (theirs and Category.parse(theirs))


def test_a_category_that_is_known_stays_unless_another_is_preferred():
    both = notation([*KNOWN, "NP/N", "PR"])
    assert both.translate(Category.parse("PR")) is Category.parse("PR")
    assert both.translate(Category.parse("NP/N")) is Category.parse("NP[nb]/N")
    assert notation(["NP/N"]).translate(Category.parse("NP/N")) is Category.parse("NP/N")


def test_unknown_categories_are_left_out_and_counted():
    tags, dropped = sent(("N", math.log(0.6)), (r"S[q]\PP", math.log(0.3)), ("NP", math.log(0.1)))
    assert tags == [("N", 0.6), ("NP", 0.1)]
    assert r"S[q]\PP (1)" in str(dropped)


def test_a_word_keeps_at_least_one_tag():
    tags, dropped = sent((r"(S[ng]\NP)/NP", -0.5), (r"(S[q]\PP)/PP", -2))
    assert tags[0] == (r"(S[dcl]\NP)/NP", round(math.exp(-0.5 - 1), 6))  # the same but for features
    assert r"(S[dcl]\NP)/NP for (S[ng]\NP)/NP" in str(dropped)
    assert sent((r"S[q]/PP", -0.5))[0][0][0] == r"S[dcl]\NP"  # the same target, as many arguments
    assert sent((r"S[q]\S[dcl]", -0.5))[0][0][0] == r"S\S"  # and the argument and its side
    assert sent((r"S[dcl]/PP", -0.5))[0][0][0] == r"S[dcl]\NP"  # or the target's feature
    assert sent(("LRB", -0.5))[0][0][0] == "N"
    assert sent(("LRB", -0.5), known=["NP", "PP"])[0][0][0] == "NP"


@pytest.mark.parametrize(
    ("unknown", "near"),
    [
        (r"S[wq]/(S[q]/(S[adj]\NP))", "S[wq]/(S[q]/NP)"),
        (r"((S[b]\NP)/NP)/PP", r"(S[b]\NP)/NP"),
        (r"(S[ng]\NP)/(S[ng]\NP)", r"(S[ng]\NP)/(S[to]\NP)"),
        ("PP", "N"),
    ],
)
def test_the_category_for_an_unknown_one_is_near(unknown, near):
    known = [r"S[wq]/(S[dcl]\NP)", "S[wq]/(S[q]/NP)", "N", r"(S[ng]\NP)/NP", r"(S[b]\NP)/NP",
             r"(S[ng]\NP)/(S[to]\NP)", r"(S[dcl]\NP)/(S[to]\NP)"]  # fmt: skip
    assert notation(known).fallbacks(Category.parse(unknown))[0][0] is Category.parse(near)


def test_for_an_unknown_category_several_are_sent_the_nearer_the_more_probable():
    """In *What year did it end?* only that without a gap combines."""
    known = ["(S[wq]/(S[q]/NP))/N", "(S/S)/N", "N", r"S[dcl]\NP"]
    tags, dropped = sent(("(S[wq]/S[q])/N", math.log(0.5)), known=known)
    assert [category for category, _ in tags] == ["(S[wq]/(S[q]/NP))/N", "(S/S)/N", r"S[dcl]\NP"]
    assert 0.5 > tags[0][1] > tags[1][1] > tags[2][1]
    assert "1 words had no other" in str(dropped)


def test_spellings_are_read_back():
    spellings = Spellings(particles=True, clauses=True)
    up, bark = Category.parse(r"((S\NP)/NP)/PR"), Category.parse(r"S\NP")
    assert str(spellings.write(bark)) == r"S[dcl]\NP"
    for category in (up, bark, Category.parse(r"(S\NP)\(S\NP)")):
        assert spellings.read(spellings.write(category)) is category
    markup = r"(((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}/S[num]{W}<3>){_}"
    link = Dependency(0, spellings.write(up), 3, 1, 0, markup)
    assert spellings.read_dependency(link) == Dependency(
        0, up, 3, 1, 0, r"(((S{_}\NP{Y}<1>){_}/NP{Z}<2>){_}/PR{W}<3>){_}"
    )


def test_a_relational_noun_may_also_be_a_noun():
    assert sent(("N/PP", math.log(0.5)))[0] == [("N/PP", 0.5), ("N", 0.5)]


def test_tags_are_sorted_and_merged_and_end_at_the_floor():
    tags, _ = sent(("NP", math.log(0.2)), ("N/N", math.log(0.1)), ("N", math.log(0.7)), ("N", math.log(0.3)))
    assert tags == [("N", 0.7), ("NP", 0.2), ("N/N", 0.1)]
    assert [tag for tag, _ in sent(("N", 0.0), ("NP", math.log(9e-5)), ("N/N", math.log(2e-4)))[0]] == [
        "N",
        "N/N",
    ]


def test_probabilities_that_are_none_are_mended():
    assert sent(("N", math.nan), ("NP", -1.0))[0] == [("NP", round(math.exp(-1), 6))]
    assert sent(("N", -math.inf), ("NP", math.nan))[0] == [("N", 1.0), ("NP", 1.0)]
    assert sent(("N", math.inf))[0] == [("N", 1.0)]
    assert sent(("N", -100.0), ("NP", -101.0))[0] == [("N", 1.0), ("NP", round(math.exp(-1), 6))]
    assert sent(("N", 5.0), ("NP", 4.0))[0] == [("N", 1.0), ("NP", round(math.exp(-1), 6))]


scores = st.floats(allow_nan=True, allow_infinity=True)
pairs = st.tuples(st.sampled_from([*KNOWN, "PR", "LRB", r"S[q]\PP", "NP/N"]), scores)


@given(st.lists(pairs, min_size=1, max_size=8))
def test_whatever_the_tags_a_file_is_what_cands_reader_wants(tags):
    prepared, _ = prepare(sentence("w", *tags), notation(), 1e-4)
    (line,) = [line for line in multitag.dumps([prepared]).splitlines()[2:] if line]
    _, _, size, *fields = line.split(" ")
    probabilities = [float(field) for field in fields[1::2]]
    assert int(size) == len(probabilities) >= 1
    assert set(fields[::2]) <= set(KNOWN) and len(set(fields[::2])) == int(size)
    assert all(1e-10 <= p <= 1 and math.isfinite(p) for p in probabilities)
    assert probabilities == sorted(probabilities, reverse=True)
    assert probabilities[-1] >= 0.99e-4 * probabilities[0]


def test_markedup_files_name_their_categories(tmp_path):
    path = tmp_path / "markedup"
    path.write_text(
        "# N/A\n# more\n\n=group a b\n# comment\nN/N\n  1 (N{Y}/N{Y}<1>){_}\n  ! 1 x\n  1 ncmod _ %f %l\n\n"
        "(S\\NP)\n  1 (S{_}\\NP{Y}<1>){_}\n\n,\n  0 ,{_}\n"
    )
    assert {str(category): markup for category, markup in known_categories(path).items()} == {
        "N/N": "(N{Y}/N{Y}<1>){_}", ",": ",{_}",
    }  # fmt: skip
    path.write_text("# nothing\n\n")
    with pytest.raises(CandCError, match="no categories"):
        known_categories(path)


def test_a_file_of_tags_is_for_one_grammar_and_all_its_betas(home, tmp_path):
    """`ccgkit tag --cc-grammar` writes what C&C reads without an error, and finds more in at lower betas."""
    output = tmp_path / "tags.multitag"
    options = ["--cc-grammar", str(home / "grammar"), "--output", str(output)]
    text = "Dogs like them near fish. Fish like dogs pick them up. Like dogs that fish."
    result = CliRunner().invoke(tag, [text, *options])
    assert result.exit_code == 0, result.output
    known = known_categories(home / "grammar" / "markedup")
    words = [tags for sentence in multitag.load(output) for tags in sentence.tags]
    assert {supertag.category for tags in words for supertag in tags} <= set(known)
    least = min(tags[-1].logprob - tags[0].logprob for tags in words)
    assert math.log(1e-4) <= least < math.log(0.01)


def test_a_file_of_single_tags_is_for_one_grammar(home):
    options = ["--format", "stagged", "--cc-grammar", str(home / "grammar")]
    result = CliRunner().invoke(tag, ["The dogs pick them up.", *options])
    assert result.stdout.splitlines()[-1].startswith("The|DT|NP[nb]/N dogs|NNS|N ")
    assert CliRunner().invoke(tag, ["a", "--format", "jsonl", *options[2:]]).exit_code == 2
