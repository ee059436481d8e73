"""The categories of the corpora in CCGKIT_DATA, for the slow tests."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccgkit import Category, CategorySyntaxError

_SPELLINGS = {".auto": re.compile(r"<L (\S+) "), ".stagged": re.compile(r"\|([^|\s]+)(?:\s|$)")}


@pytest.fixture(scope="session")
def corpora(corpus_folder: Path) -> dict[str, Counter[Category]]:
    """The categories of each corpus with their frequencies, those that are misspelt left out.

    They are taken from the text itself: a reader would leave out the whole sentence around an error.
    """
    paths = [path for path in sorted(corpus_folder.rglob("*.*")) if path.suffix in _SPELLINGS]
    found = {path.relative_to(corpus_folder).as_posix(): Counter(_categories(path)) for path in paths}
    assert found, f"no .auto or .stagged file in {corpus_folder}"
    assert all(found.values())
    return found


def _categories(path: Path) -> Iterator[Category]:
    for spelling in _SPELLINGS[path.suffix].findall(path.read_text(encoding="utf-8")):
        try:
            yield Category.parse(spelling)
        except CategorySyntaxError:
            continue
