"""Treebanks of running text: our own annotation, and other theories' trees as evidence for derivations."""
