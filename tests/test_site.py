"""The documentation as a site: built without a warning, links lead somewhere, all that is public is in it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import zlib
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from test_public import MODULES, members

for _name in ("sphinx", "myst_parser", "furo"):
    pytest.importorskip(_name, reason="needs Sphinx: pip install -e '.[docs]'")

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs" / "reference" / "api"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "--keep-going", "-q", "docs", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return folder


class Links(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and tag in ("a", "img", "link", "script"):
                self.targets.add(value or "")
            elif name in ("id", "name"):
                self.anchors.add(value or "")


@pytest.fixture(scope="module")
def links(site: Path) -> dict[Path, Links]:
    return {page: Links(page) for page in site.rglob("*.html")}


def test_every_link_leads_to_a_page_and_a_place_in_it(links: dict[Path, Links]) -> None:
    lost = []
    for page, found in links.items():
        for target in found.targets:
            address = urlsplit(target)
            goal = (page.parent / unquote(address.path)).resolve() if address.path else page
            anchors = links[goal].anchors if goal in links else {address.fragment}
            if not address.scheme and (not goal.exists() or unquote(address.fragment) not in anchors | {""}):
                lost.append((page.name, target))
    assert lost == []


def test_nothing_is_loaded_from_another_host(links: dict[Path, Links], site: Path) -> None:
    loaded = [
        re.findall(r"<(?:script|img|link)[^>]*(?:src|href)=\"(?:https?:)?//[^>]*>", page.read_text("utf-8"))
        for page in links
    ]
    assert [found for found in loaded if found] == []
    assert [path for path in site.rglob("*.css") if "@import" in path.read_text("utf-8")] == []


def public() -> set[str]:
    pages = "".join(path.read_text(encoding="utf-8") for path in REFERENCE.glob("*.md"))
    modules = re.findall(r"^\.\. automodule:: (\S+)$", pages, re.M)
    return {f"{module}.{name}" for module in modules for name in import_module(module).__all__}


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    names = {line.split(" ")[0] for line in zlib.decompress(inventory).decode().splitlines()}
    assert public() - names == set()


def test_what_a_function_raises_is_linked(site: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "api").glob("*.html"))
    assert len(re.findall(r"Raises <a [^>]*#ccgkit", pages)) > 100
    assert re.findall(r"Raises <code.{60}", pages) == []


def test_code_in_docstrings_keeps_its_backslashes(site: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "api").glob("*.html"))
    shown = unescape(re.sub(r"<[^>]*>", "", pages))
    told = "\n".join(inspect.getdoc(found) or "" for module in MODULES for _, found in members(module))
    codes = re.findall(r"(?<!`)`([^`\n]*\\[^`\n]*)`(?!`)", told)
    assert len(codes) > 5 and [code for code in codes if code not in shown] == []


def test_defaults_are_values_and_not_names_of_private_ones(site: Path) -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in (site / "reference" / "api").glob("*.html"))
    assert re.findall(r'class="default_value">[^<]*\b_?[A-Z_]{3,}\b', pages) == []
    assert "(*args, **kwargs)" not in re.sub(r"<[^>]*>", "", pages)


def test_fields_of_configurations_have_plain_types(site: Path) -> None:
    page = (site / "reference" / "api" / "taggers.html").read_text(encoding="utf-8")
    assert "Annotated" not in page and "intint" not in re.sub(r"<[^>]*>", "", page)


def test_no_page_shows_where_an_object_is_in_memory(links: dict[Path, Links]) -> None:
    assert [page.name for page in links if " object at 0x" in page.read_text(encoding="utf-8")] == []


def test_the_commands_and_the_fields_of_configurations_are_told(site: Path) -> None:
    commands = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    assert all(f'id="ccgkit-{name}"' in commands for name in ("tag", "evaluate-deps", "validate-category"))
    assert 0 < commands.index('href="#ccgkit-doctor"') < commands.index('id="ccgkit-tag"')  # a list first
    fields = (site / "reference" / "configuration.html").read_text(encoding="utf-8")
    assert all(
        name in fields for name in ("lstm_layers", "bert_pooling", "checkpoint_minutes", "from 0 to 4096")
    )


def test_the_navigation_goes_from_first_steps_to_results(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    captions = re.findall(r'class="caption-text">([^<]+)<', index)
    assert list(dict.fromkeys(captions)) == [
        "Begin", "What are you here for?", "Reference", "Explanations", "Results", "The project",
    ]  # fmt: skip
    pages = [
        path.removesuffix(".html") for path in re.findall(r'toctree-l1[^>]*><a[^>]*href="([^"]+)"', index)
    ]
    order = [
        "start", "parsing", "candc", "teaching", "training", "corpora", "serving", "cluster", "neighbours",
        "reference/commands", "formats", "reference/configuration", "reference/models/index",
        "reference/api/index", "notations", "oracles", "dependencies", "treebank", "architecture", "results",
        "experiments/README",
    ]  # fmt: skip
    assert [page for page in dict.fromkeys(pages) if page in order] == order


def test_search_works_in_a_folder_without_network(site: Path, browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.fill("input[name=q]", "supertag")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("#search-results li a")
    assert "ccgkit.sentence.Supertag" in page.inner_text("#search-results")
    context.close()


def test_no_page_is_wider_than_a_phone(links: dict[Path, Links], browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    wide = []
    for path in links:
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            wide.append(path.name)
    context.close()
    assert wide == []
