"""Derivations as PNG, drawn from their SVG by CairoSVG, which the extra `png` installs."""

from __future__ import annotations

import shutil
import subprocess
from functools import lru_cache
from math import sqrt
from typing import cast
from xml.etree import ElementTree

from ..grammar import CCGKitError, Derivation
from .svg import FAMILY, Measure, svg

__all__ = ["MissingLibraryError", "png"]

_LONGEST = 32_000  # pixels: cairo refuses more than 32,767 a side
_PIXELS = 64_000_000  # a quarter of a gigabyte while it is drawn
_LATIN_GREEK_CYRILLIC = "\u0590"  # the end of what the usual font has


class MissingLibraryError(CCGKitError):
    """An optional library is needed and not installed."""


def png(derivation: Derivation, scale: float = 2.0) -> bytes:
    """The picture as PNG, `scale` pixels for each of the SVG's, fewer where it would become huge.

    Raises `MissingLibraryError` without CairoSVG.
    """
    try:
        import cairosvg
        from cairosvg.surface import cairo
    except (ImportError, OSError) as error:  # OSError: the Python part is there, the C library is not
        raise MissingLibraryError(
            f"PNG needs CairoSVG and the cairo library, SVG needs neither: pip install cairosvg ({error})"
        ) from error
    family = _family("".join(derivation.words))
    context = cairo.Context(cairo.RecordingSurface(cairo.CONTENT_COLOR, None))
    context.select_font_face(family)

    @lru_cache(maxsize=4096)
    def measure(text: str, size: int) -> float:
        context.set_font_size(size)
        return float(context.text_extents(text)[4])

    drawn = svg(derivation, family, cast(Measure, measure))
    root = ElementTree.fromstring(drawn)
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    possible = min(scale, _LONGEST / max(width, height), sqrt(_PIXELS / (width * height)))
    return cast(bytes, cairosvg.svg2png(bytestring=drawn.encode(), scale=possible))


def _family(text: str) -> str:
    """A font with the characters of `text`: cairo uses one for a text, and knows no substitutes.

    fontconfig's `fc-match` finds it; without that program it is the usual font.
    """
    unusual = sorted({character for character in text if character >= _LATIN_GREEK_CYRILLIC})
    if not unusual or shutil.which("fc-match") is None:
        return FAMILY
    pattern = "sans-serif:charset=" + " ".join(f"{ord(character):x}" for character in unusual)
    found = subprocess.run(
        ["fc-match", "--format=%{family[0]}", pattern], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or FAMILY
