"""XML as blocks: one element after the other, in files of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as XML

from ..sentence import Sentence
from .blocks import Block, Source

__all__ = ["elements", "remark", "written_attributes"]

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def elements(tag: str, roots: tuple[str, ...], what: str) -> Callable[[Source], Iterator[Block]]:
    """A splitter into the elements of that tag, each the payload of its block; `what` names the format.

    Entities of a file's own are refused: a few lines of them can stand for gigabytes.
    """

    def split(source: Source) -> Iterator[Block]:
        parser: Any = XML.XMLPullParser(("start", "end"))
        parents: list[XML.Element] = []
        start, line = 1, ""
        try:
            for line in source:
                if not parents and "<!ENTITY" in line:
                    yield Block(source, source.number, [line], "entities that the file declares are refused")
                    return
                parser.feed(line + "\n")
                for event, element in parser.read_events():
                    if not parents and element.tag not in roots:
                        fault = f"<{element.tag}> is not {what}, which starts with <{roots[0]}>"
                        yield Block(source, source.number, [line], fault)
                        return
                    if event == "start":
                        parents.append(element)
                        start = source.number if element.tag == tag else start
                        continue
                    if len(parents) > 1:
                        parents.pop()
                    if element.tag == tag:
                        yield Block(source, start, [line], payload=element)
                        parents[-1].clear()
            if parents or source.number:
                parser.close()
        except UnicodeEncodeError:
            yield Block(source, source.number, [line], "not UTF-8")
        except XML.ParseError as error:
            row = min(error.position[0], source.number)
            yield Block(source, row, [line], f"not XML: {error.msg.partition(':')[0]}")

    return split


def written_attributes(attributes: dict[str, str]) -> str:
    """The attributes of an element as they are written, in double quotes, each after a space."""
    return "".join(f' {name}="{value.translate(_ESCAPES)}"' for name, value in attributes.items())


def remark(sentence: Sentence, count: int) -> str:
    """A comment where the derivation of a sentence would stand."""
    told = (sentence.meta.get(part, "") for part in ("status", "reason"))
    why = " ".join(" ".join(told).split()).replace("--", "- -").removesuffix("-")
    return f"<!-- sentence {count}: {why} -->\n"
