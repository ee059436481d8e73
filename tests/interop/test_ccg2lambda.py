"""ccg2lambda itself, where a checkout of it is named: our Jigg XML becomes formulas."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest
from parses import parsed

from ccgkit.corpora import dump

HOME = os.environ.get("CCGKIT_CCG2LAMBDA", "")
pytestmark = pytest.mark.skipif(not HOME, reason="CCGKIT_CCG2LAMBDA names no checkout of ccg2lambda")
# its scripts are of a time when yaml.load needed no loader
RUN = (
    "import functools, runpy, sys, yaml; yaml.load = functools.partial(yaml.load, Loader=yaml.Loader);"
    "sys.path.insert(0, 'scripts'); sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"
)


def test_sentences_become_formulas(tmp_path: Path) -> None:
    dump(parsed(), tmp_path / "parsed.jigg.xml")
    templates = "en/semantic_templates_en_event.yaml"
    files = (tmp_path / "parsed.jigg.xml", templates, tmp_path / "sem.xml")
    subprocess.run(
        [sys.executable, "-c", RUN, "scripts/semparse.py", *map(str, files), "--ncores", "1"],
        cwd=HOME, check=True, timeout=600,
    )  # fmt: skip
    found = XML.parse(tmp_path / "sem.xml").getroot().findall(".//semantics")
    assert len(found) == len(parsed())
    made = [one for one in found if one.get("status") == "success"]
    assert len(made) >= 0.9 * len(found)
    formulas = [one.findall(f"span[@id='{one.get('root')}']")[0].get("sem", "") for one in made]
    assert "_love" in formulas[0]
