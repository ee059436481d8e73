"""Files that are cut off, and go on."""

from __future__ import annotations

import errno
import gzip
from pathlib import Path

import pytest

from ccgkit import Category, Derivation, Sentence, Supertag, Token
from ccgkit.corpora import FormatError, codec, formats
from ccgkit.corpora.continuation import completed, growing

CONTINUED = sorted(name for name, known in formats().items() if known.ending is not None)


def sentence(*words: str, trees: int = 1) -> Sentence:
    noun = Category.parse("N")
    leaves = [Derivation(noun / noun, token=Token(word, "NN")) for word in words[:-1]]
    tree = Derivation(noun, token=Token(words[-1], "NN"))
    for leaf in reversed(leaves):
        tree = Derivation(noun, (leaf, tree), None, None, 1)
    tags = tuple((Supertag(one.category, -0.5),) for one in tree.leaves())
    return Sentence(tree.tokens, tags, (tree,) * trees, (), meta={"parser": "ccgkit", "status": "parsed"})


FAILED = Sentence((), (), (), None, meta={"status": "failed"})
SENTENCES = [sentence("rain"), sentence("sun", "moon", trees=2), FAILED, sentence("wind"), sentence("sleet")]


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("cut", [0, 1, 2, 5, 20, 60, 100, 10_000])
@pytest.mark.parametrize("name", CONTINUED)
def test_an_interrupted_file_is_continued_to_the_same_end(
    name: str, cut: int, suffix: str, tmp_path: Path
) -> None:
    known, path = codec(name), tmp_path / f"out{suffix}"
    whole = "".join(known.texts(SENTENCES)).encode()
    zipped = gzip.compress(whole)
    left = zipped if suffix else whole
    path.write_bytes(left[: max(0, len(left) - cut)])
    with growing(path, known, resume=True) as (stream, done):
        for text in known.texts(SENTENCES[done:], done):
            stream.write(text.encode())
    data = path.read_bytes()
    assert (gzip.decompress(data) if suffix else data) == whole


@pytest.mark.parametrize("name", CONTINUED)
def test_a_full_disk_leaves_whole_sentences(name: str, tmp_path: Path) -> None:
    known, path = codec(name), tmp_path / "out"
    whole = "".join(known.texts(SENTENCES)).encode()
    with pytest.raises(OSError, match="No space"), growing(path, known) as (stream, _):
        stream.write(whole[:-1])
        raise OSError(errno.ENOSPC, "No space left on device")
    assert path.read_text() == "".join(known.texts(SENTENCES[:-1]))


def test_without_resuming_a_file_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "out.stagged"
    path.write_text("old\n")
    with growing(path, codec("stagged")) as (stream, done):
        stream.write(b"new\n")
    assert (done, path.read_text()) == (0, "new\n")


def test_some_formats_cannot_be_continued(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="depccg cannot be continued"):
        completed(tmp_path / "x", codec("depccg"))
