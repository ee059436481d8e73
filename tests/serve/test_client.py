"""The client of docs/serving.md, against a service that listens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from serving import served

pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'ccgkit[serve]'")

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"


def test_the_client_of_the_documentation_works(model):
    (client,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len([line for line in client.splitlines() if line.strip()]) <= 12
    names: dict = {}
    exec(client, names)
    with served(model) as address:
        found = list(names["ask"]("parse", address, sentences=["Ada sleeps.", "Bo sees Ada."]))
    assert [one["tokens"][0]["word"] for one in found] == ["Ada", "Bo"]
