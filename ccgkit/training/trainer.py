"""The training driver: epochs, early stopping, checkpoints; the best model always on disk."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from safetensors import SafetensorError

from ccgkit.grammar import Category, CCGKitError
from ccgkit.taggers.config import Config
from ccgkit.taggers.tagger import Tagger, tensors

from .checkpoint import optimiser_tensors, read_checkpoint, restore_optimiser, write_checkpoint
from .data import Example, batches, check_pair, count_categories, fingerprint
from .distributed import World, world
from .lock import BusyError, alone_in
from .optimiser import Average, factor, make_optimiser, set_rates
from .report import EpochMetrics, Progress, draw_curve, model_card, write_metrics

__all__ = ["TrainingError", "accuracy", "train"]

_FOLDER = "training"
_CHECKPOINT = "checkpoint.safetensors"
_LONG = 5.0  # seconds of an epoch after which drawing the curve does not count


class TrainingError(CCGKitError):
    """A training that cannot start or go on; what was learnt so far is kept."""


def accuracy(tagger: Tagger, examples: Sequence[Example]) -> float:
    """Per cent of all words whose best category is the right one."""
    tagged = tagger.tag([example.words for example in examples])
    pairs = [
        (best[0].category, gold)
        for example, words in zip(examples, tagged, strict=True)
        for best, gold in zip(words, example.categories, strict=True)
    ]
    return 100 * sum(found is gold for found, gold in pairs) / len(pairs)


def train(
    config: Config,
    training: Sequence[Example],
    dev: Sequence[Example],
    output: Path,
    *,
    resume: bool = False,
    device: str = "cpu",
    facts: Mapping[str, str] | None = None,
) -> Tagger:
    """Train a tagger; the best one is in `output`, and returned.

    `resume` goes on from the last checkpoint in `output`. `facts` are told in the model card.
    """
    with world(device) as processes:
        run = _Run(config, training, dev, output, processes, torch.device(device), facts or {})
        if run.checkpoint.exists() and not resume:
            raise TrainingError(
                f"{output} already holds a training: go on with --resume, or choose another directory"
            )
        with _held(output) if processes.leads else nullcontext():
            if run.checkpoint.exists():
                run.restore()
            run.to_the_end()
            processes.meet()
    return Tagger.load(output, device)


@contextmanager
def _held(output: Path) -> Iterator[None]:
    """Keep other processes out of the directory of a training."""
    try:
        with alone_in(output / _FOLDER):
            yield
    except BusyError as error:
        raise TrainingError(
            f"another training is at work in {output}: wait for it, or choose another directory"
        ) from error


@dataclass(slots=True)
class _State:
    """Where a training stands; all of it is in the checkpoint."""

    epoch: int = 1
    batch: int = 0  #: batches of the epoch that are done
    step: int = 0
    loss: float = 0.0  #: summed over the epoch's words so far
    words: int = 0  #: words of the epoch so far that have a category
    seconds: float = 0.0
    epoch_seconds: float = 0.0
    done: bool = False
    history: list[EpochMetrics] = field(default_factory=list)

    @property
    def best(self) -> EpochMetrics | None:
        return max(self.history, key=lambda metrics: metrics.dev_accuracy, default=None)


class _Run:
    """One training in one process."""

    def __init__(
        self,
        config: Config,
        training: Sequence[Example],
        dev: Sequence[Example],
        output: Path,
        processes: World,
        device: torch.device,
        facts: Mapping[str, str],
    ) -> None:
        self.config, self.training, self.dev = config, training, dev
        self.output, self.processes, self.device, self.facts = output, processes, device, facts
        self.counts: Counter[Category] = count_categories(training)
        check_pair(self.counts, dev, config.decoder.threshold)
        self.identity = fingerprint(_lasting(config), f"{processes.size}", training, dev)
        self.checkpoint = output / _FOLDER / _CHECKPOINT
        torch.manual_seed(config.training.seed)
        words = [example.words for example in training]
        self.tagger = Tagger.build(config, words, self.counts).to(device)
        if self.tagger.encoder.bert is not None:
            self.tagger.encoder.bert.remember(words)
        self.optimiser = make_optimiser(self.tagger, config.training)
        self.average = Average(self.tagger, config.training.average)
        self.gold = [example.gold(self.counts, config.decoder.threshold) for example in training]
        self.state = _State()
        size = config.training.batch * processes.size
        self.steps_per_epoch = -(-len(training) // size)
        self.progress = Progress(config.training.epochs, self.steps_per_epoch)
        self.saved = time.monotonic()

    def restore(self) -> None:
        """Go back to the last checkpoint."""
        stored, state = read_checkpoint(self.checkpoint)
        if state.pop("identity") != self.identity:
            raise TrainingError(
                f"{self.output} was trained with other data, settings or number of processes: "
                "--resume needs the same"
            )
        history = [EpochMetrics(**metrics) for metrics in state.pop("history")]
        self.state = _State(**state, history=history)
        self.tagger.load_state_dict({n[6:]: tensor for n, tensor in stored.items() if n.startswith("model/")})
        restore_optimiser(self.optimiser, self.tagger, stored)
        self.average.restore(stored)
        if self.processes.leads:
            write_metrics(self.output / _FOLDER / "metrics.jsonl", history)
            self.progress.say(f"resuming in epoch {self.state.epoch}, after step {self.state.step}")

    def to_the_end(self) -> None:
        """All epochs that are left."""
        try:
            while not self.state.done:
                self._epoch()
        except (OSError, SafetensorError) as error:
            raise TrainingError(f"writing to {self.output} failed: {error}. {self._kept()}") from error

    def _epoch(self) -> None:
        state, settings = self.state, self.config.training
        self.tagger.decoder.new_epoch(settings.seed * 100_003 + state.epoch)
        self.tagger.train()
        order = batches(self.training, settings.batch * self.processes.size, settings.seed, state.epoch)
        for batch in order[state.batch :]:
            started = time.monotonic()
            self._step(batch)
            state.epoch_seconds += time.monotonic() - started
            speed = sum(len(self.training[i].words) for i in batch) / (time.monotonic() - started)
            if self.processes.leads:
                self.progress.step(state.epoch, state.batch, state.loss / max(1, state.words), speed)
                if time.monotonic() - self.saved >= 60 * settings.checkpoint_minutes:
                    self._save_checkpoint()
        self._evaluate()

    def _step(self, batch: Sequence[int]) -> None:
        state, settings = self.state, self.config.training
        # all chance in a step comes of seed, step and process: a resumed training needs no generator's state
        torch.manual_seed((settings.seed << 32) + state.step * self.processes.size + self.processes.rank)
        words = sum(category is not None for place in batch for category in self.gold[place])
        set_rates(self.optimiser, factor(settings, state.step, self.steps_per_epoch))
        self.optimiser.zero_grad(set_to_none=True)
        loss = torch.zeros((), device=self.device)
        share = self.processes.share(batch)
        if share and words:
            with torch.autocast(
                self.device.type, torch.bfloat16, enabled=_bfloat16(settings.precision, self.device)
            ):
                loss = self.tagger.loss(
                    [self.training[i].words for i in share], [self.gold[i] for i in share]
                )
            (loss / words).backward()  # type: ignore[no-untyped-call]
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        total = float(self.processes.add_gradients(parameters, loss))
        if total != total or total in (float("inf"), float("-inf")):
            raise TrainingError(
                f"the loss became {total} in epoch {state.epoch}, step {state.step + 1}: "
                f"a lower training.learning_rate or training.clip may help. {self._kept()}"
            )
        if settings.clip:
            torch.nn.utils.clip_grad_norm_(parameters, settings.clip)
        self.optimiser.step()
        state.step += 1
        state.batch += 1
        state.loss += total
        state.words += words
        self.average.update(state.step)

    def _evaluate(self) -> None:
        """Dev accuracy; the model is written if it is the best so far; the next epoch is prepared."""
        state, settings = self.state, self.config.training
        before = state.best
        with self.average.applied():
            mine = accuracy(self.tagger, self.dev) if self.processes.leads else 0.0
            dev_accuracy = self.processes.agree(mine, self.device)
            is_best = before is None or dev_accuracy > before.dev_accuracy
            state.seconds += state.epoch_seconds
            tokens = sum(len(example.words) for example in self.training)
            metrics = EpochMetrics(
                state.epoch, state.step, state.loss / max(1, state.words), dev_accuracy, is_best,
                tokens / max(1e-9, state.epoch_seconds), state.seconds,
            )  # fmt: skip
            if is_best and self.processes.leads:
                self._save_best([*state.history, metrics])
        state.history.append(metrics)
        best = state.best or metrics
        stale = state.epoch - best.epoch
        state.done = state.epoch >= settings.epochs or stale >= settings.patience
        lasted = state.epoch_seconds
        state.epoch, state.batch, state.loss, state.words, state.epoch_seconds = (
            state.epoch + 1,
            0,
            0.0,
            0,
            0.0,
        )
        if self.processes.leads:
            self._save_checkpoint()
            write_metrics(self.output / _FOLDER / "metrics.jsonl", state.history)
            if state.done or lasted > _LONG:
                draw_curve(self.output / _FOLDER / "learning-curve.png", state.history)
            self.progress.epoch(metrics, best.dev_accuracy)

    def _save_best(self, history: Sequence[EpochMetrics]) -> None:
        (self.output / _FOLDER).mkdir(parents=True, exist_ok=True)
        kept = sum(n >= self.config.decoder.threshold for n in self.counts.values())
        facts = {
            **self.facts,
            "training sentences": f"{len(self.training):,}",
            "training words": f"{sum(len(example.words) for example in self.training):,}",
            "categories": f"{kept} of {len(self.counts)}",
            "dev words": f"{sum(len(example.words) for example in self.dev):,}",
            "seed": str(self.config.training.seed),
        }
        self.tagger.save(self.output, model_card(self.config.decoder.kind, facts, history))

    def _save_checkpoint(self) -> None:
        everything = {f"model/{name}": tensor for name, tensor in tensors(self.tagger).items()}
        everything |= optimiser_tensors(self.optimiser, self.tagger) | self.average.tensors()
        write_checkpoint(self.checkpoint, everything, {"identity": self.identity, **asdict(self.state)})
        self.saved = time.monotonic()

    def _kept(self) -> str:
        best = self.state.best
        if best is None:
            return "No model was written yet."
        found = f"dev {best.dev_accuracy:.2f}, epoch {best.epoch}"
        return f"The best model so far ({found}) is whole in {self.output}."


def _lasting(config: Config) -> str:
    """The settings a resumed training must share: those that are not the defaults.

    A field that a later version adds thus harms no training; how often to save is not among them.
    """
    given, default = asdict(config), asdict(Config())
    given["training"]["checkpoint_minutes"] = default["training"]["checkpoint_minutes"]
    changed = [
        (table, name, value)
        for table, fields in given.items()
        for name, value in fields.items()
        if value != default[table][name]
    ]
    return json.dumps(changed)


def _bfloat16(precision: str, device: torch.device) -> bool:
    if precision == "auto":
        return device.type == "cuda" and torch.cuda.is_bf16_supported()
    return precision == "bfloat16"
