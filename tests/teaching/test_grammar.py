"""A grammar of one's own gives all derivations under its rules: no more, no fewer, none twice."""

from itertools import islice

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lexica import TOY
from strategies import examples

from ccgkit import Category, Derivation, Rule, Token
from ccgkit.grammar import change, combine, in_normal_form, unify, unlicensed
from ccgkit.grammar.rules import Kind
from ccgkit.teaching import Grammar, Lexicon, UnknownWordError


@pytest.mark.parametrize(
    ("sentence", "derivations"),
    [
        ("John likes Mary", 1),
        ("I saw the man with a telescope", 2),
        ("John likes and Mary hates the book", 1),
        ("John gave Mary a book and Bill a pen", 1),
        ("John likes Mary and Bill", 1),
        ("John gave Mary a book", 1),
        ("the book which John likes", 0),
        ("likes John Mary", 0),
    ],
)
def test_normal_form_has_one_derivation_a_reading(sentence, derivations):
    forest = Grammar(TOY).parse(sentence)
    assert forest.count == len(list(forest)) == len(list(forest.readings())) == derivations
    everything = Grammar(TOY, normal_form=False).parse(sentence)
    assert len(list(everything.readings())) == derivations
    assert bool(everything) is bool(derivations)


@pytest.mark.parametrize(
    ("sentence", "needed"),
    [
        ("John likes and Mary hates the book", {"composition", "type_raising"}),
        ("John gave Mary a book and Bill a pen", {"composition", "type_raising"}),
        ("John saw quickly Mary", {"composition", "crossed"}),
        ("John likes Mary", set()),
    ],
)
def test_a_sentence_needs_just_the_rules_it_needs(sentence, needed):
    switches = dict.fromkeys(("composition", "crossed", "type_raising", "substitution"), True)
    assert Grammar(TOY, **switches).parse(sentence)
    for name in switches:
        assert bool(Grammar(TOY, **switches | {name: False}).parse(sentence)) is (name not in needed)


def test_parasitic_gaps_need_substitution():
    book = "the book which John file without read"
    assert not Grammar(TOY).parse(book, root="NP")
    assert Grammar(TOY, substitution=True).parse(book, root="NP")


def test_a_root_may_be_asked_for():
    assert Grammar(TOY).parse("the book which John likes", root="NP").count == 1


def test_a_treebanks_scheme_can_be_taken():
    lexicon = Lexicon.fromstring("John figs := N\ngrows := (S[dcl]\\NP)/NP")
    (derivation,) = Grammar(lexicon, "ccgbank").parse("John grows figs").readings()
    assert [str(node.category) for node in derivation.nodes()].count("NP") == 2
    assert not Grammar(lexicon).parse("John grows figs")


def test_other_atoms_can_be_raised():
    lexicon = Lexicon.fromstring("Ann Bob he := DP\nsees hears := (S\\DP)/DP\nand := conj")
    assert not Grammar(lexicon).parse("Ann sees and Bob hears he")
    assert Grammar(lexicon, type_raising="DP").parse("Ann sees and Bob hears he").count == 1


def test_features_are_passed_on_to_what_is_raised():
    lexicon = Lexicon.fromstring(
        "she := NP[sg]\nthey := NP[pl]\nsings := S\\NP[sg]\nsongs := NP\nknows := S\\NP[sg]/NP"
    )
    grammar = Grammar(lexicon, normal_form=False)
    assert grammar.parse("she knows songs").count == 5
    assert not grammar.parse("they knows songs") and not grammar.parse("they sings")


def test_features_of_verbs_make_no_copies():
    lexicon = Lexicon.fromstring(r"""
    John Mary := NP
    sees := (S[dcl]\NP)/NP
    see := (S[b]\NP)/NP
    seeing := (S[ng]\NP)/NP
    and := conj
    """)
    (derivation,) = Grammar(lexicon).parse("John sees and Mary sees John")
    assert Grammar(lexicon).parse("John sees Mary", root="S[dcl]").count == 1
    assert Grammar(lexicon, normal_form=False).parse("John sees Mary").count == 5
    assert derivation.rule is Rule.FORWARD_APPLICATION


def test_more_derivations_than_could_be_made_are_counted_and_begun():
    words = " ".join(["the"] + ["old"] * 60 + ["man"])
    lexicon = Lexicon.fromstring("the := NP/N\nold := N/N\nman := N")
    forest = Grammar(lexicon, normal_form=False).parse(words, root="NP")
    assert forest.count == catalan(61)
    assert len(set(islice(forest, 5))) == 5
    assert Grammar(lexicon).parse(words, root="NP").count == 1


