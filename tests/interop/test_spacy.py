"""spaCy itself, where it is installed: the component in a blank English pipeline."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("spacy", reason="spaCy is not installed: pip install 'ccgkit[spacy]'")

import spacy
from spacy.language import Language
from spacy.tokens import Doc

import ccgkit.interop.spacy  # noqa: F401, in a source tree that is not installed no entry point leads there
from ccgkit import CCGKitError, Sentence
from ccgkit.corpora import dumps

TEXT = "Acme hired Mary.  She didn't say “yes” at first."


@pytest.fixture(scope="module")
def nlp() -> Language:
    blank = spacy.blank("en")
    blank.add_pipe("ccgkit")
    return blank


def test_tokens_have_their_supertags_and_sentences_their_derivations(nlp: Language) -> None:
    doc = nlp(TEXT)
    assert [token.text for token in doc] == [token.text for token in spacy.blank("en")(TEXT)]
    first, second = doc.sents
    assert [token._.supertag for token in first if not token.is_space] == ["N", r"(S[dcl]\NP)/NP", "N", "."]
    assert sum(first[1]._.supertags.values()) <= 1.001 and first[1]._.supertag in first[1]._.supertags
    assert isinstance(first._.ccg, Sentence)
    (tree,) = first._.ccg.derivations
    assert str(tree.category) == "S[dcl]"
    assert {(link.head, link.argument) for link in first._.ccg.dependencies} == {(1, 0), (1, 2)}
    assert second._.ccg.words == ("She", "did", "n't", "say", "``", "yes", "''", "at", "first", ".")
    assert [TEXT[token.start : token.end] for token in second._.ccg] == [
        token.text for token in second if not token.is_space
    ]


def test_whitespace_is_no_word_and_a_part_of_a_sentence_has_no_derivation(nlp: Language) -> None:
    doc = nlp(TEXT)
    assert all(token._.supertag is None for token in doc if token.is_space)
    assert doc[0:2]._.ccg is None
    assert list(nlp("").sents) == []


def test_what_spacy_knows_is_kept_and_goes_into_files(nlp: Language) -> None:
    knowing = spacy.blank("en")
    knowing.add_pipe("sentencizer")
    ruler = knowing.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "ORG", "pattern": "Acme"}, {"label": "PERSON", "pattern": "Mary"}])
    knowing.add_pipe("ccgkit", config={"notation": "ccgbank"})
    (first, *_) = knowing(TEXT).sents
    term = dumps([first._.ccg], "boxer")
    assert "t(n, 'Acme', 'Acme', 'NNP', 'O', 'I-ORG')" in term
    assert "'hired', 'hire', 'VBD', 'O', 'O')" in term


def test_documents_and_pipelines_are_stored_and_come_back(nlp: Language, tmp_path: Path) -> None:
    doc = nlp(TEXT)
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert [token._.supertag for token in again] == [token._.supertag for token in doc]
    assert [sent._.ccg for sent in again.sents] == [sent._.ccg for sent in doc.sents]
    nlp.to_disk(tmp_path / "stored")
    loaded = spacy.load(tmp_path / "stored")
    assert loaded.pipe_names == ["ccgkit"]
    assert [token._.supertag for token in loaded(TEXT)] == [token._.supertag for token in doc]


def test_many_documents_are_read_in_batches_as_one_by_one(nlp: Language) -> None:
    texts = ["Mary sings.", "", "John saw her. He left."]
    piped = [[sent._.ccg for sent in doc.sents] for doc in nlp.pipe(texts, batch_size=2)]
    assert piped == [[sent._.ccg for sent in nlp(text).sents] for text in texts]


def test_what_the_component_cannot_do_is_told_when_it_is_added() -> None:
    with pytest.raises(CCGKitError, match="klingon"):
        spacy.blank("en").add_pipe("ccgkit", config={"notation": "klingon"})
    with pytest.raises(CCGKitError, match="no model for the language 'fi'"):
        spacy.blank("fi").add_pipe("ccgkit")


def test_spacy_finds_the_component_by_the_entry_point_of_the_distribution(tmp_path: Path) -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    points = tomllib.loads(project)["project"]["entry-points"]["spacy_factories"]
    info = tmp_path / "ccgkit_points-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ccgkit-points\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[spacy_factories]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
    )
    code = "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('ccgkit'); print(nlp.pipe_names)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )  # fmt: skip
    assert done.stdout == "['ccgkit']\n", done.stderr
