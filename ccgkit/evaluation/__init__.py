"""Scores: how far tags, derivations and dependencies agree with gold."""
