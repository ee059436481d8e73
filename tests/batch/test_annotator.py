"""The callable: columns of any kind in and out, and rows that nobody can read."""

from __future__ import annotations

import pickle
from math import isclose, nan

import numpy
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ccgkit import __version__
from ccgkit.batch import SCHEMA, Annotator, BatchError, arrow_schema, to_sentence
from ccgkit.batch.annotator import LONGEST
from ccgkit.pipeline import Pipeline

TEXTS = ["The dog sleeps. Ada sings.", "Bo likes the cat ."]


@pytest.fixture(scope="module")
def parse(model: str) -> Annotator:
    return Annotator(model, "parse")


@pytest.fixture(scope="module")
def tag(model: str) -> Annotator:
    return Annotator(model, "tag", k=3, beta=0.0)


def test_each_sentence_is_a_row_with_all_the_fields(parse: Annotator) -> None:
    found = parse({"id": ["a", "b"], "text": TEXTS})
    assert list(found) == list(SCHEMA)
    assert found["id"] == ["a", "a", "b"] and found["sentence"] == [0, 1, 0]
    assert found["words"][1] == ["Ada", "sings", "."] and found["text"][1] == "Ada sings."
    assert [TEXTS[0][start:end] for start, end in zip(found["starts"][1], found["ends"][1], strict=True)] == [
        "Ada",
        "sings",
        ".",
    ]
    assert set(found["model"]) == {"cg"} and set(found["version"]) == {__version__}
    assert set(found["status"]) <= {"parsed", "doubtful", "fragments", "failed"}


def test_the_rows_say_what_the_pipeline_says(parse: Annotator) -> None:
    rows = list(parse.rows([{"id": "x", "text": text} for text in TEXTS]))
    nlp = Pipeline(parse._nlp._tagger.taggers)
    expected = [result for document in nlp.parse(TEXTS) for result in document]
    for row, result in zip(rows, expected, strict=True):
        sentence = to_sentence(row)
        assert sentence.words == result.sentence.words
        assert sentence.categories == result.to_sentence().categories
        assert sentence.derivations == (result.derivations or None)
        assert (sentence.dependencies or ()) == result.dependencies
        assert row["status"] == result.status.value


def test_a_tagger_gives_the_best_categories_and_their_probabilities(tag: Annotator) -> None:
    (row,) = tag.rows([{"words": ["Ada", "sings"]}])
    assert [len(k_best) for k_best in row["supertags"]] == [3, 3]
    assert row["categories"] == [k_best[0]["category"] for k_best in row["supertags"]]
    for probability, k_best in zip(row["probabilities"], row["supertags"], strict=True):
        assert 1 >= probability == k_best[0]["probability"] >= k_best[1]["probability"] > 0
    sentence = to_sentence(row)
    assert sentence.tags is not None and len(sentence.tags[0]) == 3
    assert row["derivation"] is None and row["status"] == "tagged"
    (again,) = tag._nlp.pipe_sentences([to_sentence({"words": ["Ada", "sings"]})], k=3, beta=0.0)
    assert all(
        isclose(one.logprob, other.logprob, abs_tol=1e-4)
        for one, other in zip(sentence.tags[0], again.tags[0], strict=True)
    )


