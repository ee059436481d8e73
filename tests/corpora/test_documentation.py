"""docs/formats.md: its examples read, and its schema is what the codec accepts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ccgkit.corpora import dumps, formats, loads
from ccgkit.corpora.jsonl import _LINK, _SENTENCE, _TOKEN

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    section = PAGE.split(f"\n## {name}\n")[1]
    found = re.search(r"```\w*\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("name", sorted(set(formats()) - {"pmb_xml"}))
def test_the_example_of_each_format_reads_and_comes_back(name: str) -> None:
    (sentence,) = loads(example(name), name)
    assert [word for word in sentence.words if word != "."] == ["We", "agree"]
    if name not in ("prolog", "depccg"):
        assert dumps([sentence], name) == example(name)


def test_the_schema_names_the_members_of_jsonl() -> None:
    schema = json.loads(re.findall(r"```json\n(\{\n.*?)```", PAGE.split("\n## jsonl\n")[1], re.DOTALL)[0])
    assert set(schema["properties"]) == set(_SENTENCE)
    assert set(schema["properties"]["tokens"]["items"]["properties"]) == set(_TOKEN)
    assert set(schema["properties"]["dependencies"]["items"]["properties"]) == set(_LINK)
