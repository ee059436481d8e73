"""`ccgkit doctor` names what is found and what is missing."""

import json
import os
import shutil
import sys

import click
import pytest
from click.testing import CliRunner

from ccgkit.cli.doctor import command
from ccgkit.cli.main import Commands, main
from ccgkit.grammar import CCGKitError
from ccgkit.parser_bridge.options import Options, config_file


@pytest.fixture(autouse=True)
def no_settings(monkeypatch, tmp_path):
    """No C&C of the machine's own."""
    for name in [name for name in os.environ if name.startswith("CCGKIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def doctor(*arguments):
    result = CliRunner().invoke(command, [*arguments, "--json"])
    return result, [json.loads(line) for line in result.stdout.splitlines()]


def found(findings, name):
    return [finding for finding in findings if finding["name"] == name]


def test_without_candc_nothing_of_it_is_missing():
    _, findings = doctor()
    assert found(findings, "C&C") == [
        {"name": "C&C", "found": "no jar is named: parsing is done by the embedded parser", "ok": None}
    ]
    assert found(findings, "torch")[0]["ok"] is True


def test_all_that_is_missing_is_named(tmp_path):
    result, findings = doctor("--cc-jar", str(tmp_path / "c.jar"), "--cc-home", str(tmp_path))
    assert result.exit_code == 1
    complaints = " ".join(finding["found"] for finding in found(findings, "C&C"))
    for part in ("c.jar", "grammar", "lexicon", "features", "weights"):
        assert part in complaints


def test_a_home_or_all_parts_must_be_named(tmp_path):
    result, findings = doctor("--cc-jar", str(tmp_path / "c.jar"))
    assert result.exit_code == 1
    assert "--cc-home" in found(findings, "C&C")[0]["found"]


def test_at_a_terminal_it_reads_as_a_table(tmp_path):
    lines = CliRunner().invoke(command, []).stdout.splitlines()
    assert lines[0].startswith("ok  ccgkit       ")


@pytest.mark.skipif(shutil.which("java") is None, reason="no Java")
def test_a_java_tells_its_version():
    _, findings = doctor()
    assert "version" in found(findings, "java")[0]["found"]
    _, findings = doctor("--cc-jar", "x", "--cc-home", "y", "--java", "no-such-java")
    assert found(findings, "java") == [
        {"name": "java", "found": "'no-such-java' does not run", "ok": False},
        {"name": "java", "found": "no-such-java (by the command line)", "ok": None},
    ]


def test_flags_outdo_variables_and_variables_the_file(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text(
        '[candc]\njar = "a.jar"\nhome = "/h"\nbetas = [0.01, 0.1, 0.2]\nclasspath = ["x", "/y"]\n'
    )
    environ = {"CCGKIT_CONFIG": str(file), "CCGKIT_CC_HOME": "/e", "CCGKIT_CC_XMX": "3g"}
    options = Options.gather({"xmx": "4g", "java": None}, environ)
    assert options.values == {
        "jar": str(tmp_path / "a.jar"),
        "home": "/e",
        "betas": "0.01,0.1,0.2",
        "classpath": f"{tmp_path / 'x'}{os.pathsep}/y",
        "xmx": "4g",
    }
    assert options.origins["home"] == "CCGKIT_CC_HOME"
    installation = options.installation()
    assert (installation.xmx, str(installation.grammar)) == ("4g", "/e/grammar")
    assert [str(path) for path in installation.classpath] == [str(tmp_path / "x"), "/y"]
    assert options.limits().betas == (0.01, 0.1, 0.2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[candc]\njars = 'x'\n", "no 'jars'"), ("[candc\n", "line 1")],
)
def test_a_wrong_settings_file_is_named_with_its_fault(tmp_path, text, complaint):
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(CCGKitError, match=complaint) as caught:
        Options.gather({}, {"CCGKIT_CONFIG": str(file)})
    assert str(file) in str(caught.value)


def test_a_settings_file_that_is_asked_for_must_exist():
    with pytest.raises(CCGKitError, match="does not exist"):
        Options.gather({}, {"CCGKIT_CONFIG": "/no/such/file"})
    assert Options.gather({}, {"HOME": "/no/such/home"}).values == {}


def test_the_settings_file_lies_where_others_do():
    assert str(config_file({"HOME": "/home/x"})) == "/home/x/.config/ccgkit/config.toml"
    assert str(config_file({"XDG_CONFIG_HOME": "/c"})) == "/c/ccgkit/config.toml"


def test_betas_must_be_numbers():
    with pytest.raises(CCGKitError, match="numbers joined by commas"):
        Options.gather({"betas": "high"}, {"HOME": "/x"}).limits()


def test_a_command_that_needs_torch_says_so_where_there_is_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(Commands, "get_command", lambda *_: click.Command("tag", callback=needs_torch))
    result = CliRunner().invoke(main, ["tag"])
    assert result.exit_code == 1
    assert result.stderr == "Error: models need PyTorch, which is not installed: pip install torch\n"


def needs_torch():
    import torch  # noqa: F401
