"""The recipe makes files and figures of a source, and what is made is not made again."""

import gzip
import json

from ccgkit.corpora import auto
from recipes import treebank
from tests.treebanks.erg_trees import item, name, nested, past, the


def source(folder):
    cat = item(
        "Ada fed the cat", ("sb-hd_mc_c", name("Ada"), ("hd-cmp_u_c", past("fed", "feed"), the("cat"))), "a1"
    )
    nonsense = item("the of the", "the_1=the", "a2")
    items = [{"id": one.id, "text": one.text, "tree": nested(one.tree)} for one in (cat, nonsense)]
    path = folder / "erg.jsonl.gz"
    path.write_bytes(gzip.compress("".join(f"{json.dumps(one)}\n" for one in items).encode() + b"{\n"))
    return path


def tree(*heads):
    """A sentence of Universal Dependencies whose words have these heads."""
    rows = (f"{n}\tw\tw\tNOUN\tNN\t_\t{head}\tdep\t_\t_\n" for n, head in enumerate(heads, 1))
    return "".join(rows) + "\n"


def test_trees_that_do_not_read_are_named_with_their_lines_and_the_rest_goes_on(tmp_path, capsys):
    path = tmp_path / "a.conllu"
    path.write_text(tree(2, 0) + tree(0, 3, 2) + tree(2, 1) * 8 + tree(0))
    assert [len(one.tokens) for one in treebank.read(path)] == [2, 1]
    told = capsys.readouterr().err
    assert f"left out: {path}:5:" in told and "a cycle of heads: 2 → 3 → 2" in told
    assert [told.count(f"left out: {path}:{line}:") for line in range(8, 32, 3)] == [1] * 8


def test_of_a_truncated_file_of_trees_what_can_be_read_is(tmp_path, capsys):
    whole = gzip.compress("".join(tree(*range(number % 9 + 1)) for number in range(9000)).encode())
    path = tmp_path / "a.conllu.gz"
    path.write_bytes(whole[: len(whole) // 2])
    assert 0 < len(list(treebank.read(path))) < 9000
    assert f"left out: {path}: damaged gzip file" in capsys.readouterr().err


def test_an_empty_file_of_trees_is_named(tmp_path, capsys):
    (tmp_path / "a.conllu").write_text("")
    assert list(treebank.read(tmp_path / "a.conllu")) == []
    assert "a.conllu: no sentences: the file is empty" in capsys.readouterr().err


def test_a_source_becomes_derivations_and_figures(tmp_path, capsys):
    (tmp_path / "tanaka.train").mkdir()
    target = tmp_path / "tanaka.train" / "0000.jsonl"
    (portion,) = treebank.portions(treebank.read(source(tmp_path)))
    assert "erg.jsonl.gz:3: expected a JSON object" in capsys.readouterr().err
    treebank.make(portion, None, target)
    figures = treebank.join(tmp_path, "tanaka.train")
    (sentence,) = auto.load(tmp_path / "tanaka.train.auto")
    assert (sentence.id, sentence.words) == ("tanaka.train/a1", ("Ada", "fed", "the", "cat"))
    page = treebank.report({"tanaka.train": figures})
    assert "| tanaka.train | 2 | 50.0 (50.0) | 50.0 (50.0) |" in page
    assert "| `NP/N` | 1 | 100.0 |" in page
    written = target.stat().st_mtime_ns
    treebank.run("tanaka.train", source(tmp_path), tmp_path, None, jobs=1)
    assert target.stat().st_mtime_ns == written


def test_how_much_doubt_is_too_much_is_asked_when_portions_are_joined(tmp_path):
    (tmp_path / "tanaka.train").mkdir()
    target = tmp_path / "tanaka.train" / "0000.jsonl"
    (portion,) = treebank.portions(treebank.read(source(tmp_path)))
    treebank.make(portion[:1], None, target)
    record = json.loads(target.read_text())
    target.write_text(json.dumps(record | {"cost": 0.3}) + "\n")
    page = treebank.report({"tanaka.train": treebank.join(tmp_path, "tanaka.train")})
    assert list(auto.load(tmp_path / "tanaka.train.auto")) == []
    assert "| doubtful to the tagger | 1 |" in page
    assert "| 0.3 | 100.0 |  |" in page and "| 0.25 | 0.0 |  |" in page
    treebank.join(tmp_path, "tanaka.train", doubt=0.4)
    assert len(list(auto.load(tmp_path / "tanaka.train.auto"))) == 1
