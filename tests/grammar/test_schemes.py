"""Schemes of annotation: those that come with the toolkit, and one's own."""

import pytest

from ccgkit.grammar import load_scheme, scheme_names
from ccgkit.grammar.schemes import SchemeError


def test_schemes_come_with_the_toolkit_or_from_a_file(tmp_path):
    assert scheme_names() == ("ccgbank", "rebank", "udccg")
    with pytest.raises(SchemeError, match="no scheme 'penn'"):
        load_scheme("penn")
    path = tmp_path / "own.toml"
    path.write_text('notation = "own"\nrules = ["?"]\ndegree = 1\ncoordination = "mark"\n', encoding="utf-8")
    with pytest.raises(SchemeError, match="does not read"):
        load_scheme(str(path))
