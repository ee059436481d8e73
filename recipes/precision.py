"""How exactly a recipe computes: in float32, or faster in bfloat16 where the processor can."""

from __future__ import annotations

from typing import Literal

import click
import torch

__all__ = ["Precision", "in_precision", "precision_option", "use_precision"]

Precision = Literal["float32", "bfloat16"]


def use_precision(precision: Precision) -> None:
    """Have this process multiply matrices of float32 in it, where the processor can."""
    torch.set_float32_matmul_precision("medium" if precision == "bfloat16" else "highest")


def in_precision(precision: Precision) -> torch.autocast:
    """Within the block this thread computes in it, whatever the processor: quicker still, and less exact."""
    return torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16")


precision_option = click.option(
    "--precision",
    type=click.Choice(("float32", "bfloat16")),
    default="float32",
    show_default=True,
    help="bfloat16 takes half the time on processors that have it (AVX512-BF16, AMX)",
)
