"""NLTK's tokenizer without the rest of NLTK, which takes as long to import as torch if scipy is installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.destructive import NLTKWordTokenizer

__all__ = ["word_tokenizer"]

_lock = Lock()


def word_tokenizer() -> NLTKWordTokenizer:
    """The tokenizer, one for all threads."""
    with _lock:
        return _tokenizer()


@cache
def _tokenizer() -> NLTKWordTokenizer:
    if "nltk" not in sys.modules:
        try:
            with _bare_packages():
                return _imported()
        except (ImportError, AttributeError):  # an NLTK in which the tokenizer needs more
            pass
    return _imported()


def _imported() -> NLTKWordTokenizer:
    from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()


@contextmanager
def _bare_packages() -> Iterator[None]:
    """In the block NLTK's packages are folders of modules; who imports them afterwards gets them whole."""
    found = find_spec("nltk")
    folders = list(found.submodule_search_locations or ()) if found else []
    for name, inside in (("nltk", ""), ("nltk.tokenize", "tokenize")):
        package = ModuleType(name)
        package.__path__ = [str(Path(folder, inside)) for folder in folders]
        sys.modules[name] = package
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "nltk"]:
            del sys.modules[name]
