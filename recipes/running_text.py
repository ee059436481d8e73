"""The hand-checked running text: which sentences it has, and derivations with or without their words.

    python recipes/running_text.py choose --data DATA
    python recipes/running_text.py store --output DIR dev.auto test.auto
    python recipes/running_text.py join --data DATA --output DIR
    python recipes/running_text.py check

`choose` prints the sentences in the order in which they are annotated; `store` makes stand-off lines of
derivations that were annotated; `join` writes `.auto` and `.stagged` files with the corpora's words; `check`
says whether every derivation is one under the scheme.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ccgkit.corpora import auto, stagged
from ccgkit.grammar import load_scheme, unlicensed
from ccgkit.treebanks.running_text import CORPORA, SPLITS, join, load, read_words, stand_off

SEED = 17
EACH = 150  # sentences of a corpus, half of them for each split
LENGTHS = range(8, 41)
MARKUP = re.compile(r"[⌊¦\\]")
PASSED_OVER = {
    "ws213-1000008300110": "the end of a bibliographical reference",
    "ws213-1000007802120": "breaks off in the middle",
    "email-enronsent28_02-0022": "words are missing, so that nothing spans it",
    "newsgroup-groups.google.com_MeninLingerie_78adf09ead5e7e87_ENG_20041219_035800-0001": "a mail header",
}
Named = tuple[str, str, Sequence[str]]  # a sentence with its corpus and id


def choose(data: Path) -> list[Named]:
    """The sentences to annotate, the corpora in turns."""
    shuffle = random.Random(SEED).shuffle
    lists = []
    for corpus, (path, _) in CORPORA.items():
        found = [(corpus, *sentence) for sentence in read_words(corpus, data / path)]
        found = [sentence for sentence in found if len(sentence[2]) in LENGTHS]
        shuffle(found)
        lists.append(list(_suitable(found))[:EACH])
    return list(chain.from_iterable(zip(*lists, strict=True)))


def _suitable(sentences: Sequence[Named]) -> Iterator[Named]:
    """Those that are English and not the same as one before."""
    seen: set[tuple[str, ...]] = set()
    for corpus, name, words in sentences:
        if name not in PASSED_OVER and not MARKUP.search(" ".join(words)) and tuple(words) not in seen:
            seen.add(tuple(words))
            yield corpus, name, words


def store(paths: Sequence[Path], output: Path) -> None:
    """Derivations with their words to derivations without, a file to a file."""
    for path in paths:
        lines = []
        for sentence in auto.load(path):
            corpus, _, name = (sentence.id or "").partition("/")
            (derivation,) = sentence.derivations or ()
            lines.append(stand_off(corpus, name, derivation).line + "\n")
        (output / f"running-text.{path.stem}.tsv").write_text("".join(lines), encoding="utf-8")


def write_joined(data: Path, output: Path) -> None:
    """Every split as derivations and as tagged words."""
    output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        sentences = list(join(load(split), data))
        auto.dump(sentences, output / f"running-text.{split}.auto")
        stagged.dump(sentences, output / f"running-text.{split}.stagged")


def check() -> bool:
    """Print what is in the set, and the sentences that the scheme does not derive."""
    scheme = load_scheme("rebank")
    good = True
    for split in SPLITS:
        annotations = load(split)
        print(f"{split}: {len(annotations)} sentences, {sum(a.length for a in annotations)} words")
        for annotation in annotations:
            for node in unlicensed(annotation.derivation, scheme):
                print(f"{annotation.corpus}/{annotation.id}: no rule makes {node.category}")
                good = False
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("choose", "store", "join", "check"):
        command = commands.add_parser(name)
        if name in ("choose", "join"):
            command.add_argument("--data", type=Path, required=True, help="the folder of the corpora")
        if name in ("store", "join"):
            command.add_argument("--output", type=Path, required=True, help="a folder")
        if name == "store":
            command.add_argument("paths", type=Path, nargs="+", help=".auto files named after the splits")
    options = parser.parse_args()
    if options.command == "choose":
        print(*("\t".join((corpus, name, *words)) for corpus, name, words in choose(options.data)), sep="\n")
    elif options.command == "store":
        store(options.paths, options.output)
    elif options.command == "join":
        write_joined(options.data, options.output)
    return 0 if options.command != "check" or check() else 1


if __name__ == "__main__":
    raise SystemExit(main())
