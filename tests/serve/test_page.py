"""The page in a real browser: headless Chromium, driven by playwright.

Both are optional: CONTRIBUTING.md says how to get them. `CCGKIT_CHROMIUM` names another browser's program.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from serving import served

from ccgkit.corpora import loads
from ccgkit.models.registry import find

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'ccgkit[serve]'")

TELESCOPE = "I saw the man with a telescope."
AUTO = r"""ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<L NP PRP PRP She NP>) (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBZ VBZ reads (S[dcl]\NP)/NP>) (<T NP 1 2> (<L NP[nb]/N DT DT a NP[nb]/N>) (<L N NN NN book N>) ) ) )
"""  # noqa: E501
HOSTILE = [
    "<script>window.hacked=1</script>",
    "</style></title></textarea><img/src=x/onerror=window.hacked=1>",
    '"onmouseover="window.hacked=1',
    "left\u202etfel\u2066x",
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(find()) as found:
        yield found


@contextmanager
def visit(browser, address, width=1280, **options):
    """The page, opened; what the browser complains of, forbidden styles and scripts too, is a failure."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    yield page
    assert page.evaluate("window.hacked") is None
    context.close()
    assert [text for text in complaints if "401" not in text and "422" not in text] == []


@pytest.fixture
def page(browser, address):
    with visit(browser, address) as opened:
        opened.wait_for_selector("body[data-ready]")
        yield opened


def parse(page, text, readings="1"):
    page.select_option("#nbest", readings)
    page.fill("#text", text)
    page.press("#text", "Control+Enter")
    page.wait_for_selector("#parsed article")


def category_of(page, word):
    """The category in the drawing under a word."""
    place = page.locator("article .ccg-word").all_inner_texts().index(word)
    return page.locator("article button.ccg-category").nth(place).get_attribute("aria-label").split(": ")[0]


def test_a_text_is_typed_and_parsed(page):
    parse(page, "United serves Miami. Who left?")
    assert page.locator("article").count() == 2
    assert page.locator("article").first.locator(".ccg-word").all_inner_texts() == [
        "United", "serves", "Miami", ".",
    ]  # fmt: skip
    assert category_of(page, "serves") == r"(S[dcl]\NP)/NP"
    assert page.locator("article").first.locator(".arcs path.tip").count() == 2
    assert page.locator("article .badge").all_inner_texts() == ["parsed", "parsed"]
    assert "2 sentences in" in page.inner_text("#status")


def test_a_category_is_fixed_and_a_link_brings_the_view_back(page, browser):
    parse(page, TELESCOPE)
    before = category_of(page, "with")
    tags = page.locator('.word[aria-label="with"] .tag')
    other = next(tag for tag in tags.all() if "used" not in tag.get_attribute("class"))
    other.click()
    page.wait_for_selector(".chips li")
    after = category_of(page, "with")
    assert after != before
    assert page.locator('.word[aria-label="with"] .tag[aria-pressed=true]').count() == 1
    link = page.url
    assert "telescope" in link.partition("#")[2] and "telescope" not in link.partition("#")[0]
    with visit(browser, link) as again:
        again.wait_for_selector(".chips li")
        assert category_of(again, "with") == after
        again.locator('.word[aria-label="with"] .tag[aria-pressed=true]').click()
        again.wait_for_selector(".chips", state="detached")
        assert category_of(again, "with") == before


def test_words_are_required_and_forbidden_as_a_constituent(page):
    parse(page, TELESCOPE)
    page.locator('button.ccg-category[aria-label*=": saw the man,"]').click()
    page.click("#explanation >> text=Forbid")
    page.wait_for_selector(".chips li")
    assert page.locator('button.ccg-category[aria-label*=": saw the man,"]').count() == 0
    assert "is not a constituent" in page.inner_text(".chips")
    page.click(".chips button")
    page.wait_for_selector(".chips", state="detached")
    constraints = page.locator("[data-name=Constraints]")
    constraints.locator("select").nth(0).select_option("2")
    constraints.locator("select").nth(1).select_option("6")
    constraints.locator("button:has-text('Require')").click()
    page.wait_for_selector(".chips li")
    assert page.locator('button.ccg-category[aria-label*=": the man with a telescope"]').count() > 0


def test_readings_are_chosen_and_set_side_by_side_with_marks(page):
    parse(page, TELESCOPE, readings="3")
    drawn = page.inner_text("article .ccg")
    assert page.locator(".ccg-marked").count() == 0
    page.click("text=Reading 2")
    assert page.get_attribute("text=Reading 2", "aria-pressed") == "true"
    assert page.inner_text("article .ccg") != drawn
    page.wait_for_selector("article .arcs path.tip", state="attached")
    page.click("text=Side by side")
    assert page.locator(".sides .ccg").count() >= 2 and page.locator(".ccg-marked").count() > 0


