"""From text to tagged sentences in Python."""

import json
import subprocess
import sys
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from toy import small_tagger

import ccgkit
from ccgkit import Category, CCGKitError, Sentence, Token
from ccgkit.cli.main import main
from ccgkit.corpora import loads
from ccgkit.grammar import load_scheme
from ccgkit.parsing import PARSERS, Constraints, Parser, ParseResult, Span, Status
from ccgkit.pipeline import Pipeline, load
from ccgkit.sentence import Supertag
from ccgkit.taggers import Reading
from ccgkit.tagging import Taggers

TAGS = tuple(Supertag(Category.parse(c), p) for c, p in (("N", -0.1), ("NP", -2.5), ("N/N", -6.0)))


def said(words, k, pos):
    return Reading([TAGS[:k] for _ in words], [pos for _ in words] if pos else None)


class Tagger:
    """Says the same of every word."""

    scheme = "rebank"

    def __init__(self, pos="XX"):
        self.pos, self.windows, self.users = pos, [], 0

    def kbest(self, sentences, k=4, beta=0.0, batch_size=32):
        self.users += 1
        assert self.users == 1  # never two threads at once
        self.windows.append(len(sentences))
        found = [said(words, k, self.pos) for words in sentences]
        time.sleep(0)
        self.users -= 1
        return found


def pipeline(*taggers, language="en", **options):
    return Pipeline(Taggers.of(*(taggers or [Tagger()])), language=language, **options)


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


def test_the_parser_gets_few_supertags_and_more_where_these_do_not_do():
    asked = []

    class Choosy(Tagger):
        def kbest(self, sentences, k=4, beta=0.0, batch_size=32):
            asked.append((list(map(tuple, sentences)), k, beta))
            return super().kbest(sentences, k, beta, batch_size)

    sentences = [("Rain",), ("Rain", "rain", "rain")]
    first, second = pipeline(Choosy()).parse_sentences(
        Sentence(tuple(map(Token, words))) for words in sentences
    )
    assert asked == [(sentences, 10, 0.01), (sentences[1:], 10, 1e-4)]
    assert first.beta == 0.01 and len(first.sentence.tags[0]) == 2
    assert second.beta < 0.01 and len(second.sentence.tags[0]) == 3
    assert [str(leaf.category) for leaf in second.derivation.leaves()] == ["N/N", "N/N", "N"]


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

    tagged = pipeline(*(Tagger() for _ in range(threads))).pipe_sentences(endless(), batch_size=2)
    assert [next(tagged).words[0] for _ in range(50)] == [f"w{n}" for n in range(1, 51)]
    assert read < 50 + 16 * 2 * threads + 16
    tagged.close()


def test_none_in_a_stream_means_tag_what_has_come():
    tagger = Tagger()
    seen = []

    def slow():
        yield Sentence((Token("a"),))
        yield None
        seen.append(list(tagger.windows))
        yield Sentence((Token("b"),))

    assert len(list(pipeline(tagger).pipe_sentences(slow()))) == 2
    assert seen == [[1]]


def test_given_pos_tags_are_kept():
    (sentence,) = pipeline().pipe_sentences([Sentence((Token("a", "DT"), Token("dog")))])
    assert [token.pos for token in sentence.tokens] == ["DT", "XX"]


def test_english_words_get_a_lemma_from_their_pos_tag():
    given = Sentence((Token("dogs"), Token("Running", "VBG"), Token("us", lemma="WE")))
    (sentence,) = pipeline(Tagger(pos="NNS")).pipe_sentences([given])
    assert [token.lemma for token in sentence] == ["dog", "run", "WE"]
    assert pipeline(Tagger(pos="NNS")).tag("dogs").table()["lemma"] == ["dog"]
    (parsed,) = pipeline(Tagger(pos="NNS")).parse("dogs")
    assert parsed.to_dict()["tokens"][0]["lemma"] == "dog"


@pytest.mark.parametrize(("pos", "language"), [("NNS", "de"), ("NOUN", "en")])
def test_without_english_or_a_penn_tag_there_is_no_lemma(pos, language):
    (sentence,) = pipeline(Tagger(pos=pos), language=language).tag("dogs")
    assert sentence[0].lemma is None


def test_a_model_without_pos_tags_gets_those_of_the_small_tagger():
    (sentence,) = pipeline(Tagger(pos="")).tag("She reads old books.")
    assert [token.pos for token in sentence.tokens] == ["PRP", "VBZ", "JJ", "NNS", "."]
    (sentence,) = pipeline(Tagger(pos=""), language="nl").tag("Zij leest.")
    assert [token.pos for token in sentence.tokens] == [None] * 3


