"""Supertaggers: an encoder, a decoder, and what joins them. Importing this package needs no torch."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import ModelError
from .reading import Reading, TaggerLike

__all__ = ["ModelError", "Reading", "TaggerLike", "load_tagger", "use_threads"]

# OpenMP reads these once, when torch is imported: threads that wait actively take the cores from all others
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "0")


def use_threads(number: int) -> None:
    """Let torch compute in so many threads."""
    import torch

    torch.set_num_threads(number)


def load_tagger(folder: Path, device: str = "cpu") -> TaggerLike:
    """The tagger in a directory, a model, ensemble or token classifier, on a `device` (cpu, cuda, mps).

    Raises `ModelError` where it is not sound.
    """
    from .directory import INDEX
    from .ensemble import ENSEMBLE, Ensemble
    from .tagger import Tagger
    from .token_classifier import TokenClassifier, is_token_classifier

    if (Path(folder) / ENSEMBLE).is_file():
        return Ensemble.load(folder, device)
    if not (Path(folder) / INDEX).exists() and is_token_classifier(Path(folder)):
        return TokenClassifier.load(folder, device)
    return Tagger.load(folder, device)
