"""Penn Treebank POS tags: those that C&C knows, and what OntoNotes' and EWT's further ones become."""

from __future__ import annotations

__all__ = ["PENN_TAGS", "penn_tag"]

PENN_TAGS = (
    "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNP", "NNPS", "NNS", "PDT",
    "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP",
    "VBZ", "WDT", "WP", "WP$", "WRB", "#", "$", ",", ".", ":", "``", "''", "-LRB-", "-RRB-",
)  # fmt: skip
_OTHERS = {
    "HYPH": ":",
    "NFP": ":",
    "ADD": "NNP",
    "GW": "NN",
    "AFX": "JJ",
    "XX": "FW",
    "_SP": ":",
    "NIL": "NN",
}


def penn_tag(tag: str) -> str:
    """The tag as C&C knows it.

    >>> penn_tag("NN"), penn_tag("HYPH"), penn_tag("ADD")
    ('NN', ':', 'NNP')
    """
    return _OTHERS.get(tag, tag)
