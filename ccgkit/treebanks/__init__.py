"""Treebanks of running text: our own annotation, and other theories' trees as evidence for derivations."""

from .erg import Item, Node
from .evidence import Evidence, erg_evidence
from .making import Kept, Maker, Outcome
from .ud import Tree, ud_evidence

__all__ = ["Evidence", "Item", "Kept", "Maker", "Node", "Outcome", "Tree", "erg_evidence", "ud_evidence"]
