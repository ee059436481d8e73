"""Scores: how far tags, derivations and dependencies agree with gold."""

from .dependencies import AlignmentError, Counts, DependencyScores, SentenceScore, Totals, score_sentence
from .derivations import DerivationScores, evaluate_derivations
from .tags import MismatchError, Share, TagScores, accuracy, score_tags

__all__ = [
    "AlignmentError",
    "Counts",
    "DependencyScores",
    "DerivationScores",
    "MismatchError",
    "SentenceScore",
    "Share",
    "TagScores",
    "Totals",
    "accuracy",
    "evaluate_derivations",
    "score_sentence",
    "score_tags",
]
