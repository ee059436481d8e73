"""Data-parallel training under `torchrun`: each process has a share of a batch, gradients are added up."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

__all__ = ["World", "world"]

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class World:
    """The processes that train together; one, unless started by torchrun."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes files and messages."""
        return self.rank == 0

    def share(self, batch: Sequence[_T]) -> Sequence[_T]:
        """This process's part of a batch (it may be empty)."""
        return batch[self.rank :: self.size]

    def add_gradients(self, parameters: Iterable[nn.Parameter], loss: Tensor) -> Tensor:
        """Sum gradients over the processes, in place, and return the sum of `loss`."""
        if self.size == 1:
            return loss.detach()
        trained = list(parameters)
        for parameter in trained:  # one not used by this share still takes part
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        gradients = [parameter.grad for parameter in trained if parameter.grad is not None]
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), loss.detach().reshape(1).float()])
        dist.all_reduce(flat)
        parts = torch.split(flat[:-1], [gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))
        return flat[-1]

    def agree(self, value: float, device: torch.device) -> float:
        """The leading process's value, known to all."""
        if self.size == 1:
            return value
        tensor = torch.tensor([value], dtype=torch.float64, device=device)
        dist.broadcast(tensor, 0)
        return float(tensor.item())

    def meet(self) -> None:
        """Wait for all processes."""
        if self.size > 1:
            dist.barrier()


@contextmanager
def world(device: str) -> Iterator[World]:
    """The processes torchrun's environment tells of, joined for the time of the block."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield World()
        return
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    try:
        yield World(dist.get_rank(), size)
    finally:
        dist.destroy_process_group()
