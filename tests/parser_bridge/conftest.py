"""A C&C of the tests' own: a small Java program that behaves, and fails, as C&C does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ccgkit.parser_bridge import Installation

sys.path.insert(0, str(Path(__file__).parent))
from bridge_sentences import FAST

SOURCE = Path(__file__).parent / "java" / "Parser.java"

MARKEDUP = r"""# the categories

N
  0 N{_}

NP
  0 NP{_}

N/N
  1 (N{Y}/N{Y}<1>){_}

NP[nb]/N
  1 (NP[nb]{Y}/N{Y}<1>){_}

S[dcl]\NP
  1 (S[dcl]{_}\NP{Y}<1>){_}
  1 ncsubj %l %f _

(S\NP)\(S\NP)
  1 ((S[X]{Y}\NP{Z}){Y}\(S[X]{Y}<1>\NP{Z}){Y}){_}

.
  0 .{_}
"""


# a real C&C of the machine's is for `test_real_jar.py` alone: no other test is to use it unasked
REAL = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("CCGKIT_CC_")}


@pytest.fixture(scope="session")
def real_candc():
    """The variables that name a real C&C."""
    if not {"CCGKIT_CC_JAR", "CCGKIT_CC_HOME"} <= set(REAL):
        pytest.skip("no real C&C is named by CCGKIT_CC_JAR and CCGKIT_CC_HOME")
    return REAL


@pytest.fixture(scope="session")
def classes(tmp_path_factory):
    """The folder with the compiled program."""
    if shutil.which("javac") is None or shutil.which("java") is None:
        pytest.skip("no JDK: the program that stands in for C&C cannot be compiled")
    folder = tmp_path_factory.mktemp("classes with spaces é")
    subprocess.run(["javac", "-encoding", "UTF-8", "-d", str(folder), str(SOURCE)], check=True)
    return folder


@pytest.fixture
def home(tmp_path):
    """A folder with grammar and model, as small as can be, in a path with spaces."""
    folder = tmp_path / "the home of C&C"
    (folder / "grammar").mkdir(parents=True)
    (folder / "words_feats").mkdir()
    for name in ("trNP", "trPP", "trAP", "trVP_to"):
        (folder / "grammar" / name).touch()
    (folder / "grammar" / "markedup").write_text(MARKEDUP, encoding="utf-8")
    (folder / "grammar" / "all_rule_instances").write_text("# rules\n\n(N/N) N\n", encoding="utf-8")
    (folder / "words_feats" / "wsj02-21.wordsPos").write_text("# x\n\nthe\n", encoding="utf-8")
    (folder / "words_feats" / "wsj02-21.feats.1-22").write_text("# x\n\n", encoding="utf-8")
    (folder / "weights").write_text("# x\n\nlogp:1.0\n", encoding="utf-8")
    return folder


@pytest.fixture
def installation(classes, home):
    return Installation.locate(classes, home, java_options=FAST)
