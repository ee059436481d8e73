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
