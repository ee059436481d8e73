"""Profiles of [incr tsdb()]: the preferred derivation of each item, with its places in the text."""

import gzip

import pytest

from ccgkit.corpora import CorpusError
from ccgkit.treebanks import profiles
from ccgkit.treebanks.evidence import erg_evidence

RELATIONS = """item:
  i-id :integer :key   # the item
  i-input :string

parse:
  parse-id :integer :key
  i-id :integer :key

result:
  parse-id :integer :key
  result-id :integer
  derivation :string

preference:
  parse-id :integer :key
  result-id :integer
"""


def leaf(entry, word, start):
    token = rf"token [ +FORM \"{word}\" +FROM \"{start}\" +TO \"{start + len(word)}\" ]"
    return f'(7 {entry} 0 0 1 ("{word}" 3 "{token}"))'


ADA = f"(8 hdn_bnp-pn_c 0 0 1 (9 n_sg_ilr 0 0 1 {leaf('generic_proper_ne', 'Ada', 0)}))"
SLEPT = f"(6 v_pst_olr 0 1 2 {leaf('sleep_v1', 'slept', 4)})"
TREE = f"(root_strict (5 sb-hd_mc_c 0.5 0 2 {ADA} {SLEPT}))"


def profile(folder, results, zipped=False):
    tables = {
        "relations": RELATIONS,
        "item": "10@Ada slept\n20@a\\sb\n",
        "parse": "1@10\n2@20\n",
        "preference": "1@1\n",
        "result": "".join(f"{line}\n" for line in results).replace("\\\\", "\\"),
    }
    for name, text in tables.items():
        if zipped and name == "result":
            (folder / "result.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("zipped", [False, True])
def test_the_preferred_result_is_the_items(tmp_path, zipped):
    other = TREE.replace("sb-hd_mc_c", "other_c")
    (item,) = profiles.load(profile(tmp_path, [f"1@0@{other}", f"1@1@{TREE}"], zipped))
    assert (item.id, item.text, item.root, item.tree.name) == ("10", "Ada slept", "root_strict", "sb-hd_mc_c")
    assert [str(one[0]) for one in erg_evidence(item).proposals] == ["N", r"S[dcl]\NP"]


def test_a_text_may_have_the_sign_between_fields(tmp_path):
    tree = leaf("x_n1", "a@b", 0)
    (item,) = profiles.load(profile(tmp_path, [f"2@0@{tree.replace('@', chr(92) + 's')}"]))
    assert (item.text, item.tree.start, item.tree.end) == ("a@b", 0, 3)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (f"1@1@{TREE[:-1]}", "parenthesis too many or too few"),
        (f"1@1@{TREE})", "parenthesis too many or too few"),
        ("1@1@(5 sb-hd_mc_c)", "a node that is not"),
        (f"1@1@{leaf('x_n1', 'Ada', 40)}", "stands at 40 to 43 in a text of 9 characters"),
        ('1@1@(7 x_n1 0 0 1 ("Ada" 3 "token"))', "does not say where it stands"),
        (f"3@1@{TREE}", "parse 3 belongs to no item"),
    ],
)
def test_damage_is_named_and_the_rest_goes_on(tmp_path, line, reason):
    folder = profile(tmp_path, [line, f"2@0@{leaf('x_n1', 'a', 0)}"])
    with pytest.raises(CorpusError, match=reason) as caught:
        list(profiles.load(folder))
    assert (caught.value.path, caught.value.line) == (str(folder / "result"), 1)
    errors = []
    assert [item.id for item in profiles.load(folder, errors.append)] == ["20"]
    assert len(errors) == 1


def test_a_row_with_too_few_fields_is_an_error(tmp_path):
    with pytest.raises(CorpusError, match="2 fields, but a row of result has 3"):
        list(profiles.load(profile(tmp_path, ["1@1"])))


def test_a_folder_without_a_table_is_no_profile(tmp_path):
    folder = profile(tmp_path, [])
    (folder / "parse").unlink()
    with pytest.raises(CorpusError, match="needs the table parse"):
        list(profiles.load(folder))
