"""What a codec writes, it reads back the same; and a file it has read, it writes as it was."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, sentences, words

from ccgkit import Category, Derivation, Sentence, Supertag, Token
from ccgkit.corpora import codec, dumps, formats, loads
from ccgkit.corpora.rule_names import without_marks

TREES = {"auto", "depccg", "prolog", "boxer", "pmb_xml", "candc_xml", "jigg", "lambeq", "jsonl"}


few = examples(12)  # whole corpora are large examples


def round_trip(corpus: list[Sentence], name: str) -> list[Sentence]:
    return list(loads(dumps(corpus, name), name))


def lists(**parts: object) -> st.SearchStrategy[list[Sentence]]:
    return st.lists(sentences(**parts), max_size=2)  # type: ignore[arg-type]


@few
@given(lists(derived=True, identified=True))
def test_auto_gives_back_derivations_and_ids(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "auto")
    assert [s.derivations for s in read] == [s.derivations for s in corpus]
    assert [s.id for s in read] == [s.id for s in corpus]
    assert dumps(read, "auto") == dumps(corpus, "auto")


@few
@given(lists(derived=True))
def test_sentences_without_an_id_are_numbered_in_auto(corpus: list[Sentence]) -> None:
    assert [s.id for s in round_trip(corpus, "auto")] == [str(n + 1) for n in range(len(corpus))]


@few
@given(lists(tagged=True, exclude="|"))
def test_stagged_gives_back_tokens_and_categories(corpus: list[Sentence]) -> None:
    assert round_trip(corpus, "stagged") == corpus


@few
@given(lists(exclude="|"))
def test_pos_gives_back_tokens(corpus: list[Sentence]) -> None:
    assert round_trip(corpus, "pos") == corpus


@few
@given(lists(tagged=True, identified=True))
def test_conll_gives_back_tokens_categories_and_ids(corpus: list[Sentence]) -> None:
    assert round_trip(corpus, "conll") == corpus


@few
@given(lists(tagged=True, dependent=True))
def test_conll_gives_back_dependencies(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "conll")
    assert [set(s.dependencies or ()) for s in read] == [set(s.dependencies or ()) for s in corpus]


@few
@given(lists(tagged=True, identified=True))
def test_conllu_gives_back_tokens_categories_and_ids(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "conllu")
    assert [(s.tokens, s.tags, s.id) for s in read] == [(s.tokens, s.tags, s.id) for s in corpus]
    assert dumps(read, "conllu") == dumps(corpus, "conllu")


@few
@given(lists(tagged=True, k_best=True, dependent=True, identified=True))
def test_conllu_gives_back_supertags_and_dependencies(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "conllu")
    for before, after in zip(corpus, read, strict=True):
        assert set(after.dependencies or ()) == set(before.dependencies or ())
        for given_tags, read_tags in zip(before.tags or (), after.tags or (), strict=True):
            assert [tag.category for tag in given_tags] == [tag.category for tag in read_tags]
    assert dumps(read, "conllu") == dumps(corpus, "conllu")


@pytest.mark.parametrize("name", ["multitag", "easyccg"])
@few
@given(corpus=lists(tagged=True, k_best=True, exclude="|"))
def test_k_best_formats_give_back_all_categories(name: str, corpus: list[Sentence]) -> None:
    read = round_trip(corpus, name)
    assert [s.tokens for s in read] == [s.tokens for s in corpus]
    for before, after in zip(corpus, read, strict=True):
        for given_tags, read_tags in zip(before.tags or (), after.tags or (), strict=True):
            assert [tag.category for tag in given_tags] == [tag.category for tag in read_tags]
            for given_tag, read_tag in zip(given_tags, read_tags, strict=True):
                assert math.isclose(given_tag.logprob, read_tag.logprob, abs_tol=1e-9)
    assert dumps(read, name) == dumps(corpus, name)


@few
@given(lists(tagged=True, dependent=True, exclude="|"))
def test_candc_output_gives_back_dependencies_and_categories(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "deps")
    assert [replace(s, meta={}) for s in read] == corpus


@pytest.mark.parametrize("name", ["gold_deps", "parg"])
@few
@given(corpus=lists(dependent=True, identified=True))
def test_dependency_files_give_back_dependencies(name: str, corpus: list[Sentence]) -> None:
    assert [s.dependencies for s in round_trip(corpus, name)] == [s.dependencies for s in corpus]


@few
@given(lists(derived=True, tagged=True, dependent=True, identified=True))
def test_jsonl_gives_back_everything(corpus: list[Sentence]) -> None:
    assert round_trip(corpus, "jsonl") == corpus


@pytest.mark.parametrize("name", ["conll", "conllu", "depccg", "prolog", "pmb_xml", "jigg", "jsonl"])
@few
@given(lemma=words().filter(lambda lemma: lemma not in ("_", "XX", "*")))
def test_formats_with_a_place_for_lemmas_give_them_back(name: str, lemma: str) -> None:
    tokens = (Token("a", "DT", lemma=lemma), Token("b", "NN"))
    determiner, noun, phrase = map(Category.parse, ("NP/N", "N", "NP"))
    leaves = (Derivation(determiner, token=tokens[0]), Derivation(noun, token=tokens[1]))
    tree = Derivation(phrase, leaves)
    (read,) = round_trip([Sentence(tokens, derivations=(tree,), id="1")], name)
    assert [token.lemma for token in read] == [lemma, None]


@few
@given(lists(derived=True, identified=True))
def test_depccg_gives_back_trees_without_heads(corpus: list[Sentence]) -> None:
    read = round_trip(corpus, "depccg") if corpus else []
    shapes = [[(n.category, n.token) for n in s.derivations[0].nodes()] for s in read if s.derivations]
    assert shapes == [
        [(without_marks(n).category, n.token) for n in s.derivations[0].nodes()]
        for s in corpus if s.derivations
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["prolog", "pmb_xml"])
@few
@given(corpus=lists(derived=True, identified=True))
def test_pmb_gives_back_words_and_shape(name: str, corpus: list[Sentence]) -> None:
    read = round_trip(corpus, name)
    assert [s.tokens for s in read] == [s.tokens for s in corpus]
    assert [s.id for s in read] == [s.id for s in corpus]
    arity = [[len(n.children) for n in s.derivations[0].nodes()] for s in read if s.derivations]
    assert arity == [[len(n.children) for n in s.derivations[0].nodes()] for s in corpus if s.derivations]
    assert dumps(read, name) == dumps(round_trip(read, name), name)


@pytest.mark.parametrize("name", ["boxer", "candc_xml", "jigg"])
@few
@given(corpus=lists(derived=True, identified=True))
def test_files_of_candc_give_back_words_categories_and_shape(name: str, corpus: list[Sentence]) -> None:
    spelled = [
        s for s in corpus if s.derivations and not any(n.category.conj for n in s.derivations[0].nodes())
    ]
    read = round_trip(spelled, name)
    assert [s.id for s in read] == [s.id for s in spelled]
    for before, after in zip(spelled, read, strict=True):
        assert [(t.word, t.pos, t.entity) for t in after] == [(t.word, t.pos, t.entity) for t in before]
        (given_tree,), (read_tree,) = before.derivations or (), after.derivations or ()
        if name != "boxer":  # which has no [X]
            assert [n.category for n in read_tree.nodes()] == [n.category for n in given_tree.nodes()]
        assert [len(n.children) for n in read_tree.nodes()] == [len(n.children) for n in given_tree.nodes()]
    assert dumps(read, name) == dumps(round_trip(read, name), name)


@pytest.mark.parametrize("name", ["depccg", "boxer", "candc_xml", "jigg", "jsonl"])
@few
@given(entity=words().filter(lambda entity: entity not in ("O", "XX", "*")))
def test_formats_with_a_place_for_entities_give_them_back(name: str, entity: str) -> None:
    tree = Derivation(Category.parse("N"), token=Token("Acme", "NNP", entity=entity))
    (read,) = round_trip([Sentence(tree.tokens, derivations=(tree,))], name)
    assert [token.entity for token in read] == [entity]


@pytest.mark.parametrize("name", sorted(formats()))
def test_no_sentences_make_a_file_of_no_sentences(name: str) -> None:
    assert round_trip([], name) == []


@pytest.mark.parametrize("name", sorted(TREES))
def test_a_sentence_of_three_hundred_words_and_as_many_levels(name: str) -> None:
    from ccgkit import Category

    noun = Category.parse("N")
    tree = Derivation(noun, token=Token("end", "NN"))
    for number in range(299):
        word = Derivation(noun / noun, token=Token(f"w{number}", "NN"))
        tree = Derivation(noun, (word, tree), None, None, 1)
    (read,) = round_trip([Sentence(tree.tokens, derivations=(tree,))], name)
    assert read.words == tree.words
    assert len(read.tokens) == 300


@pytest.mark.parametrize(
    "name", sorted(set(formats()) - {"depccg", "prolog", "boxer", "pmb_xml", "candc_xml", "jigg"})
)
def test_windows_line_ends_are_kept(name: str) -> None:
    from ccgkit import Category, Dependency

    noun = Category.parse("N")
    tree = Derivation(noun, token=Token("word", "NN"))
    links = (Dependency(0, noun / noun, 1, 0),)
    whole = Sentence(tree.tokens, ((Supertag(noun),),), (tree,), links, "a.1")
    text = dumps([whole, whole], name).replace("\n", "\r\n")
    assert dumps(loads(text, name), name) == text


def test_every_format_has_the_four_functions() -> None:
    from importlib import import_module

    for name in formats():
        module = import_module(f"ccgkit.corpora.{name}")
        for function in ("load", "loads", "dump", "dumps"):
            assert getattr(module, function) == getattr(codec(name), function)
