"""The memory of a process that is ours alone, as that of a command is."""

from __future__ import annotations

import ctypes
import gc
import sys

__all__ = ["keep_freed_memory", "look_less_for_garbage"]

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # as malloc.h numbers them
_KEPT = 32 << 20  # bytes, the most that every version takes
_OBJECTS = 100_000  # new ones between two searches for garbage


def keep_freed_memory() -> None:
    """Have the C library, where it is GNU's, keep freed memory: the kernel would clear it for every batch."""
    if not sys.platform.startswith("linux"):
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        for parameter in (_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD):
            tune(parameter, _KEPT)


def look_less_for_garbage() -> None:
    """Leave what is there now out of the search for cyclic garbage, and search more rarely.

    A model and a grammar are large and stay; sentences that pass through make no cycles.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS)