def catalan(n):
    """Ways to bracket n + 1 words: every one is a derivation if all of them compose."""
    number = 1
    for k in range(n):
        number = number * 2 * (2 * k + 1) // (k + 2)
    return number


def test_a_forest_knows_its_number_and_draws_itself():
    forest = Grammar(TOY).parse("I saw the man with a telescope")
    assert repr(forest) == "<Forest of 2 derivations: I saw the man with a telescope>"
    assert forest[1] == list(forest)[1] and forest[0] != forest[1]
    with pytest.raises(IndexError, match="there are 2 derivations"):
        forest[2]
    assert forest._repr_html_().count('class="ccg"') == 2
    nothing = Grammar(TOY).parse("John John")
    assert not nothing and nothing.count == 0 and list(nothing) == []
    assert Grammar(TOY).parse("").count == 0


def test_unknown_words_are_refused():
    with pytest.raises(UnknownWordError, match=r"'Mary\.' \(did you mean 'Mary'\?\)"):
        Grammar(TOY).parse("John likes Mary.")


def test_steps_go_from_the_words_to_the_whole():
    (derivation,) = Grammar(TOY).parse("John likes Mary")
    assert [str(step) for step in derivation.steps()] == [
        "John := NP",
        r"likes := (S\NP)/NP",
        "Mary := NP",
        r"likes Mary := S\NP  >",
        "John likes Mary := S  <",
    ]
    *_, last = derivation.steps()
    assert last.parts == (Category.parse("NP"), Category.parse(r"S\NP"))


CATEGORIES = ["S", "NP", "N", "NP/N", r"S\NP", r"(S\NP)/NP", r"((S\NP)/NP)/NP", r"(S\NP)\(S\NP)", "S/S",
              r"NP\NP", r"(NP\NP)/NP", r"(S\NP)/(S\NP)", "conj", r"S/(S\NP)", ",", "NP/(S/NP)"]  # fmt: skip


@st.composite
def classes(draw):
    """A sentence of words each with its own categories."""
    sentence = [f"w{number}" for number in range(draw(st.integers(1, 5)))]
    known = st.lists(st.sampled_from(CATEGORIES), min_size=1, max_size=2, unique=True)
    return Lexicon.fromstring(
        "\n".join(f"{word} := {' | '.join(draw(known))}" for word in sentence)
    ), sentence


FREE_RELATIVE = r"""
I you := NP
like see := (S\NP)/NP
what := NP/(S/NP)
"""

SWITCHES = st.fixed_dictionaries(
    {name: st.booleans() for name in ("composition", "crossed", "type_raising", "substitution")}
)


def by_brute_force(grammar, words):
    """Every derivation of the words, by trying everything without sharing anything."""
    if len(words) == 1:
        found = [Derivation(one, token=Token(words[0])) for one in grammar.lexicon.categories(words[0])]
    else:
        found = [
            Derivation(made.category, (left, right), rule=made.rule, head=made.head)
            for middle in range(1, len(words))
            for left in by_brute_force(grammar, words[:middle])
            for right in by_brute_force(grammar, words[middle:])
            for made in combine(left.category, right.category, grammar.scheme)
        ]
    for chain in range(2):
        found += [
            Derivation(made.category, (child,), rule=made.rule, head=made.head)
            for child in found
            if len(list(unary_chain(child))) == chain
            for made in change(child.category, grammar.scheme)
        ]
    return found


def unary_chain(node):
    while len(node.children) == 1:
        yield node
        node = node.children[0]


def conjoins_raised(derivation):
    def is_raised(node):
        return node.rule is not None and node.rule.kind is Kind.TYPE_RAISING

    return any(
        node.rule is Rule.COORDINATION
        and is_raised(node.children[0])
        and node.children[1].rule is Rule.CONJUNCTION
        and is_raised(node.children[1].children[1])
        for node in derivation.nodes()
    )


@examples(30)
@example((Lexicon.fromstring("w0 := S\nw1 w2 := ,"), ["w0", "w1", "w2"]), {})
@example((Lexicon.fromstring(FREE_RELATIVE), ["I", "like", "what", "you", "see"]), {})
@given(classes(), SWITCHES)
def test_the_derivations_are_those_that_brute_force_finds(made, switches):
    lexicon, words = made
    grammar = Grammar(lexicon, normal_form=False, **switches)
    expected = [d for d in by_brute_force(grammar, words) if unify("S", d.category)]
    forest = grammar.parse(words)
    assert forest.count == len(expected) and set(forest) == set(expected)
    assert not any(unlicensed(derivation, grammar.scheme) for derivation in forest)
    normal = Grammar(lexicon, **switches).parse(words)
    wanted = {d for d in expected if in_normal_form(d) and not conjoins_raised(d)}
    assert normal.count == len(wanted) and set(normal) == wanted