KINDS = {
    "lists": lambda columns: columns,
    "arrays": lambda columns: {name: numpy.array(column) for name, column in columns.items()},
    "pandas": lambda columns: pytest.importorskip("pandas").DataFrame(columns),
    "table": pa.table,
    "record batch": pa.RecordBatch.from_pydict,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_any_kind_gives_the_same_of_its_kind(kind: str, tag: Annotator) -> None:
    given = KINDS[kind]({"id": [1, 2], "text": TEXTS})
    found = tag(given)
    assert isinstance(found, dict) if kind == "arrays" else type(found) is type(given)
    expected = pa.table(tag({"id": ["1", "2"], "text": TEXTS}), schema=arrow_schema())
    if kind == "pandas":
        found = pa.Table.from_pandas(found, schema=arrow_schema(), preserve_index=False)
    rows = found.to_pylist() if hasattr(found, "to_pylist") else pa.table(found, arrow_schema()).to_pylist()
    assert rows == expected.to_pylist()


POISON = {
    "nothing": (None, "there is no text"),
    "nothing, as pandas has it": (nan, "there is no text"),
    "a number": (4.0, "float"),
    "bytes": (b"We agree.", "bytes"),
    "half a character": ("We \ud800 agree.", "surrogate"),
    "no sentence": ("  \n ", "no sentence"),
    "a list with a hole": (["We", None], "NoneType"),
    "an empty word": (["We", ""], "empty"),
    "half a character as a word": (["\udfff"], "surrogate"),
    "no end": (["a"] * (LONGEST + 1), "limit"),
}


@pytest.mark.parametrize(("poison", "reason"), POISON.values(), ids=POISON)
def test_a_poisonous_row_gives_a_row_with_the_reason(poison: object, reason: str, tag: Annotator) -> None:
    name = "words" if isinstance(poison, list) else "text"
    rows = [{"id": "a", "text": TEXTS[1]}, {"id": "bad", name: poison}, {"id": "c", "words": ["Bo", "sings"]}]
    before, bad, after = tag.rows(rows)
    assert bad["status"] == "failed" and reason in bad["reason"] and bad["id"] == "bad"
    assert (before["status"], after["status"]) == ("tagged", "tagged")
    pa.Table.from_pylist([before, bad, after], arrow_schema())


def test_what_pandas_has_for_nothing_is_nothing(tag: Annotator) -> None:
    pandas = pytest.importorskip("pandas")
    texts = pandas.array(["Ada sings .", None], dtype="string")
    found = tag(pandas.DataFrame({"id": pandas.array([None, "b"], dtype="string"), "text": texts}))
    assert list(found["status"]) == ["tagged", "failed"] and list(found["id"]) == [None, "b"]
    assert found["reason"][1] == "there is no text"


def test_a_sentence_over_which_the_tagger_stumbles_stumbles_alone(model: str, monkeypatch) -> None:
    tag = Annotator(model, "tag").load()
    (tagger,) = tag._nlp._tagger.taggers._all
    kbest = tagger.kbest

    def stumble(sentences, *options):
        if any("mine" in words for words in sentences):
            raise RuntimeError("boom")
        return kbest(sentences, *options)

    monkeypatch.setattr(tagger, "kbest", stumble)
    rows = [{"id": number, "words": ["mine" if number == 5 else "Ada", "sings"]} for number in range(9)]
    found = list(tag.rows(rows))
    assert [row["status"] for row in found] == ["tagged"] * 5 + ["failed"] + ["tagged"] * 3
    assert found[5]["reason"] == "RuntimeError: boom" and found[5]["words"] == ["mine", "sings"]


anything = st.one_of(
    st.none(),
    st.text(),
    st.integers(),
    st.binary(),
    st.floats(),
    st.lists(st.text()),
    st.dictionaries(st.text(), st.text()),
)


@examples(15)
@given(
    rows=st.lists(st.fixed_dictionaries({"id": anything, "text": anything, "words": anything}), max_size=4)
)
def test_whatever_comes_every_row_is_answered(tag: Annotator, rows: list[dict[str, object]]) -> None:
    found = list(tag.rows(rows))
    assert sum(not row["sentence"] for row in found) == len(rows)
    assert pa.Table.from_pylist(found, arrow_schema()).num_rows == len(found)


def test_an_annotator_travels_without_its_model(tag: Annotator) -> None:
    again = pickle.loads(pickle.dumps(tag))
    assert again is pickle.loads(pickle.dumps(tag))  # one model for all copies in a process
    assert len(pickle.dumps(tag)) < 1000
    assert list(again.rows([{"text": TEXTS[0]}])) == list(tag.rows([{"text": TEXTS[0]}]))


def test_wrong_options_and_columns_are_refused_at_once(tag: Annotator, model: str) -> None:
    with pytest.raises(BatchError, match="no option timeout"):
        Annotator(model, "tag", timeout=1.0)
    with pytest.raises(BatchError, match="tag or parse"):
        Annotator(model, "guess")
    with pytest.raises(ValueError, match="k must be between"):
        Annotator(model, "tag", k=1000).load()
    with pytest.raises(BatchError, match="its columns: sentence"):
        tag({"sentence": TEXTS})
    with pytest.raises(BatchError, match="same length"):
        tag({"id": ["a"], "text": TEXTS})
    with pytest.raises(BatchError, match="not <class 'list'>"):
        tag([1])