def test_a_sentence_without_words_stays():
    assert list(pipeline().pipe_sentences([Sentence(())])) == [Sentence((), ())]


def test_any_model_that_was_trained_can_be_loaded(tmp_path):
    small_tagger("cc").save(tmp_path / "mine")
    nlp = load(tmp_path / "mine", threads=1)
    assert nlp.info.name == "mine"
    (sentence,) = nlp.tag("the dog sleeps.", k=2, beta=0.0)
    assert [len(tags) for tags in sentence.tags] == [2] * 4


@pytest.fixture(scope="module")
def nlp():
    return load()


def test_text_is_parsed_with_the_packages_model(nlp):
    first, second = nlp.parse("United serves Miami. She left.")
    assert str(first.derivations[0].category) == "S[dcl]"
    assert {(link.slot, link.argument) for link in first.dependencies} == {(1, 0), (2, 2)}
    assert second.derivations[0].words == ("She", "left", ".")


def test_texts_are_strings_sentences_or_words(nlp):
    text = "We agree. It rains."
    words = [["We", "agree", "."], ["It", "rains", "."]]
    whole = nlp(text)
    assert [result.sentence.words for result in whole] == [tuple(one) for one in words]
    assert [document[0].derivation.words for document in nlp(words)] == [tuple(one) for one in words]
    assert [len(document) for document in nlp.parse(["We agree. It rains.", "", "It rains."])] == [2, 0, 1]
    (tagged,) = nlp.tag(Sentence(tuple(map(Token, words[0]))))
    assert tagged.words == ("We", "agree", ".") and tagged.tags


SAW = "I saw the man with a telescope."
MAN = Constraints(spans=(Span(2, 7),))  # the man with a telescope
SEEING = Constraints(spans=(Span(1, 4),))  # saw the man


def reading(result):
    """Which of the two is a constituent of SAW."""
    (kept,) = [known for known in (MAN, SEEING) if not known.violations(result.derivation)]
    return kept


def test_constraints_are_of_a_text_or_of_each_of_its_sentences(nlp):
    for known in (MAN, SEEING):
        assert reading(nlp(SAW, constraints=known)[0]) == known
        first, second = nlp.parse(f"It rains. {SAW}", constraints=[None, known])
        assert first.spans and reading(second) == known


def test_several_texts_take_constraints_one_by_one(nlp):
    words = ["I", "saw", "the", "man", "with", "a", "telescope", "."]
    texts, known = [words, f"It rains. {SAW}", SAW], [MAN, [None, SEEING], MAN]
    for found in (
        nlp.parse(texts, constraints=known),
        list(nlp.pipe_parse(iter(texts), constraints=iter(known))),
    ):
        assert [reading(document[-1]) for document in found] == [MAN, SEEING, MAN]


def test_constraints_that_a_sentence_cannot_have_fail_it_alone(nlp):
    far = Constraints(spans=(Span(2, 70),))
    first, second = nlp.parse(f"{SAW} It rains.", constraints=[far, None])
    assert first.status is Status.FAILED and "word 69, but there are 8 words" in first.reason
    assert second.spans


@pytest.mark.parametrize(
    ("text", "constraints", "said"),
    [
        (f"{SAW} Yes.", MAN, "the text has 2 sentences, but there are constraints for 1"),
        ([SAW], MAN, "several texts take a list"),
        ([SAW], [], "more texts than constraints"),
        ([SAW], [None, None], "more constraints than texts"),
    ],
)
def test_constraints_that_do_not_match_the_texts_are_refused(text, constraints, said):
    with pytest.raises(CCGKitError, match=said):
        pipeline().parse(text, constraints=constraints)


def test_parsers_that_know_no_constraints_are_not_given_any():
    with pytest.raises(CCGKitError, match="only the embedded parser"):
        pipeline(parser=Silent()).parse("Rain", constraints=Constraints(spans=(Span(0, 1),)))
    with pytest.raises(CCGKitError, match="a sentence has its constraints itself"):
        list(pipeline().parse_sentences([], constraints=MAN))


def test_parses_are_numbered_through_tagged_and_untagged_sentences():
    (given,) = loads("We|PRP|NP agree|VBP|S[dcl]\\NP", "stagged")
    bare, named = Sentence((Token("dog"),)), Sentence((Token("dog"),), id="x")
    found = pipeline().parse_sentences([bare, given, given, named, bare], scheme="rebank")
    assert [one.parses[0].id for one in found] == ["1/1", "2/1", "3/1", "x/1", "5/1"]