def test_constituents_fold_and_the_drawing_grows(page):
    parse(page, TELESCOPE)
    page.locator('button.ccg-category[aria-label*="NP: the man,"]').click()
    page.click("#explanation >> text=Fold")
    assert "⟨the man⟩" in page.locator("article .ccg-word").all_inner_texts()
    page.click("text=Unfold all")
    assert "man" in page.locator("article .ccg-word").all_inner_texts()
    width = "document.querySelector('.ccg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.click('[aria-label="larger"]')
    assert page.evaluate(width) > 1.1 * before


def test_a_category_is_explained_under_the_mouse_and_by_the_keyboard(page):
    parse(page, "United serves Miami.")
    verb = page.locator(r'button.ccg-category[aria-label^="(S[dcl]\\NP)/NP"]')
    verb.hover()
    page.wait_for_selector("#explanation pre")
    told = page.inner_text("#explanation")
    assert "├─ S[dcl]" in told and "NP to the left" in told and "NP to the right" in told
    page.mouse.move(0, 0)
    page.wait_for_selector("#explanation", state="hidden")
    verb.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#explanation button:focus")
    page.keyboard.press("Escape")
    page.wait_for_selector("#explanation", state="hidden")
    assert "serves" in page.evaluate("document.activeElement.getAttribute('aria-label')")


@pytest.mark.parametrize(
    ("form", "ending", "beginning"),
    [
        ("svg", ".svg", b"<svg "),
        ("png", ".png", b"\x89PNG"),
        ("latex", ".tex", b"%"),
        ("auto", ".auto", b"ID="),
        ("json", ".json", b"{"),
    ],
)
def test_a_derivation_is_kept_as_a_file(page, form, ending, beginning):
    parse(page, "United serves Miami.")
    with page.expect_download() as kept:
        page.select_option("article label:has-text('Download') select", form)
    assert kept.value.suggested_filename == f"United-serves-Miami-{ending}"
    assert Path(kept.value.path()).read_bytes().startswith(beginning)


def test_dark_and_light_are_chosen_and_stay(page):
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click("#theme")
    page.click("#theme")
    dark = page.evaluate(colour)
    assert dark != light and page.get_attribute("#theme", "aria-label") == "theme: dark"
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert page.evaluate(colour) == dark


def test_the_systems_dark_theme_is_followed(browser, address):
    with visit(browser, address, color_scheme="dark") as page:
        page.wait_for_selector("body[data-ready]")
        red = int(re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[0])
        assert red < 64


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(browser, address, width):
    with visit(browser, address, width=width) as page:
        page.wait_for_selector("body[data-ready]")
        parse(page, "The old man who lives near the river saw the young woman with a telescope. " * 2, "3")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.click("article >> nth=0 >> button.ccg-category >> nth=0")
        page.wait_for_selector("#explanation button:focus")
        box = page.locator("#explanation").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_an_explanation_that_comes_between_press_and_release_does_not_take_the_click(browser, address):
    with visit(browser, address, width=390) as page:
        page.wait_for_selector("body[data-ready]")
        parse(page, TELESCOPE)
        category = page.locator("article button.ccg-category").first
        category.scroll_into_view_if_needed()
        over = "Object.assign(document.getElementById('explanation').style, {inset: 0, maxHeight: 'none'})"
        page.evaluate(over)
        box = category.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.wait_for_selector("#explanation pre")
        page.mouse.up()
        page.wait_for_selector("#explanation button:focus")


def test_tabs_are_reached_by_arrows_and_check_categories(page):
    page.focus("#tab-parse")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.get_attribute("#tab-categories", "aria-selected") == "true"
    page.fill("#category-list", "(S\\NP)/NP\nS\\NP/NP")
    page.click("#categories-form .main")
    page.wait_for_selector("#verdicts article")
    valid, wrong = page.locator("#verdicts article").all_inner_texts()
    assert "valid" in valid and "ambiguous without parentheses at column 5" in wrong
    page.reload()
    page.wait_for_selector("#verdicts article")


def test_the_oracle_has_a_table_of_transitions(page):
    page.click("#tab-oracle")
    page.fill("#oracle-category", "S/NP")
    page.press("#oracle-category", "Enter")
    page.wait_for_selector("#sequences table")
    rows = page.locator("#sequences table").nth(1).locator("tr").all_inner_texts()
    assert [row.split("\t")[-1] for row in rows] == ["Action", "gen(S)", "op(/)", "gen(NP)", "reduce", "stop"]


