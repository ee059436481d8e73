"""The recipe of the parser's costs."""

from click.testing import CliRunner

from ccgkit.grammar import Rule
from ccgkit.parsing.costs import read_costs
from recipes.parsing_costs import command

AUTO = (
    "ID=1 PARSER=GOLD NUMPARSE=1\n"
    r"(<T S[dcl] 1 2> (<L NP NNS NNS figs NP>) (<L S[dcl]\NP VBP VBP ripen S[dcl]\NP>) )"
    "\n"
)


def test_the_command_writes_the_costs_of_each_scheme(tmp_path):
    for name in ("pmb5/en.train.auto", "udccg/en_ewt.train.auto"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(AUTO * 9)
    for name in ("wescience", "tourism", "essay", "holmes", "tanaka"):
        (tmp_path / f"{name}.train.auto").write_text(AUTO)
    folders = {"--data": tmp_path, "--treebank": tmp_path, "--output": tmp_path / "costs"}
    result = CliRunner().invoke(command, [str(part) for pair in folders.items() for part in pair])
    assert result.exit_code == 0, result.output
    for scheme in ("rebank", "udccg"):
        costs = read_costs((tmp_path / f"costs/{scheme}.costs.json").read_text())
        assert costs.rules[Rule.BACKWARD_APPLICATION] < costs.rules[Rule.FORWARD_TYPE_RAISING]
