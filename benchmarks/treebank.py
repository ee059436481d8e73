"""Sentences a second that become evidence, and that are parsed under it, beside parsing without; memory.

python benchmarks/treebank.py DATA
"""

import resource
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import ccgkit
from ccgkit.corpora import conllu
from ccgkit.parsing import Parser
from ccgkit.treebanks import erg
from ccgkit.treebanks.evidence import Evidence, erg_evidence
from ccgkit.treebanks.making import Maker
from ccgkit.treebanks.ud import ud_evidence

SENTENCES = 300
TOLD = 5_000  # sentences between two looks at the memory


def seconds(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def all_evidence(data: Path) -> Iterator[Evidence]:
    """Of every sentence of the English Resource Grammar's treebanks and of UD-EWT's training part."""
    for path in sorted(data.glob("erg/*.jsonl.gz")):
        yield from map(erg_evidence, erg.load(path))
    yield from map(ud_evidence, conllu.load(data / "ud/en_ewt.train.conllu.gz"))


def tell_memory(data: Path) -> None:
    """The most memory that converting everything has taken, every so often."""
    for number, _ in enumerate(all_evidence(data), 1):
        if number % TOLD == 0:
            most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{number:,} sentences converted: {most:.0f} MB at most", flush=True)


def main() -> None:
    tell_memory(Path(sys.argv[1]))
    items = list(islice(erg.load(Path(sys.argv[1]) / "erg" / "wescience.dev.jsonl.gz"), SENTENCES))
    known = [erg_evidence(item) for item in items]
    tagged = list(ccgkit.load().pipe_sentences((one.sentence for one in known), k=20, beta=1e-4))
    maker, parser = Maker(), Parser()
    work = {
        "conversion": lambda: [erg_evidence(item) for item in items],
        "constrained parsing": lambda: [maker.derive(*pair) for pair in zip(known, tagged, strict=True)],
        "plain parsing": lambda: [parser.parse(sentence) for sentence in tagged],
    }
    for run in ("cold", "warm"):
        took = {name: seconds(task) for name, task in work.items()}
        for name, time_taken in took.items():
            print(f"{run} {name}: {SENTENCES / time_taken:.0f} sentences/s")
        ratio = took["constrained parsing"] / took["plain parsing"]
        print(f"{run} constrained parsing takes {ratio:.2f} times as long as plain parsing")


if __name__ == "__main__":
    main()