def test_pipe_and_pipe_parse_give_a_document_for_each_text(nlp):
    texts = ["We agree. It rains.", "", "She left."]
    for documents in (list(nlp.pipe(texts)), list(nlp.pipe_parse(texts))):
        assert [document.text for document in documents] == texts
        assert [len(document) for document in documents] == [2, 0, 1]


def test_results_are_plain_values_and_tables(nlp):
    document = nlp("United serves Miami.")
    assert json.loads(document.to_json()) == document.to_dict()
    assert document.to_dict()["sentences"][0] == document[0].to_dict()
    tokens, links = document.table(), document.table("dependencies")
    assert tokens["word"] == ["United", "serves", "Miami", "."] and tokens["start"] == [0, 7, 14, 19]
    assert sorted(zip(links["slot"], links["argument_word"], strict=True)) == [(1, "United"), (2, "Miami")]
    assert {len(column) for column in tokens.values()} == {4}


def test_representations_are_one_line_and_jupyter_gets_html(nlp):
    document = nlp("United serves Miami. " * 30)
    for one in (document, document[0], document[0].sentence, nlp.tag("We agree.")):
        assert len(repr(one).splitlines()) == 1 and len(repr(one)) < 160
        assert one._repr_html_().startswith("<")


@pytest.mark.parametrize(
    ("options", "said"),
    [({"k": 0}, "between 1 and 50, not 0"), ({"k": 51}, "50"), ({"beta": 2}, "between 0 and 1")],
)
def test_options_have_ranges(options, said):
    with pytest.raises(ValueError, match=said) as caught:
        pipeline().tag("Rain", **options)
    assert isinstance(caught.value, CCGKitError)


class Silent:
    """A parser that finds nothing."""

    def parse(self, sentence):
        return ParseResult(sentence, Status.FAILED, reason="I am silent", parser="silent")

    def pipe(self, sentences):
        return map(self.parse, sentences)


def test_any_parser_takes_the_place_of_ours():
    (result,) = pipeline(parser=Silent()).parse("Rain")
    assert (result.status, result.reason) == (Status.FAILED, "I am silent")
    with pytest.raises(CCGKitError, match="takes no options: nbest"):
        pipeline(parser=Silent()).parse("Rain", nbest=3)
    with pytest.raises(CCGKitError, match="no parser 'nonsense'; choose from ccgkit"):
        pipeline(parser="nonsense").parse("Rain")


def test_the_scheme_is_the_models_where_it_tags_and_the_corpuss_where_tags_are_given(monkeypatch):
    made = []

    def make(scheme):
        made.append(scheme.name)
        return Silent()

    monkeypatch.setitem(PARSERS._registered, "noting", make)
    (given,) = loads("the|DT|NP[nb]/N dog|NN|N\n", "stagged")
    bare = Sentence((Token("dog"),))
    nlp = pipeline(parser="noting")
    found = list(nlp.parse_sentences([bare, given, given, bare]))
    assert [len(one.sentence.tokens) for one in found] == [1, 2, 2, 1]
    assert made == ["rebank", "ccgbank"]  # and the first again
    assert len(list(nlp.parse_sentences([given], scheme="udccg"))) == 1 and made[-1] == "udccg"
    unsaid = Tagger()
    unsaid.scheme = ""  # a model that nobody knows the scheme of is taken for one like the shipped ones
    assert len(list(pipeline(unsaid, parser="noting").parse_sentences([bare]))) == 1 and made[-1] == "rebank"


def test_without_a_parser_it_only_tags_and_scores_no_head_words(nlp):
    tagging = load(threads=1, parser=None)
    (found,), (scored,) = tagging.tag("It rained."), nlp.tag("It rained.")
    assert found == scored
    assert found.head_words is None and scored.head_words is not None
    with pytest.raises(CCGKitError, match="has no parser"):
        tagging.parse("It rained.")


def test_threads_share_a_pipeline(nlp):
    texts = [f"United serves {word}." for word in ("Miami", "Rome", "us", "tea") for _ in range(5)]
    alone = [nlp.parse(text)[0].derivation for text in texts]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda text: nlp.parse(text)[0].derivation, texts))
    assert together == alone


def drawn(result):
    """Derivations without the words' places."""
    return [tree.pretty() for parse in result.parses for tree in parse.derivations]


AROUND = ["You and me.", "I saw the man with a telescope.", "Does it?", "Of course not.", "Yes"]


