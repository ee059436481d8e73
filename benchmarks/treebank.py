"""Sentences a second that become evidence, and that are parsed under it, beside parsing without.

python benchmarks/treebank.py DATA
"""

import sys
import time
from itertools import islice
from pathlib import Path

import ccgkit
from ccgkit.parsing import Parser
from ccgkit.treebanks import erg
from ccgkit.treebanks.evidence import erg_evidence
from ccgkit.treebanks.making import Maker

SENTENCES = 300


def seconds(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
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
