"""Makes `from strategies import …` work in every test, however pytest is started."""

import os
import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

# a busy machine is no failure
settings.register_profile("ccgkit", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("ccgkit")


def pytest_addoption(parser):
    parser.addoption(
        "--fuzz", type=int, help="damaged inputs for each case of tests/fuzz (default: some hundred)"
    )
