"""The model that is simply there after `pip install`."""

import subprocess
import sys

import pytest

from ccgkit.models.registry import installed
from ccgkit.pipeline import load
from ccgkit.taggers import load_tagger

pytestmark = pytest.mark.skipif(
    not any(model.language == "en" for model in installed()), reason="no English model is in the package"
)


@pytest.fixture(scope="module")
def nlp():
    return load(threads=1)


def test_it_tags_the_first_sentence_of_the_readme(nlp):
    (sentence,) = nlp.tag("United serves Miami.")
    assert [str(category) for category in sentence.categories] == ["N", r"(S[dcl]\NP)/NP", "N", "."]
    assert [token.pos for token in sentence.tokens] == ["NNP", "VBZ", "NNP", "."]


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("She gave him a book.", r"NP ((S[dcl]\NP)/NP)/NP NP NP/N N ."),
        ("The old man did not sleep", r"NP/N N/N N (S[dcl]\NP)/(S[b]\NP) (S\NP)\(S\NP) S[b]\NP"),
    ],
)
def test_plain_sentences(nlp, text, categories):
    (sentence,) = nlp.tag(text)
    assert [str(category) for category in sentence.categories] == categories.split()


def test_odd_text_is_tagged_all_the_same(nlp):
    for text in ("BREAKING: HEAVY RAIN", "¡¿!?", "雨", "a" * 300, "😀 \u200b"):
        for sentence in nlp.tag(text):
            assert all(tags for tags in sentence.tags) and all(token.pos for token in sentence.tokens)


def test_what_a_word_gets_does_not_depend_on_what_else_is_tagged(nlp):
    tagger = load_tagger(nlp.info.path)
    texts = ["My sister sells old maps .", "Who left ?", "It rained all night , and the river rose ."]
    sentences = [text.split() for text in texts]
    wild = ["###", "ZZZZ" * 20, "😀"] * 40
    alone = [tagger.kbest([sentence], k=3)[0] for sentence in sentences]
    for mixed in (sentences, [wild, *sentences], [*sentences, sentences[2] * 8]):
        found = tagger.kbest(mixed, k=3)[mixed.index(sentences[0]) :][: len(sentences)]
        for one, two in zip(alone, found, strict=True):
            assert one.pos == two.pos
            for word, same in zip(one.tags, two.tags, strict=True):
                assert [tag.category for tag in word] == [tag.category for tag in same]
                expected = pytest.approx([tag.logprob for tag in word], abs=1e-4)
                assert [tag.logprob for tag in same] == expected


def test_it_needs_neither_transformers_nor_torchs_compiler():
    code = (
        "from ccgkit.pipeline import load; load().tag('It rains.');"
        "import sys; assert not {'transformers', 'torch._dynamo'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_its_card_tells_the_truth(nlp, corpus_folder):
    from ccgkit.evaluation.tags import accuracy
    from ccgkit.training.data import read_examples

    dev = read_examples([corpus_folder / "pmb4/en.dev.stagged"])
    found = load_tagger(nlp.info.path).kbest([example.words for example in dev], 4, 0.075)
    right = accuracy([e.categories for e in dev], [reading.categories for reading in found])
    assert abs(right - nlp.info.figures["PMB dev"]) < 0.1  # int8 kernels differ a little between processors
