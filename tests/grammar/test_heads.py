"""Heads of categories by rule, and the dependencies that derivations have by them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import lexical_categories

from ccgkit.corpora import loads
from ccgkit.grammar import Category, Derivation, Functor, Slash, load_scheme
from ccgkit.grammar.dependencies import dependencies
from ccgkit.grammar.derivation import annotate
from ccgkit.grammar.heads import Coindexation, coindex, keeps_head, load_markedup
from ccgkit.grammar.markup import MarkupError, parts, read_markup
from ccgkit.grammar.rules import functor_is_head
from ccgkit.parsing import Parser
from ccgkit.sentence import Sentence, Supertag, Token

MARKUPS = [
    # verbs head what they make; their arguments are their own
    r"((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}",
    # modifiers leave the head to what they modify, inside and out
    r"((S{Y}\NP{Z}){Y}\(S{Y}<1>\NP{Z}){Y}){_}",
    r"((N{Y}/N{Y}){Z}/(N{Y}/N{Y}){Z}<1>){_}",
    r"(((S{Y}\NP{Z}){Y}\(S{Y}<1>\NP{Z}){Y}){_}/NP{W}<2>){_}",
    # with features, too: prepositions, adverbs, negations, final stops, conjunctions
    r"(((S[dcl]{Y}\NP{Z}){Y}\(S[dcl]{Y}<1>\NP{Z}){Y}){_}/NP{W}<2>){_}",
    r"(((S[pss]{Y}\NP{Z}){Y}/(S[pss]{Y}<1>\NP{Z}){Y}){_}/NP{W}<2>){_}",
    r"((S[dcl]{Y}\NP{Z}){Y}/(S[dcl]{Y}<1>\NP{Z}){Y}){_}",
    r"(S[dcl]{Y}\S[dcl]{Y}<1>){_}",
    r"(S[q]{Y}\S[dcl]{Y}<1>){_}",
    r"((S[dcl]{Y}\S[dcl]{Y}<1>){_}/S[dcl]{Z}<2>){_}",
    # an adverbial before the verb, whose subject comes behind it
    r"(((S[dcl]{Y}/NP{Z}){Y}/(S[dcl]{Y}<1>\NP{Z}){Y}){_}/NP{W}<2>){_}",
    # but verbs behind what is said are verbs, and so are those of bare complements and of other forms
    r"((S[dcl]{_}\S[dcl]{Y}<1>){_}\NP{Z}<2>){_}",
    r"(((S[dcl]{_}\S[dcl]{Y}<1>){_}/PP{Z}<2>){_}/NP{W}<3>){_}",
    r"((S[b]{_}\NP{Y}<1>){_}/(S[b]{Z}<2>\NP{Y*}){Z}){_}",
    r"((S[dcl]{_}\NP{Y}<1>){_}\(S[adj]{Z}<2>\NP{Y*}){Z}){_}",
    r"((S[dcl]{_}/NP{Y}<1>){_}/(S[pt]{Z}<2>\NP{Y*}){Z}){_}",
    # adjectives of relational nouns
    r"(N{Y}/(N{Y}<1>/PP{Z}){Y}){_}",
    r"((N{Y}/PP{Z}<1>){Y}/N{Y}<2>){_}",
    # what comes before an attributive adjective leaves it the noun as its subject
    r"((N{Y}/N{Y}<1>){_}/(S[adj]{Z}<2>\NP{Y*}){Z}){_}",
    r"((N{Y}\N{Y}<1>){_}/(S[adj]{Z}<2>\NP{W}){Z}){_}",
    # determiners
    r"(NP[nb]{Y}/N{Y}<1>){_}",
    # auxiliaries and subject control; object control; a subject behind the verb
    r"((S[dcl]{_}\NP{Y}<1>){_}/(S[b]{Z}<2>\NP{Y*}){Z}){_}",
    r"(((S[dcl]{_}\NP{Y}<1>){_}/(S[to]{Z}<2>\NP{W*}){Z}){_}/NP{W}<3>){_}",
    r"((S[q]{_}/(S[b]{Y}<1>\NP{Z*}){Y}){_}/NP{Z}<2>){_}",
    # an expletive controls nothing
    r"(((S[dcl]{_}\NP[expl]{Y}<1>){_}/S[em]{Z}<2>){_}/(S[adj]{W}<3>\NP{V}){W}){_}",
    # adverbial clauses: their subject is the verb's
    r"(((S{Y}\NP{Z}){Y}\(S{Y}<1>\NP{Z}){Y}){_}/(S[ng]{W}<2>\NP{Z*}){W}){_}",
    # relative pronouns, possessive ones
    r"((NP{Y}\NP{Y}<1>){_}/(S[dcl]{Z}<2>\NP{Y*}){Z}){_}",
    r"(((NP{Y}\NP{Y}<1>){_}/(S[dcl]{Z}<2>\NP{W*}){Z}){_}/N{W}<3>){_}",
    # questions and free relatives: the word is what is missing, or its noun is
    r"(S[wq]{_}/(S[q]{Y}<1>/NP{_*}){Y}){_}",
    r"((S[wq]{_}/(S[q]{Y}<1>/NP{Z*}){Y}){_}/N{Z}<2>){_}",
    r"(NP{_}/(S[dcl]{Y}<1>/NP{_*}){Y}){_}",
    # possessives of relational nouns
    r"(NP{Y}/(N{Y}<1>/PP{_*}){Y}){_}",
    r"((NP{Y}/(N{Y}<1>/PP{Z*}){Y}){_}\NP{Z}<2>){_}",
    # "easy to please"
    r"((S[adj]{_}\NP{Y}<1>){_}/((S[to]{Z}<2>\NP{W}){Z}/NP{Y*}){Z}){_}",
    # a raised noun phrase is what its predicate lacks
    r"(S{Y}/(S{Y}<1>\NP{_}){Y}){_}",
]


@pytest.mark.parametrize("markup", MARKUPS)
def test_each_construction_has_its_heads(markup: str) -> None:
    category = re.sub(r"\{..?\}|<.>", "", markup)
    assert coindex(Category.parse(category)).markup == markup


@given(lexical_categories(12))
def test_every_category_is_coindexed_and_its_markup_reads_back(category: Category) -> None:
    entry = coindex(category)
    assert all(1 <= slot <= category.arity and variable < entry.variables for slot, variable in entry.slots)
    if entry.markup is not None:
        again = read_markup(category, entry.markup)
        assert again.slots == entry.slots
        assert [part.variable for part in parts(again.head)] == [part.variable for part in parts(entry.head)]


@given(lexical_categories(4), st.sampled_from(Slash))
def test_what_modifies_shares_all_heads_with_what_is_modified(category: Category, slash: Slash) -> None:
    modifier = Functor(category, slash, category)
    assume(keeps_head(modifier))
    for whole in (modifier, modifier / "N", modifier / "S[em]"):
        head = coindex(whole).head
        part = head if whole is modifier else head.result
        assert part is not None and part.result is not None and part.argument is not None
        result, argument = ([one.variable for one in parts(side)] for side in (part.result, part.argument))
        assert result == argument
        assert result[0] != head.variable  # the word is not what it modifies


@given(lexical_categories(4), st.sampled_from(Slash))
def test_the_object_of_a_preposition_is_nothing_inside_of_what_is_modified(
    category: Category, slash: Slash
) -> None:
    assume(keeps_head(Functor(category, slash, category)))
    head = coindex(Functor(category, slash, category) / "NP").head
    assert head.result is not None and head.argument is not None
    assert head.argument.variable not in {part.variable for part in parts(head.result)}


def test_a_category_of_ten_thousand_levels_is_coindexed() -> None:
    deep: Category = Category.parse("S[dcl]")
    for _ in range(10_000):
        deep = Functor(deep, Slash.FORWARD, Category.parse("NP"))
    assert len(coindex(deep).slots) == 10_000


def test_control_verbs_are_heads_and_adverbs_are_not() -> None:
    heads = [functor_is_head(Category.parse(text)) for text in (r"(S[dcl]\NP)/(S[to]\NP)", r"(S\NP)/(S\NP)")]
    assert heads == [True, False]


def parsed(text: str, scheme: str = "ccgbank") -> Derivation:
    """The best parse of `word|category word|category …`."""
    pairs = [word.rsplit("|", 1) for word in text.split()]
    sentence = Sentence(
        tuple(Token(word) for word, _ in pairs),
        tuple((Supertag(Category.parse(category)),) for _, category in pairs),
    )
    derivation = Parser(load_scheme(scheme)).parse(sentence).derivation
    assert derivation is not None
    return derivation


def links(text: str, scheme: str = "ccgbank") -> set[tuple[str, int, str]]:
    """The dependencies of the best parse."""
    derivation = parsed(text, scheme)
    words = derivation.words
    return {(words[one.head], one.slot, words[one.argument]) for one in dependencies(derivation)}


def head_word(node: Derivation) -> str:
    while node.children:
        node = node.children[node.head]
    return node.words[0]


def test_the_object_of_a_preposition_is_not_the_subject_of_the_verb() -> None:
    found = links(
        r"I|NP saw|(S[dcl]\NP)/NP the|NP/N man|N with|((S[dcl]\NP)\(S[dcl]\NP))/NP a|NP/N telescope|N .|.",
        "rebank",
    )
    assert {link for link in found if link[0] in ("saw", "with")} == {
        ("saw", 1, "I"), ("saw", 2, "man"), ("with", 2, "saw"), ("with", 3, "telescope"),
    }  # fmt: skip


def test_a_final_stop_that_is_a_modifier_does_not_head_its_sentence() -> None:
    text = r"Er|NP schläft|S[dcl]\NP im|((S[dcl]\NP)\(S[dcl]\NP))/N Garten|N .|S[dcl]\S[dcl]"
    assert links(text, "rebank") == {
        ("schläft", 1, "Er"), ("im", 2, "schläft"), ("im", 3, "Garten"), (".", 1, "schläft"),
    }  # fmt: skip
    assert head_word(parsed(text, "rebank")) == "schläft"


def test_an_adjective_leaves_the_head_to_a_relational_noun() -> None:
    found = links(r"his|NP/N old|N/(N/PP) friend|N/PP sleeps|S[dcl]\NP", "rebank")
    assert found == {("his", 1, "friend"), ("old", 1, "friend"), ("sleeps", 1, "friend")}


def test_an_adjective_behind_an_adverb_says_something_of_its_noun() -> None:
    found = links(r"a|NP/N very|(N/N)/(S[adj]\NP) tall|S[adj]\NP man|N left|S[dcl]\NP", "rebank")
    assert {("tall", 1, "man"), ("very", 2, "tall"), ("very", 1, "man")} <= found


def test_control_reaches_the_lower_verb() -> None:
    found = links(r"I|NP urge|((S[dcl]\NP)/(S[to]\NP))/NP her|NP to|(S[to]\NP)/(S[b]\NP) leave|S[b]\NP")
    assert {("leave", 1, "her"), ("to", 1, "her"), ("urge", 3, "her"), ("urge", 1, "I")} <= found


def test_a_relative_pronoun_gives_the_verb_its_object() -> None:
    found = links(r"men|N whom|(NP\NP)/(S[dcl]/NP) I|NP saw|(S[dcl]\NP)/NP left|S[dcl]\NP")
    assert {("saw", 2, "men"), ("saw", 1, "I"), ("left", 1, "men"), ("whom", 2, "saw")} <= found


def test_conjuncts_without_ccgbanks_mark_are_conjuncts() -> None:
    """So C&C, EasyCCG and depccg label them in trees that are CCGbank's otherwise."""
    ann, bob, cid = (f"(<L N NNP NNP {name} N>)" for name in ("Ann", "Bob", "Cid"))
    both = rf"(<T N\N 1 2> (<L conj CC CC and conj>) {cid} )"
    row = rf"(<T N\N 1 2> (<L , , , , ,>) (<T N 0 2> {bob} {both} ) )"
    slept = r"(<L S[dcl]\NP VBD VBD slept S[dcl]\NP>)"
    (sentence,) = loads(f"ID=1\n(<T S[dcl] 1 2> (<T NP 0 1> (<T N 0 2> {ann} {row} ) ) {slept} )\n", "auto")
    (tree,) = sentence.derivations or ()
    found = dependencies(annotate(tree, load_scheme("ccgbank")))
    assert {tree.words[one.argument] for one in found} == {"Ann", "Bob", "Cid"}


