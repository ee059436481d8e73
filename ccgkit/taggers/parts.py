"""The parts a tagger is made of, by the names that configurations give them. Imports no torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccgkit.registry import Registry

if TYPE_CHECKING:
    from .interface import Decoder, Encoder

__all__ = ["DECODERS", "ENCODERS"]

ENCODERS: Registry[type[Encoder]] = Registry(
    "encoder",
    "ccgkit.encoders",
    {
        "bilstm": "ccgkit.taggers.encoders.bilstm:BiLSTMEncoder",
        "transformer": "ccgkit.taggers.encoders.transformer:TransformerEncoder",
        "compact": "ccgkit.taggers.encoders.compact:CompactEncoder",
    },
)
DECODERS: Registry[type[Decoder]] = Registry(
    "decoder",
    "ccgkit.decoders",
    {
        "cc": "ccgkit.taggers.decoders.classifier:Classifier",
        "cg": "ccgkit.taggers.decoders.generator:Generator",
        "ct": "ccgkit.taggers.decoders.transition_generator:TransitionGenerator",
    },
)
