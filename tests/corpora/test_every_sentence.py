"""Every format writes something for every sentence, however parsing it went."""

from __future__ import annotations

from hypothesis import given, note
from hypothesis import strategies as st
from strategies import examples, sentences

from ccgkit import Sentence
from ccgkit.corpora import codec, formats, loads
from ccgkit.corpora.codec import Ending
from ccgkit.grammar import load_scheme
from ccgkit.parsing import Limits, Parser, ParseResult

SILENT = {"prolog", "boxer", "pmb_xml", "candc_xml"}  # a comment stands there, which is not read back


WORDS = st.one_of(st.just(Sentence((), ())), sentences(tagged=True, identified=True, exclude="|"))


@st.composite
def results(draw: st.DrawFn) -> ParseResult:
    """What a parser gives for sentences of all kinds: parsed, in fragments, too long, empty."""
    known = draw(WORDS)
    parser = Parser(load_scheme("rebank"), limits=Limits(max_words=draw(st.sampled_from([3, 100]))))
    return next(parser.pipe([known]))


def parsed() -> ParseResult:
    (known,) = loads("We|PRP|NP agree|VBP|S[dcl]\\NP\n", "stagged")
    return Parser(load_scheme("rebank")).parse(known)


@examples(12)
@given(st.lists(results(), max_size=3))
def test_each_result_is_written_in_every_format_and_the_next_ones_too(found: list[ParseResult]) -> None:
    for name in sorted(formats()):
        note(name)
        check_written(name, [*found, parsed()])


def check_written(name: str, found: list[ParseResult]) -> None:
    known = codec(name)
    pieces = list(known.texts(result.to_sentence() for result in found))[1:-1]
    assert len(pieces) == len(found) and all(pieces)
    read = list(loads("".join(known.texts(result.to_sentence() for result in found)), name))
    if name not in SILENT:
        assert len(read) == len(found)
    assert "agree" in read[-1].words
    if known.ending is Ending.LINE:
        assert all(piece.count("\n") == 1 for piece in pieces)
    if name == "auto":
        assert all(piece.count("\n") == 2 for piece in pieces)


@examples(12)
@given(results())
def test_auto_has_a_placeholder_with_the_words(result: ParseResult) -> None:
    (read,) = loads(codec("auto").dumps([result.to_sentence()]), "auto")
    if result.spans:
        (tree,), (other,) = result.derivations, read.derivations or ()
        assert [node.category for node in tree.nodes()] == [node.category for node in other.nodes()]
    else:
        assert read.words == result.sentence.words
        assert read.meta["status"] == result.status.value
        assert not read.derivations


@examples(12)
@given(results())
def test_json_and_conll_say_how_it_went_and_why(result: ParseResult) -> None:
    for name in ("jsonl", "conll"):
        (read,) = loads(codec(name).dumps([result.to_sentence()]), name)
        assert read.meta["status"] == result.status.value
        assert read.meta.get("reason", "") == result.reason


def test_auto_names_the_parser() -> None:
    assert "PARSER=ccgkit NUMPARSE=1" in codec("auto").dumps([parsed().to_sentence()])
