"""docs/experiments: what its first page shows is what the experiments have written."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "experiments"
PAGES = sorted(FOLDER.glob("*/*.md"))
FIRST = (FOLDER / "README.md").read_text(encoding="utf-8")


def tables(text):
    """The tables of a page, each as its lines."""
    return re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE)


def sections():
    """The page that each section of the first one is about, and its text."""
    for section in FIRST.split("\n## ")[1:]:
        if found := re.search(r"\]\(([\w-]+/\w+)\.md\)", section):
            yield found[1], section


def numbers(line):
    return re.findall(r"[+-]?\d[\d,]*(?:\.\d+)?", line)


def is_rounded(value, number):
    digits = len(number.partition(".")[2])
    return abs(value - float(number.replace(",", ""))) <= 0.5 * 10**-digits + 1e-4


def test_every_page_has_its_section():
    assert sorted(page for page, _ in sections()) == sorted(
        path.relative_to(FOLDER).with_suffix("").as_posix() for path in PAGES
    )


@pytest.mark.parametrize(("page", "section"), list(sections()), ids=lambda one: one.split("\n")[0])
def test_a_section_shows_rows_of_tables_of_its_page(page, section):
    shown = [table.splitlines() for table in tables(section)]
    there = [table.splitlines() for table in tables((FOLDER / f"{page}.md").read_text("utf-8"))]
    assert shown and all(len(lines) > 2 for lines in shown)
    for heading, rule, *rows in shown:
        assert any([heading, rule] == table[:2] and set(rows) <= set(table[2:]) for table in there)
    for picture in re.findall(r"!\[.*?\]\((.*?)\)", section):
        assert picture.startswith(page) and (FOLDER / picture).is_file()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_page_has_the_figures_of_its_json(path):
    document = json.loads(path.with_suffix(".json").read_text("utf-8"))
    found = tables(path.read_text("utf-8"))
    assert len(found) == len(document["tables"])
    for text, table in zip(found, document["tables"], strict=True):
        for row, line in zip(table["rows"], text.splitlines()[2:], strict=True):
            assert line.startswith(f"| {row['label']} |")
            for value in row["ours"].values():
                if isinstance(value, dict) and "mean" in value:
                    assert any(is_rounded(value["mean"], number) for number in numbers(line))
