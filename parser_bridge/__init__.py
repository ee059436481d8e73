"""The bridge to C&C's parser: its files, the Java process, its evaluation rules."""

from .candc import CandC
from .errors import CandCError
from .evaluation import evaluate
from .installation import Installation, Interface
from .process import Limits
from .result import CandCResult

__all__ = ["CandC", "CandCError", "CandCResult", "Installation", "Interface", "Limits", "evaluate"]
