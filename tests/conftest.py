"""Makes `from strategies import …` work in every test, however pytest is started."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))

# a busy machine is no failure
settings.register_profile("ccgkit", deadline=None)
settings.load_profile("ccgkit")
