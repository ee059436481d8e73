"""The models shipped with the package, and how they are found."""

from .registry import ModelInfo, UnknownModelError, describe, find, installed

__all__ = ["ModelInfo", "UnknownModelError", "describe", "find", "installed"]
