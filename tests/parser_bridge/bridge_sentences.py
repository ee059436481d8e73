"""Tagged sentences for the tests of the bridge, and waiting."""

import signal
import time

from ccgkit.grammar import Category, Token
from ccgkit.sentence import Sentence, Supertag

FAST = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")  #: Java starts sooner with these


def sentence(text, *tags):
    """A sentence whose words all have the tags, pairs of category and log-probability; `N` by default."""
    pairs = tags or (("N", -0.1),)
    supertags = tuple(Supertag(Category.parse(category), logprob) for category, logprob in pairs)
    words = text.split(" ") if text else []
    return Sentence(tuple(Token(word, "X") for word in words), (supertags,) * len(words))


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()


def hear_ctrl_c():
    """For a child that is to be stopped: started from the background it would ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
