"""Checkpoints: everything a training needs to go on, in one file that appears whole or not at all.

Tensors and their JSON description share one safetensors file, so one rename publishes both; no pickle.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.optim import Optimizer

from ccgkit.taggers.directory import replacing
from ccgkit.taggers.errors import ModelError

__all__ = ["optimiser_tensors", "read_checkpoint", "restore_optimiser", "write_checkpoint"]


def write_checkpoint(path: Path, tensors: dict[str, Tensor], state: dict[str, Any]) -> None:
    """Replace the checkpoint at `path` at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ready = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    with replacing(path) as new:
        save_file(ready, new, {"state": json.dumps(state)})


def read_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `write_checkpoint` wrote."""
    try:
        with safe_open(path, "pt") as file:
            state = json.loads((file.metadata() or {})["state"])
            return {name: file.get_tensor(name) for name in file.keys()}, state  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ModelError(f"cannot read the checkpoint {path}: {error}") from error


def optimiser_tensors(optimiser: Optimizer, model: nn.Module) -> dict[str, Tensor]:
    """The optimiser's moments under the names of the parameters they belong to."""
    return {
        f"optimiser/{name}/{key}": value
        for name, parameter in model.named_parameters()
        for key, value in optimiser.state.get(parameter, {}).items()
    }


def restore_optimiser(optimiser: Optimizer, model: nn.Module, tensors: dict[str, Tensor]) -> None:
    """Put back what `optimiser_tensors` gave."""
    for name, parameter in model.named_parameters():
        prefix = f"optimiser/{name}/"
        state = {key[len(prefix) :]: value for key, value in tensors.items() if key.startswith(prefix)}
        if state:
            optimiser.state[parameter] = {key: value.to(parameter.device) for key, value in state.items()}
