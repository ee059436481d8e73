"""Reading the category column of a corpus: ours beside depccg's and NLTK's, in one run.

    pip install depccg && python benchmarks/categories.py [FILE.stagged]

Without a file the column is made of common categories in a Zipf-like order. NLTK and depccg are timed on
a part of it, and only on those categories that they read.
"""

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ccgkit import Category

COMMON = (
    "N", "NP", "N/N", "NP[nb]/N", "NP/N", "(NP\\NP)/NP", "PP/NP", "((S\\NP)\\(S\\NP))/NP", "conj",
    "(S[dcl]\\NP)/NP", "S[dcl]\\NP", "(S[b]\\NP)/NP", "(S\\NP)\\(S\\NP)", "(S[to]\\NP)/(S[b]\\NP)",
    "(S[dcl]\\NP)/(S[b]\\NP)", "((S[dcl]\\NP)/PP)/NP", "S[adj]\\NP", "(S[ng]\\NP)/NP", "S/S",
    "(NP\\NP)/(S[dcl]\\NP)", "((S[b]\\NP)/PP)/NP", "(S[wq]/(S[q]/NP))/N", "S[em]/S[dcl]",
)  # fmt: skip


def column(arguments: list[str]) -> list[str]:
    if arguments:
        text = Path(arguments[0]).read_text(encoding="utf-8")
        tags = [token.rsplit("|", 1)[1] for line in text.splitlines() for token in line.split()]
    else:
        weights = [1 / rank for rank in range(1, len(COMMON) + 1)]
        tags = random.Random(0).choices(COMMON, weights, k=200_000)
    return (tags * (2_000_000 // len(tags) + 1))[:2_000_000]


def rate(read: Callable[[str], object], texts: list[str]) -> float:
    """Categories a second, best of three."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        for text in texts:
            read(text)
        best = max(best, len(texts) / (time.perf_counter() - start))
    return best


def readable(read: Callable[[str], object], texts: list[str]) -> list[str]:
    """A part of the column without what a reader refuses."""
    known: dict[str, bool] = {}
    for text in set(texts):
        try:
            read(text)
            known[text] = True
        except Exception:
            known[text] = False
    return [text for text in texts[:20_000] if known[text]]


def main() -> None:
    texts = column(sys.argv[1:])
    ours = rate(Category.parse, texts)
    print(f"ccgkit{ours:16,.0f} categories/s over {len(texts):,} tokens, {len(set(texts))} distinct")
    from nltk.ccg.lexicon import augParseCategory

    peers: dict[str, Callable[[str], object]] = {
        "NLTK": lambda text: augParseCategory(text, ["S", "N", "NP", "PP", "PR", "conj"], {})
    }
    try:
        from depccg.cat import Category as DepccgCategory

        peers["depccg"] = DepccgCategory.parse
    except ImportError:
        print("depccg is not installed")
    for name, read in peers.items():
        theirs = rate(read, readable(read, texts))
        print(f"{name:6}{theirs:16,.0f} categories/s   ccgkit is {ours / theirs:,.0f} times as fast")


if __name__ == "__main__":
    main()