def test_a_reduced_relative_gives_the_verb_its_subject() -> None:
    assert ("sold", 1, "books") in links(r"books|N sold|S[pss]\NP vanished|S[dcl]\NP")


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        ("ccgbank", r"Ann|N and|conj Bob|N ate|(S[dcl]\NP)/NP or|conj sold|(S[dcl]\NP)/NP figs|N"),
        ("rebank", r"Ann|N and|conj Bob|N ate|(S[dcl]\NP)/NP or|conj sold|(S[dcl]\NP)/NP figs|N"),
        ("udccg", r"Ann|NP and|conj Bob|NP ate|(S\NP)/NP or|conj sold|(S\NP)/NP figs|NP"),
    ],
)
def test_conjuncts_share_what_they_lack_and_are_shared(scheme: str, text: str) -> None:
    found = links(text, scheme)
    assert found == {
        (verb, slot, noun) for verb in ("ate", "sold") for slot, noun in ((1, "Ann"), (1, "Bob"), (2, "figs"))
    }


def test_a_relative_clause_on_one_conjunct_stays_there() -> None:
    found = links(r"Ann|N and|conj Bob|N who|(NP\NP)/(S[dcl]\NP) ran|S[dcl]\NP slept|S[dcl]\NP", "ccgbank")
    assert {("slept", 1, "Ann"), ("slept", 1, "Bob")} <= found