def test_a_pasted_derivation_is_shown_and_compared(page):
    page.click("#tab-compare")
    page.fill("#gold", AUTO)
    page.click("#compare-form .main")
    page.wait_for_selector("#compared .ccg")
    assert page.locator("#compared .ccg-word").all_inner_texts() == ["She", "reads", "a", "book"]
    page.click("#against")
    page.wait_for_selector("#compared .sides")
    assert page.locator("#compared .ccg").count() == 2
    assert page.locator("#compared td:has-text('given')").count() > 0  # NP[nb]/N is not the model's
    page.fill("#gold", "(<T nothing")
    page.click("#compare-form .main")
    page.wait_for_selector("#trouble:not([hidden])")


@pytest.mark.parametrize("form", ["jsonl", "auto"])
def test_a_file_is_parsed_with_progress_and_kept(page, tmp_path, form):
    source = tmp_path / "some.txt"
    source.write_text("She reads a book. He sleeps.\n\n" + "word " * 300 + "\n\nUnited serves Miami.\n")
    page.click("#tab-files")
    page.set_input_files("#file", source)
    page.select_option("#result", form)
    page.click("#files-form .main")
    page.wait_for_selector("#batch button")
    assert "3 sentences" in page.inner_text("#batch") and "1 line left out" in page.inner_text("#batch")
    assert (
        page.evaluate("document.querySelector('progress').value / document.querySelector('progress').max")
        == 1
    )
    with page.expect_download() as kept:
        page.click("#batch button")
    assert kept.value.suggested_filename == f"some.{form}"
    text = Path(kept.value.path()).read_text(encoding="utf-8")
    assert [sentence.words[0] for sentence in loads(text, form)] == ["She", "He", "United"]


class TestHostileText:
    """Whatever a text holds, it is shown as it is."""

    def check(self, page):
        assert page.locator("main script, main img, main style, aside img, aside script").count() == 0
        shown = page.inner_text("body")
        assert "\u202e" not in shown and "\u2066" not in shown

    def test_in_a_text(self, page):
        parse(page, " ".join(HOSTILE), readings="2")
        self.check(page)
        shown = "".join(page.locator("article .ccg-word, article .word strong").all_inner_texts())
        assert "script" in shown and "\\u202e" in shown
        page.locator("article button").first.hover()

    def test_in_words_and_ids_of_a_pasted_derivation(self, page):
        auto = AUTO.replace("ID=wsj_0001.1", f"ID={HOSTILE[0]}")
        for word, hostile in zip(("She", "reads", "book"), HOSTILE[1:], strict=True):
            auto = auto.replace(f" {word} ", f" {hostile} ")
        page.click("#tab-compare")
        page.fill("#gold", auto)
        page.click("#compare-form .main")
        page.wait_for_selector("#compared .ccg")
        self.check(page)
        assert HOSTILE[0] in page.inner_text("#compared h2")
        assert HOSTILE[1] in page.locator("#compared .ccg-word").all_inner_texts()
        page.locator("#compared button.ccg-category").first.hover()
        page.click("#against")
        page.wait_for_selector("#compared h2")
        self.check(page)

    def test_in_categories(self, page):
        page.click("#tab-categories")
        page.fill("#category-list", "\n".join(HOSTILE))
        page.click("#categories-form .main")
        page.wait_for_selector("#verdicts article")
        assert HOSTILE[0] in page.inner_text("#verdicts")
        self.check(page)

    def test_in_a_link(self, page, address):
        wish = {"filters": [[0, HOSTILE[0]]]}
        kept = {
            "tab": "parse",
            "text": HOSTILE[1],
            "model": HOSTILE[0],
            "nbest": HOSTILE[2],
            "wishes": [wish],
        }
        page.goto(address + "#" + json.dumps({**kept, "wishes": [wish]}))
        page.reload()
        page.wait_for_selector("#trouble:not([hidden])")
        self.check(page)


def test_a_token_is_asked_for_once(browser, model):
    with served(model, token="s3cret") as address, visit(browser, address) as page:
        page.wait_for_selector("#token-dialog[open]")
        page.fill("#token", "s3cret")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-ready]")
        assert page.locator("#model option").all_inner_texts() == ["toy"]


def test_a_token_is_not_asked_for_again_by_an_answer_that_comes_late(browser, model):
    held = []

    def hold_the_first(route):
        if held:
            route.continue_()
        else:
            held.append(route)

    with served(model, token="s3cret") as address, visit(browser, "about:blank") as page:
        page.route("**/api/rules", hold_the_first)
        page.goto(address)
        page.wait_for_selector("#token-dialog[open]")
        page.fill("#token", "s3cret")
        with page.expect_response(lambda answer: "/api/models" in answer.url and answer.ok):
            page.keyboard.press("Enter")
        held[0].continue_()
        page.wait_for_selector("body[data-ready]")
        assert not page.is_visible("#token-dialog")
