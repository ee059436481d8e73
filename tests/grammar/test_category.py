"""The category tree: reading, spelling, identity, and what a linguist asks of it."""

import copy
import gc
import os
import pickle
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import atoms, categories

from ccgkit import Atom, Category, CategorySyntaxError, Functor, Slash

parse = Category.parse


#: categories, some with `[conj]` marks on any part
any_categories = categories() | st.recursive(
    st.builds(Atom.replace, atoms(), conj=st.booleans()),
    lambda parts: st.builds(Functor, parts, st.sampled_from(Slash), parts, st.booleans()),
    max_leaves=8,
)


@given(any_categories)
def test_spelling_and_reading_are_inverse(category):
    assert parse(str(category)) is category


@given(any_categories)
def test_tokens_joined_are_the_spelling(category):
    assert "".join(category.tokens()) == str(category)


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        ("NP", "NP"),
        ("((S[dcl]\\NP)/NP)", "(S[dcl]\\NP)/NP"),
        ("((NP))", "NP"),
        ("  S[dcl]\\NP\n", "S[dcl]\\NP"),
        ("(S\\NP)[conj]/NP", "(S\\NP[conj])/NP"),
        ("(S\\NP)[conj]", "S\\NP[conj]"),
        ("S[X]/(S[X]\\NP)", "S[X]/(S[X]\\NP)"),
        ("S[mod=nm,form=base,fin=f]\\NP[case=ga]", "S[mod=nm,form=base,fin=f]\\NP[case=ga]"),
    ],
)
def test_canonical_spelling(spelling, canonical):
    assert str(parse(spelling)) == canonical


@pytest.mark.parametrize(
    "spelling",
    [
        ",",
        ".",
        ";",
        ":",
        "LRB",
        "RRB",
        "LQU",
        "RQU",
        "-LRB-",
        "-RRB-",
        "$",
        "#",
        "--",
        "...",
        "``",
        "''",
        "conj",
        "PR",
        "NP[nb]",
        "N[num]",
        "conj\\conj",
        "Wörtchen",
        "名詞",
        "N1",
    ],
)
def test_atoms_of_every_scheme_and_unlisted_ones(spelling):
    assert str(parse(spelling)) == spelling


@pytest.mark.parametrize(
    ("spelling", "marked"),
    [
        ("NP[conj]", Atom("NP", None, True)),
        ("S[dcl][conj]", Atom("S", "dcl", True)),
        ("S[dcl]\\NP[conj]", Functor("S[dcl]", "\\", "NP", conj=True)),
        ("(S\\NP)\\(S\\NP)[conj]", Functor("S\\NP", "\\", "S\\NP", conj=True)),
        ("S\\(NP[conj])", Functor("S", "\\", Atom("NP", None, True))),
        ("NP[conj]/N", Functor(Atom("NP", None, True), "/", "N")),
    ],
)
def test_the_conj_mark_is_on_the_whole_category(spelling, marked):
    assert parse(spelling) is marked
    assert str(marked) == spelling


def test_the_conj_mark_is_part_of_the_identity():
    assert parse("NP[conj]") is not parse("NP")
    assert parse("NP[conj]").replace(conj=False) is parse("NP")


def test_equal_categories_are_one_object():
    assert parse("(S\\NP)/NP") is Functor(Functor(Atom("S"), "\\", Atom("NP")), Slash.FORWARD, Atom("NP"))
    assert parse("S") / "NP" is parse("S/NP")
    assert (parse("S") | parse("NP")) / "NP" is parse("(S\\NP)/NP")
    assert len({parse("N/N"), parse("(N/N)"), Functor("N", "/", "N")}) == 1


