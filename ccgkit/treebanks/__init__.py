"""Treebanks of other theories as evidence for derivations: readers, and what their trees say in our notation."""
