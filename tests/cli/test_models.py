"""`ccgkit models`."""

import json

from click.testing import CliRunner

from ccgkit.cli.models import command
from ccgkit.models.registry import installed


def test_models_are_listed_with_data_notation_size_and_figures(monkeypatch, tmp_path):
    (tmp_path / "model.json").write_text('{"format": "ccgkit model", "scheme": "udccg"}')
    (tmp_path / "info.json").write_text(
        json.dumps(
            {
                "name": "toy",
                "language": "en",
                "data": "D",
                "licence": "L",
                "figures": {"dev": 95.5},
            }
        )
    )
    from ccgkit.models import registry

    monkeypatch.setattr("ccgkit.models.registry.installed", lambda: [registry.describe(tmp_path)])
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    for part in ("toy", "UD-CCG", "0.0 MB", "95.50 %"):
        assert part in result.output
    line = json.loads(CliRunner().invoke(command, ["--json"]).output)
    assert line["figures"] == {"dev": 95.5}


def test_what_is_in_the_package_is_listed():
    result = CliRunner().invoke(command, ["--json"])
    assert [json.loads(line)["name"] for line in result.output.splitlines()] == [m.name for m in installed()]