def test_one_object_also_across_threads():
    found, barrier = [], threading.Barrier(8)

    def build():
        barrier.wait()
        for i in range(300):
            found.append((i, Functor(Atom(f"T{i}"), "/", Atom("NP"))))

    threads = [threading.Thread(target=build) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 300


def test_copies_and_pickles_are_the_same_object():
    category = parse("((S[dcl]\\NP)/NP)/NP[conj]")
    assert copy.copy(category) is category
    assert copy.deepcopy([category])[0] is category
    assert all(
        pickle.loads(pickle.dumps(category, p)) is category for p in range(pickle.HIGHEST_PROTOCOL + 1)
    )


def test_categories_cannot_be_changed():
    category = parse("S\\NP")
    for name in ("result", "conj", "anything"):
        with pytest.raises(AttributeError):
            setattr(category, name, parse("NP"))
    with pytest.raises(AttributeError):
        del category.result


@given(categories())
def test_a_copy_differs_in_what_is_replaced(category):
    assert category.replace() is category
    assert category.replace(conj=True).conj
    assert category.replace(conj=True).replace(conj=category.conj) is category
    with pytest.raises(TypeError, match="colour"):
        category.replace(colour="red")


def test_categories_are_ordered_by_spelling():
    shuffled = [parse(text) for text in ("S", "(S\\NP)/NP", "NP", "N/N")]
    assert [str(category) for category in sorted(shuffled)] == ["(S\\NP)/NP", "N/N", "NP", "S"]
    assert parse("N") <= parse("N") < parse("NP") and parse("S") > parse("NP") >= parse("NP")
    with pytest.raises(TypeError):
        parse("S") < "S"  # noqa: B015


def test_matching_takes_categories_apart():
    match parse("(S[dcl]\\NP)/NP"):
        case Functor(Functor(Atom("S", feature), Slash.BACKWARD, _), Slash.FORWARD, Atom("NP")):
            assert feature == "dcl"
        case other:
            pytest.fail(f"no match for {other}")


def test_what_a_linguist_asks():
    give = parse("((S[dcl]\\NP)/PP)/NP")
    assert (give.result, give.slash, give.argument) == (parse("(S[dcl]\\NP)/PP"), Slash.FORWARD, parse("NP"))
    assert give.is_functor and not give.target.is_functor
    assert give.arity == 3 and give.depth == 3 and give.size == 4
    assert give.target is parse("S[dcl]") and give.target.feature == "dcl"
    assert give.arguments == (parse("NP"), parse("PP"), parse("NP"))
    assert [str(atom) for atom in give.atoms()] == ["S[dcl]", "NP", "PP", "NP"]
    assert [str(part) for part in give.subcategories()][:3] == [str(give), "(S[dcl]\\NP)/PP", "S[dcl]\\NP"]
    assert give.without_features() is parse("((S\\NP)/PP)/NP")
    assert give.replace(argument=parse("N")) is parse("((S[dcl]\\NP)/PP)/N")
    assert parse("NP[nb]").replace(feature=None) is parse("NP")


@pytest.mark.parametrize("text", ["N/N", "(S\\NP)\\(S\\NP)", "(N/N)/(N/N)", "S[X]\\S[X]"])
def test_modifiers(text):
    assert parse(text).is_modifier


@pytest.mark.parametrize("text", ["S/(S\\NP)", "(S\\NP)\\((S\\NP)/NP)", "S[X]/(S[X]\\NP)"])
def test_type_raised(text):
    assert parse(text).is_type_raised and not parse(text).is_modifier


@pytest.mark.parametrize(
    "text", ["S/(S\\NP)", "(S\\NP)\\((S\\NP)/NP)", "(S\\NP)\\(((S\\NP)/PP)/NP)", "S\\((S\\NP)/NP)"]
)
def test_argument_clusters(text):
    assert parse(text).is_argument_cluster


@pytest.mark.parametrize("text", ["NP", "S\\NP", "(S\\NP)\\(S\\NP)", "S[wq]/(S[q]/NP)", "(N/N)/((N/N)/NP)"])
def test_no_argument_clusters(text):
    assert not parse(text).is_argument_cluster


@pytest.mark.parametrize("text", ["NP", "S\\NP", "S[dcl]\\S[b]", "S/(S/NP)", "N/N[num]"])
def test_neither_modifier_nor_type_raised(text):
    assert not parse(text).is_modifier and not parse(text).is_type_raised


@pytest.mark.parametrize("text", [",", ".", ";", ":", "LRB", "-RRB-", "LQU", "--"])
def test_punctuation(text):
    assert parse(text).is_punctuation
    assert not any(parse(other).is_punctuation for other in ("conj", "NP", "PR", "S[dcl]"))


def test_latex_and_html_spellings():
    category = parse("(S[dcl]\\NP)/NP")
    assert category.to_latex() == (r"(\mathit{S}_{\mathit{dcl}}\backslash \mathit{NP})/\mathit{NP}")
    assert category.to_html() == "(S<sub>dcl</sub>\\NP)/NP"
    assert parse("#").to_latex() == r"\mathit{\#}"
    assert parse("&").to_html() == "&amp;"


DEEP = 4_000  # levels, four times what Python recurses


@pytest.mark.parametrize(
    ("spelling", "depth", "size", "arity"),
    [
        ("(" * DEEP + "S" + "/NP)" * DEEP, DEEP, DEEP + 1, DEEP),
        ("S\\(" * DEEP + "S" + ")" * DEEP, DEEP, DEEP + 1, 1),
        ("(" * DEEP + "S\\NP" + ")" * DEEP, 1, 2, 1),
        ("(" * DEEP + "S" + ")" * DEEP, 0, 1, 0),
    ],
    ids=["left", "right", "redundant", "redundant atom"],
)
def test_depth_is_no_obstacle(spelling, depth, size, arity):
    category = parse(spelling)
    assert parse(str(category)) is category
    assert pickle.loads(pickle.dumps(category)) is category
    assert (category.depth, category.size, len(category.arguments)) == (depth, size, arity)
    assert hash(category) == hash(parse(spelling)) and category != parse("PP") and not category < category
    assert category.without_features() is category
    assert Category.from_nltk_tree(category.to_nltk_tree()) is category
    assert category.to_latex() and category.to_html() and len(list(category.atoms())) == size


def test_memory_stays_flat_over_distinct_categories():
    def build(start, stop):
        for i in range(start, stop):
            Functor(Functor(Atom(f"A{i}"), "/", Atom("NP")), "\\", Atom(f"B{i}"))

    build(0, 1_000)
    tracemalloc.start()
    build(1_000, 10_000)
    gc.collect()
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 600_000  # kept, 9,000 categories would take five times that


@pytest.mark.slow
def test_memory_stays_flat_over_millions_of_distinct_spellings():
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def read(start, stop):
        for i in range(start, stop):
            Functor(Functor(Atom(f"A{i}"), "/", Atom("NP")), "\\", Atom(f"B{i}"))
            if i % 10 == 0:
                parse(f"(S[f{i}]\\NP)/N{i}")

    read(0, 300_000)
    before = resident()
    read(300_000, 2_000_000)
    assert resident() - before < 20_000_000


def test_the_memo_on_spellings_is_bounded():
    from ccgkit.grammar import category as module

    for i in range(module._MEMO_SIZE + 100):
        module._memo.setdefault(f"filler{i}", Atom("NP"))
        if len(module._memo) >= module._MEMO_SIZE:
            break
    parse("Overflow/N")
    assert len(module._memo) < module._MEMO_SIZE
    long = "(" * 200 + "S" + "/NP)" * 200
    assert parse(long) is parse(long) and long not in module._memo


def test_atoms_with_impossible_names_are_refused():
    for base, feature in (
        ("", None),
        ("N P", None),
        ("S[dcl]", None),
        ("S/NP", None),
        ("S", ""),
        ("S", "a b"),
    ):
        with pytest.raises(CategorySyntaxError):
            Atom(base, feature)
    with pytest.raises(CategorySyntaxError, match="conj=True"):
        Atom("NP", "conj")
    with pytest.raises(TypeError):
        Category()
    with pytest.raises(TypeError):
        Functor("S", "/", 3)
    with pytest.raises(ValueError):
        Functor("S", "|", "NP")
    with pytest.raises(TypeError):
        parse(None)
