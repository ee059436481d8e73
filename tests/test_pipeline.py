"""From text to tagged sentences in Python."""

import pytest
from toy import small_tagger

from ccgkit import Category, Sentence, Token
from ccgkit.models.registry import ModelInfo
from ccgkit.pipeline import Pipeline, load
from ccgkit.sentence import Supertag

TAGS = tuple(Supertag(Category.parse(c), p) for c, p in (("N", -0.1), ("NP", -2.5), ("N/N", -6.0)))


class Reading:
    def __init__(self, words, k, pos):
        self.tags = [TAGS[:k] for _ in words]
        self.pos = [pos for _ in words] if pos else None


class Model:
    """Says the same of every word."""

    def __init__(self, pos="XX"):
        self.pos, self.windows = pos, []

    def kbest(self, sentences, k, beta, batch_size):
        self.windows.append(len(sentences))
        return [Reading(words, k, self.pos) for words in sentences]


def pipeline(*models, language="en"):
    return Pipeline(ModelInfo("toy", None, "ccgbank", language), models or [Model()])


def test_a_text_becomes_tagged_sentences_with_places():
    text = "It rained. It’s over."
    first, second = pipeline().tag(text)
    assert first.words == ("It", "rained", ".") and second.words == ("It", "'s", "over", ".")
    assert [text[t.start : t.end] for t in second.tokens] == ["It", "’s", "over", "."]
    assert [t.pos for t in first.tokens] == ["XX"] * 3
    assert all(len(tags) == len(TAGS) - 1 for tags in first.tags)


def test_k_and_beta_say_how_many_categories_are_kept():
    count = lambda **options: len(pipeline().tag("Rain", **options)[0].tags[0])  # noqa: E731
    assert count(k=1) == 1
    assert count(k=4, beta=0.0) == 3
    assert count(k=4, beta=0.075) == 2
    assert count(k=4, beta=1.0) == 1


def test_texts_come_back_one_for_one_even_empty_ones():
    texts = ["One. Two.", "", "Three.", " ", ""]
    found = [[s.words[0] for s in sentences] for sentences in pipeline().pipe(texts)]
    assert found == [["One", "Two"], [], ["Three"], [], []]


@pytest.mark.parametrize("threads", [1, 3])
def test_order_is_kept_and_no_more_is_read_than_needed(threads):
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield Sentence((Token(f"w{read}"),))

    tagged = pipeline(*(Model() for _ in range(threads))).pipe_sentences(endless(), batch_size=2)
    assert [next(tagged).words[0] for _ in range(50)] == [f"w{n}" for n in range(1, 51)]
    assert read < 50 + 16 * 2 * threads + 16
    tagged.close()


def test_none_in_a_stream_means_tag_what_has_come():
    model = Model()
    seen = []

    def slow():
        yield Sentence((Token("a"),))
        yield None
        seen.append(list(model.windows))
        yield Sentence((Token("b"),))

    assert len(list(pipeline(model).pipe_sentences(slow()))) == 2
    assert seen == [[1]]


def test_given_pos_tags_are_kept():
    (sentence,) = pipeline().pipe_sentences([Sentence((Token("a", "DT"), Token("dog")))])
    assert [token.pos for token in sentence.tokens] == ["DT", "XX"]


def test_a_model_without_pos_tags_gets_those_of_the_small_tagger():
    (sentence,) = pipeline(Model(pos="")).tag("She reads old books.")
    assert [token.pos for token in sentence.tokens] == ["PRP", "VBZ", "JJ", "NNS", "."]
    (sentence,) = pipeline(Model(pos=""), language="nl").tag("Zij leest.")
    assert [token.pos for token in sentence.tokens] == [None] * 3


def test_a_sentence_without_words_stays():
    assert list(pipeline().pipe_sentences([Sentence(())])) == [Sentence((), ())]


def test_any_model_that_was_trained_can_be_loaded(tmp_path):
    small_tagger("cc").save(tmp_path / "mine")
    nlp = load(tmp_path / "mine", threads=1)
    assert nlp.info.name == "mine"
    (sentence,) = nlp.tag("the dog sleeps.", k=2, beta=0.0)
    assert [len(tags) for tags in sentence.tags] == [2] * 4


def test_text_is_parsed_with_the_packages_model():
    from ccgkit import load

    nlp = load()
    first, second = nlp.parse("United serves Miami. She left.")
    assert str(first.derivations[0].category) == "S[dcl]"
    assert {(link.slot, link.argument) for link in first.dependencies} == {(1, 0), (2, 2)}
    assert second.derivations[0].words == ("She", "left", ".")
    assert [len(result.derivations[0].words) for result in nlp.pipe_parse(["We agree.", "It rains."])] == [
        3,
        3,
    ]
