"""Makes `from strategies import …` work in every test, however pytest is started."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))

# a busy machine is no failure; every night there are many more examples (--hypothesis-profile nightly)
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ccgkit", patient, derandomize="CI" in os.environ, max_examples=50)
settings.register_profile("nightly", patient, max_examples=1000)
settings.load_profile("ccgkit")


def pytest_addoption(parser):
    parser.addoption(
        "--fuzz", type=int, help="damaged inputs for each case of tests/fuzz (default: some hundred)"
    )


@pytest.fixture(scope="session", autouse=True)
def signals_are_heard():
    """A suite that is started in the background ignores signals, and so would the commands that it starts."""
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="session")
def corpus_folder():
    """The corpora that slow tests read."""
    if "CCGKIT_DATA" not in os.environ:
        pytest.skip("CCGKIT_DATA does not name the folder of the corpora")
    return Path(os.environ["CCGKIT_DATA"])


@pytest.fixture(scope="session")
def no_learning_curves():
    """Drawing takes longer than the trainings of the tests, and has a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ccgkit.training.trainer.draw_curve", lambda *_: False)
        yield


def browser_path():
    """The program of a Chromium that is installed."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    found = (shutil.which(name) for name in names)
    return os.environ.get("CCGKIT_CHROMIUM") or next((path for path in found if path), None)


@pytest.fixture(scope="module")
def browser():
    """A real browser, driven by playwright; CONTRIBUTING.md says how to get both."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")
    with playwright.sync_playwright() as driver:
        path = browser_path() or driver.chromium.executable_path
        if not Path(path).exists():
            pytest.skip("needs Chromium: see CONTRIBUTING.md")
        opened = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()
