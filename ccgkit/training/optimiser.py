"""Adam as the paper sets it, a slower rate for a fine-tuned transformer, schedules, weight averages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.optim import AdamW

from ccgkit.taggers.config import TrainingConfig
from ccgkit.taggers.tagger import Tagger

__all__ = ["Average", "factor", "make_optimiser", "set_rates"]


def make_optimiser(tagger: Tagger, config: TrainingConfig) -> AdamW:
    """Adam over what is trained, what was pretrained in a group of its own."""
    pretrained = {id(parameter) for parameter in tagger.encoder.pretrained_parameters()}
    trained = [parameter for parameter in tagger.parameters() if parameter.requires_grad]
    own = [parameter for parameter in trained if id(parameter) not in pretrained]
    bert = [parameter for parameter in trained if id(parameter) in pretrained]
    groups = [
        {"params": own, "lr": config.learning_rate, "rate": config.learning_rate},
        {"params": bert, "lr": config.bert_learning_rate, "rate": config.bert_learning_rate},
    ]
    return AdamW(
        [group for group in groups if group["params"]],
        betas=(config.beta1, config.beta2),
        weight_decay=config.weight_decay,
        fused=all(parameter.device.type in ("cpu", "cuda") for parameter in trained),
    )


def factor(config: TrainingConfig, step: int, steps_per_epoch: int) -> float:
    """What the learning rates are multiplied with at `step` (from 0).

    >>> linear = TrainingConfig(schedule="linear", epochs=10, warmup=0.2)
    >>> [round(factor(linear, step, 1), 3) for step in (0, 1, 2, 9)]
    [0.5, 1.0, 1.0, 0.125]
    """
    total = config.epochs * steps_per_epoch
    warm = config.warmup * total
    if step < warm:
        return min(1.0, (step + 1) / warm)
    if config.schedule == "linear":
        return max(0.0, (total - step) / max(1.0, total - warm))  # epochs need not be equally long
    return 1.0 / (1.0 + config.decay * (step // steps_per_epoch))


def set_rates(optimiser: AdamW, by: float) -> None:
    """Set each group's learning rate to `by` times its own."""
    for group in optimiser.param_groups:
        group["lr"] = group["rate"] * by


class Average:
    """A moving average of a model's trained weights; with decay 0, the weights themselves."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self.live = {name: p for name, p in model.named_parameters() if p.requires_grad} if decay else {}
        self.mean = {name: parameter.detach().clone() for name, parameter in self.live.items()}

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Take in the weights after `step` (from 1); early on the average follows faster."""
        if not self.decay:
            return
        rate = 1 - min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(list(self.mean.values()), [p.detach() for p in self.live.values()], rate)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Within the block the model has the averaged weights."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def tensors(self) -> dict[str, Tensor]:
        """The average, to be kept in a checkpoint."""
        return {f"average/{name}": tensor for name, tensor in self.mean.items()}

    @torch.no_grad()
    def restore(self, tensors: dict[str, Tensor]) -> None:
        """Put back what `tensors` gave."""
        for name, mean in self.mean.items():
            mean.copy_(tensors[f"average/{name}"])

    @torch.no_grad()
    def _swap(self) -> None:
        for name, parameter in self.live.items():
            kept = parameter.detach().clone()
            parameter.copy_(self.mean[name])
            self.mean[name].copy_(kept)
