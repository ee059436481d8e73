"""Treebanks of other theories as evidence for derivations, and derivations annotated by hand."""