@pytest.mark.parametrize("around", [AROUND[:1], AROUND, AROUND[::-1], AROUND[2:] + AROUND[:1]])
def test_command_and_api_give_the_same_derivations_whatever_stands_around(nlp, around, tmp_path):
    from click.testing import CliRunner

    text = "\n\n".join(around)
    result = CliRunner().invoke(main, ["parse", "--text", text, "--format", "jsonl"])
    assert result.exit_code == 0, result.output
    by_command = list(loads(result.stdout, "jsonl"))
    by_api = nlp.parse(text)
    assert [one.derivations for one in by_command] == [one.to_sentence().derivations for one in by_api]
    assert [one.dependencies for one in by_command] == [one.to_sentence().dependencies for one in by_api]
    alone = [nlp.parse(text)[0] for text in around]
    assert [drawn(one) for one in by_api] == [drawn(one) for one in alone]


def test_you_and_me_are_coordinated(nlp):
    assert str(nlp("You and me.")[0].derivation.category) == "NP"


USER = """
import ccgkit
from ccgkit import Document, Sentence
from ccgkit.parsing import ParseResult

def use(nlp: ccgkit.Pipeline) -> None:
    one: Document[ParseResult] = nlp("We agree.", nbest=2, timeout=1.0)
    several: list[Document[Sentence]] = nlp.tag(["We agree.", ["It", "rains"]], k=2)
    category: ccgkit.Category | None = one[0].derivation.category if one[0].derivation else None
    for document in nlp.pipe_parse(["We agree."], k=5):
        columns: dict[str, list[object]] = document.table("dependencies")
    nlp.parse("x", nbest="many")
    nlp.tag("x", kk=3)
"""


@pytest.mark.slow
def test_a_users_type_checker_knows_the_types(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    venv.create(tmp_path / "user", with_pip=False)  # a checker does not see an editable installation
    (site,) = (tmp_path / "user").glob("lib/*/site-packages")
    paths = [
        str(Path(ccgkit.__file__).parents[1]),
        *(one for one in sys.path if one.endswith("site-packages")),
    ]
    (site / "here.pth").write_text("\n".join(paths))
    python = ["--python-executable", str(tmp_path / "user" / "bin" / "python")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", *python, "--strict", "--no-incremental", "user.py"],
        cwd=tmp_path, capture_output=True, text=True, env={"MYPYPATH": "", "PATH": ""},
    )  # fmt: skip
    wrong = {int(line.split(":")[1]) for line in found.stdout.splitlines() if ": error:" in line}
    assert wrong == {12, 13}, found.stdout


def test_rules_that_nobody_told_are_named(caplog):
    (sentence,) = loads("We|PRP|NP agree|VBP|S[dcl]\\NP", "stagged")
    (result,) = pipeline().parse_sentences([sentence])
    assert result.derivation is not None
    assert "fit several schemes: they are parsed by the rules of rebank" in caplog.text
    caplog.clear()
    list(pipeline().parse_sentences([sentence], scheme="rebank"))
    given = pipeline()
    given.parser = Parser(load_scheme("rebank"))
    list(given.parse_sentences([sentence]))
    assert not caplog.text


KING = "The|DT|NP/N king|NN|N/PP of|IN|PP/NP Spain|NNP|N sings|VBZ|S[dcl]\\NP"


def test_parses_come_in_the_notation_that_is_asked_for():
    (sentence,) = loads(KING, "stagged")
    (result,) = pipeline().parse(sentence, notation="ccgbank")
    wanted = ["NP[nb]/N", "N", r"(NP\NP)/NP", "N", r"S[dcl]\NP"]
    assert list(map(str, result.to_sentence().categories)) == wanted
    assert {str(link.category) for link in result.dependencies} >= {r"(NP\NP)/NP"}
    with pytest.raises(CCGKitError, match="no notation 'penn'"):
        pipeline().parse(sentence, notation="penn")
    with pytest.raises(CCGKitError, match="scheme 'udccg'"):
        pipeline().parse(sentence, notation="ccgbank", scheme="udccg")


def test_a_parse_that_cannot_be_put_into_a_notation_says_so():
    (sentence,) = loads(KING, "stagged")
    (result,) = pipeline().parse(sentence)
    root = replace(result.derivation, category=Category.parse("S[q]"))
    odd = replace(result, parses=(replace(result.best, derivations=(root,)),)).in_notation("ccgbank")
    assert odd.status is Status.FAILED and not odd.derivations
    assert "no derivation can be put into the notation ccgbank: " in odd.reason
    assert list(map(str, odd.to_sentence().categories))[:3] == ["NP[nb]/N", "N", "PP/NP"]
