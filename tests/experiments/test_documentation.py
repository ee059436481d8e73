"""docs/experiments: what its first page shows is what the experiments have written."""

import json
import re
from pathlib import Path

import pytest

from ccgkit.experiments.significance import holm

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


@pytest.mark.parametrize("path", PAGES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_p_of_a_table_is_corrected_for_the_others(path):
    for table in json.loads(path.with_suffix(".json").read_text("utf-8"))["tables"]:
        values = [value for row in table["rows"] for value in row["ours"].values()]
        tests = [
            value["significance"] for value in values if isinstance(value, dict) and "significance" in value
        ]
        for kind in ("t_test_sentences", "t_test_seeds"):
            known = [one for one in tests if one[kind] is not None]
            corrected = [one[f"{kind}_corrected"] for one in known]
            # every p is kept with five digits, and the smallest is multiplied by their number
            assert corrected == pytest.approx(
                holm([one[kind] for one in known]), abs=1e-5 * len(tests) + 1e-9
            )
        for one in tests:
            two_sided, one_sided = one["t_test_sentences"], one["t_test_sentences_one_sided"]
            assert two_sided == pytest.approx(min(1.0, 2 * min(one_sided, 1 - one_sided)), abs=5e-5) or (
                two_sided == one_sided == 1.0  # no sentence differs
            )


def figure(page, label, column, table=0):
    """What a page has in a row and column: ours, and the paper's if it is there."""
    document = json.loads((FOLDER / f"{page}.json").read_text("utf-8"))
    row = next(row for row in document["tables"][table]["rows"] if row["label"] == label)
    value = row["ours"][column]
    return (value["mean"] if isinstance(value, dict) else value), row.get("paper", {}).get(column)


def row_of(page, column, *labels, table=0):
    return [figure(page, label, column, table) for label in labels]


def gain(page, label, base, *columns, table=0):
    """How far a row is ahead of another one in some columns: ours, and the paper's."""
    found = []
    for column in columns:
        (mine, papers), (theirs, papers_base) = (figure(page, one, column, table) for one in (label, base))
        found.append((mine - theirs, None if None in (papers, papers_base) else papers - papers_base))
    return found


PLAIN = ("CC", "CG", "CGNG2")
MAIN, FULL, ENDED = "pmb-en/main", "pmb-en-converged", "pmb-en-small-converged"
LEFT_OUT = {"The character CNN": "w/o cnn", "The whole tag set": "whole tag set"}
#: how each claim begins → the figures that its row shows, in their order
CLAIMS = {
    "A generator is better than": row_of(f"{FULL}/main", "Test", *PLAIN),
    "The same with a frozen": row_of(MAIN, "Test", *(f"MiniLM + {one}" for one in PLAIN)),
    "The transition-based": row_of(MAIN, "Test", "CT"),
    "Re-ranking two systems": row_of(f"{FULL}/main", "Test", "rerank CG + CGNG2", "rerank CGNG2 + CC"),
    "Rare categories": row_of(f"{FULL}/rare", "10-99", *PLAIN, table=1),
    "Categories seen 100": [
        figure(f"{FULL}/rare", label, column, table=1)
        for label in ("CC", "CGNG2") for column in ("100-399", "400-1999")
    ],
    "Unknown categories": row_of(f"{FULL}/unseen", "p@8", "CG", "CGNG2", table=1),
    "n-gram tags": row_of(f"{ENDED}/oracles", "Dev", "D, NG (n=2)", "D, AC", "D, PA"),
    "Every oracle": row_of(f"{ENDED}/oracles", "Dev", "CC", "ND, OR", "D, NG (n=2)"),
    "Non-deterministic": gain(f"{ENDED}/oracles", "ND, NG (n=2)", "D, NG (n=2)", "Dev", "Test"),
    "Attention helps": row_of(
        "pmb-en/ablation", "Difference", "CG, smaller: attention (eq. 2)", "CG, smaller: attention (eq. 3)"
    ),
    **{
        begin: row_of("pmb-en/ablation", "Difference", f"CC: {what}", f"CG: {what}")
        for begin, what in LEFT_OUT.items()
    },
    "Dropout helps": row_of(f"{ENDED}/ablation", "Difference", "CC: w/o dropout", "CG: w/o dropout"),
    "The tag embedding": row_of("pmb-en/ablation", "Difference", "CG: w/o tag embedding"),
    "A larger k": row_of("pmb-en/ablation", "Difference", "CG, PA: k = 50", "CGNG2: k = 50"),
    "Below 16 symbols": gain(f"{FULL}/length", "CGNG2", "CC", "8-15", table=1),
    "Generators need less": [
        (extreme(-value for one in PLAIN[1:] for value, _ in gain(f"{ENDED}/size", one, "CC", *SIZES)), None)
        for SIZES in [("699", "1,748", "3,496", "5,244", "6,992")] for extreme in (min, max)
    ],
    "Generators are better on other": row_of("pmb-en/domain", "questions", *PLAIN),
    "CGNG2 is better on little": row_of("pmb-en/lowresource", "Test", "CC", "CGNG2"),
    "Hardly any output is illegal, 1-best": row_of(f"{FULL}/legality", "1-best", "CG"),
    "Hardly any output is illegal, 4-best": row_of(f"{FULL}/legality", "4-best", "CG", "CGNG2"),
    "A generator has two fifths": row_of("pmb-en/speed", "Ratio to CC", "CG", "CT"),
    "Parsing follows": row_of("udccg-en-small-converged/parsing", "F1", *PLAIN, "rerank CG + CGNG2"),
}  # fmt: skip
#: numbers in words about figures, no figures themselves
ABOUT = re.compile(r"CGNG2|NG \d|\(eq\. \d\)|\d+ to \d+ symbols|\d+ and more|1,942 sentences")


def claims():
    """The rows of the first table: claim, the paper's figures, ours, verdict, why."""
    for line in tables(FIRST)[0].splitlines()[2:]:
        claim, papers, ours, *_ = (cell.strip() for cell in line.strip("|").replace(r"\|", "¦").split(" | "))
        yield claim, papers, ours


def test_every_claim_has_its_figures():
    assert [next(begin for begin in CLAIMS if claim.startswith(begin)) for claim, *_ in claims()]
    assert len(list(claims())) == len(CLAIMS)


@pytest.mark.parametrize(("claim", "papers", "ours"), list(claims()), ids=lambda one: one[:20])
def test_the_figures_of_a_claim_are_those_of_its_page(claim, papers, ours):
    wanted = next(figures for begin, figures in CLAIMS.items() if claim.startswith(begin))
    shown = numbers(ABOUT.sub("", ours))
    assert len(shown) == len(wanted)
    for number, (value, papers_value) in zip(shown, wanted, strict=True):
        assert is_rounded(value, number)
        if papers_value is not None and papers not in ("none", "in words", "a plot"):
            assert any(is_rounded(papers_value, one) for one in numbers(papers))