def test_questions_give_the_verb_the_question_word() -> None:
    found = links(r"What|S[wq]/(S[q]/NP) did|(S[q]/(S[b]\NP))/NP you|NP eat|(S[b]\NP)/NP")
    assert {("eat", 2, "What"), ("eat", 1, "you"), ("did", 1, "eat")} <= found


def test_possessors_fill_relational_nouns() -> None:
    found = links(r"her|NP/(N/PP) brother|N/PP sleeps|S[dcl]\NP", "rebank")
    assert found == {("her", 1, "brother"), ("brother", 1, "her"), ("sleeps", 1, "brother")}


def test_nodes_without_a_rule_pass_their_head_on() -> None:
    left = Derivation(Category.parse("NP"), (), Token("figs"))
    right = Derivation(Category.parse("NP"), (), Token("ripe"))
    both = Derivation(Category.parse("NP"), (left, right))
    verb = Derivation(Category.parse(r"S[dcl]\NP"), (), Token("fall"))
    from ccgkit.grammar import Rule

    whole = Derivation(Category.parse("S[dcl]"), (both, verb), None, Rule.BACKWARD_APPLICATION, 1)
    assert [(link.head, link.argument) for link in dependencies(whole)] == [(2, 0)]


def test_a_markedup_file_goes_before_the_rules(tmp_path: Path) -> None:
    path = tmp_path / "markedup"
    path.write_text("# x\n\nNP/N\n  1 (NP{_}/N{Y}<1>){_}\n  1 det %f %l\n\nN\n  0 N{_}\n", encoding="utf-8")
    coindexation = load_markedup(path)
    assert coindexation.entry(Category.parse("NP/N")).markup == "(NP{_}/N{Y}<1>){_}"
    assert coindexation.entry(Category.parse("PP/NP")) == Coindexation().entry(Category.parse("PP/NP"))


@pytest.mark.parametrize(
    "text", ["", "# x\n\nNP/N\n  1 (NP{_}/N{Y\n", "# x\n\nNP/N\n  1 N{_}\n", "# x\n\nNP/\n"]
)
def test_a_markedup_file_that_does_not_read_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "markedup"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MarkupError, match="markedup"):
        load_markedup(path)
