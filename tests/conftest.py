"""Makes `from strategies import …` work in every test, however pytest is started."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile("ccgkit", deadline=None)  # the machines are noisy: no test is timed
settings.load_profile("ccgkit")
