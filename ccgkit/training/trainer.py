"""The training driver: epochs, early stopping, checkpoints; the best model always on disk."""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from filelock import FileLock, Timeout
from safetensors import SafetensorError

from ccgkit.evaluation.tags import accuracy
from ccgkit.grammar import CCGKitError
from ccgkit.taggers.config import Config, TrainingConfig
from ccgkit.taggers.tagger import Tagger, tensors

from .checkpoint import optimiser_tensors, read_checkpoint, restore_optimiser, write_checkpoint
from .data import Example, check_pair, fingerprint
from .distributed import World, world
from .lessons import Gold, Lesson, Source
from .optimiser import Average, factor, make_optimiser, set_rates
from .report import EpochMetrics, Step, draw_curve, model_card, write_metrics

__all__ = ["TrainingError", "learn", "train"]

_FOLDER = "training"
_CHECKPOINT = "checkpoint.safetensors"
_LONG = 5.0  # seconds of an epoch after which drawing the curve does not count

_log = logging.getLogger(__name__)
Watch = Callable[[Step], None]


class TrainingError(CCGKitError):
    """A training that cannot start or go on; what was learnt so far is kept."""


def train(
    config: Config,
    training: Sequence[Example],
    dev: Sequence[Example],
    output: Path,
    *,
    scheme: str | None = None,
    resume: bool = False,
    device: str = "cpu",
    facts: Mapping[str, str] | None = None,
    watch: Watch | None = None,
) -> Tagger:
    """Train a new tagger on annotated sentences; the best one by dev accuracy is in `output`, and returned.

    `resume` goes on from the last checkpoint in `output`. Without a `scheme`, the training data tells it.
    `device` is that of torch: cpu, cuda or mps. `facts` are told in the model card; `watch` is called after
    each step.

    Raises `DataError` where the data cannot be learnt from, `TrainingError` where `output` holds another
    training, cannot be written, or where the loss is no longer a number.
    """
    with world(device) as processes:
        settings = config.training
        gold = Gold(training, config.threshold, settings.batch * processes.size, settings.seed)
        check_pair(gold.counts, dev, config.threshold)
        torch.manual_seed(settings.seed)
        sentences = [example.words for example in training]
        tagger = Tagger.build(config, sentences, gold.counts, scheme).to(device)
        tagger.encoder.remember([*sentences, *(example.words for example in dev)])
        kept = sum(n >= config.threshold for n in gold.counts.values())
        told = {
            **(facts or {}),
            "training sentences": f"{len(training):,}",
            "training words": f"{sum(map(len, sentences)):,}",
            "categories": f"{kept} of {len(gold.counts)}",
        }
        _Run(tagger, gold, dev, output, processes, told, watch).to_the_end(resume)
    return Tagger.load(output, device)


def learn(
    tagger: Tagger,
    source: Source,
    dev: Sequence[Example],
    output: Path,
    *,
    resume: bool = False,
    facts: Mapping[str, str] | None = None,
    watch: Watch | None = None,
) -> Tagger:
    """As `train`, for any tagger and any source of lessons.

    `dev`, `output`, `resume`, `facts` and `watch` are as there.

    Raises `TrainingError` as `train` does.
    """
    device = next(tagger.parameters()).device.type
    with world(device) as processes:
        _Run(tagger, source, dev, output, processes, facts or {}, watch).to_the_end(resume)
    return Tagger.load(output, device)


@contextmanager
def _held(output: Path) -> Iterator[None]:
    """Keep other processes out of the directory of a training; the system frees it when the process ends."""
    (output / _FOLDER).mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(output / _FOLDER / "lock", blocking=False):
            yield
    except Timeout as error:
        raise TrainingError(
            f"another training is running in {output}: wait for it, or choose another directory"
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
        tagger: Tagger,
        source: Source,
        dev: Sequence[Example],
        output: Path,
        processes: World,
        facts: Mapping[str, str],
        watch: Watch | None,
    ) -> None:
        self.tagger, self.source, self.dev, self.output = tagger, source, dev, output
        self.processes, self.facts, self.watch = processes, facts, watch
        self.settings: TrainingConfig = tagger.config.training
        self.identity = fingerprint(_lasting(tagger.config), f"{processes.size}", source.identity, dev)
        self.checkpoint = output / _FOLDER / _CHECKPOINT
        self.device = next(tagger.parameters()).device
        self.optimiser = make_optimiser(tagger, self.settings)
        self.average = Average(tagger, self.settings.average)
        self.state = _State()
        self.steps_per_epoch = len(source.epoch(1))
        self.saved = time.monotonic()

    def to_the_end(self, resume: bool) -> None:
        """All epochs that are left."""
        if self.checkpoint.exists() and not resume:
            raise TrainingError(
                f"{self.output} already holds a training: continue with --resume, or choose another directory"
            )
        with _held(self.output) if self.processes.leads else nullcontext():
            if self.checkpoint.exists():
                self.restore()
            try:
                while not self.state.done:
                    self._epoch()
            except (OSError, SafetensorError) as error:
                raise TrainingError(f"writing to {self.output} failed: {error}. {self._kept()}") from error
            self.processes.meet()

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
            _log.info("resuming in epoch %d, after step %d", self.state.epoch, self.state.step)

    def _epoch(self) -> None:
        state, settings = self.state, self.settings
        self.tagger.train()
        lessons = self.source.epoch(state.epoch)
        for lesson in lessons[state.batch :]:
            started = time.monotonic()
            self._step(lesson)
            lasted = time.monotonic() - started
            state.epoch_seconds += lasted
            if self.processes.leads:
                if self.watch is not None:
                    self.watch(self._told(lesson, lasted))
                if time.monotonic() - self.saved >= 60 * settings.checkpoint_minutes:
                    self._save_checkpoint()
        self._evaluate(sum(lesson.words for lesson in lessons))

    def _told(self, lesson: Lesson, seconds: float) -> Step:
        state = self.state
        return Step(
            state.epoch, self.settings.epochs, state.batch, self.steps_per_epoch,
            state.loss / max(1, state.words), lesson.words / max(1e-9, seconds),
        )  # fmt: skip

    def _step(self, lesson: Lesson) -> None:
        state, settings = self.state, self.settings
        # all chance in a step comes of seed, step and process: a resumed training needs no generator's state
        torch.manual_seed((settings.seed << 32) + state.step * self.processes.size + self.processes.rank)
        set_rates(self.optimiser, factor(settings, state.step, self.steps_per_epoch))
        self.optimiser.zero_grad(set_to_none=True)
        with torch.autocast(
            self.device.type, torch.bfloat16, enabled=_bfloat16(settings.precision, self.device)
        ):
            loss = lesson.loss(self.tagger, self.processes)
        if loss is not None:
            loss.backward()  # type: ignore[no-untyped-call]
        parameters = [p for group in self.optimiser.param_groups for p in group["params"]]
        mine = torch.zeros((), device=self.device) if loss is None else loss
        total = float(self.processes.add_gradients(parameters, mine))
        if not math.isfinite(total):
            raise TrainingError(
                f"the loss became {total} in epoch {state.epoch}, step {state.step + 1}: "
                f"a lower training.learning_rate or training.clip may help. {self._kept()}"
            )
        if settings.clip:
            torch.nn.utils.clip_grad_norm_(parameters, settings.clip)
        self.optimiser.step()
        state.step += 1
        state.batch += 1
        state.loss += total * lesson.taught
        state.words += lesson.taught
        self.average.update(state.step)

    def _evaluate(self, words: int) -> None:
        """Dev accuracy; the model is written if it is the best so far; the next epoch is prepared."""
        state, settings = self.state, self.settings
        before = state.best
        with self.average.applied():
            mine = self._accuracy() if self.processes.leads else 0.0
            dev_accuracy = self.processes.agree(mine, self.device)
            is_best = before is None or dev_accuracy > before.dev_accuracy
            state.seconds += state.epoch_seconds
            metrics = EpochMetrics(
                state.epoch, state.step, state.loss / max(1, state.words), dev_accuracy, is_best,
                words / max(1e-9, state.epoch_seconds), state.seconds,
            )  # fmt: skip
            if is_best and self.processes.leads:
                self._save_best([*state.history, metrics])
        state.history.append(metrics)
        best = state.best or metrics
        stale = state.epoch - best.epoch
        state.done = state.epoch >= settings.epochs or stale >= settings.patience
        lasted = state.epoch_seconds
        state.epoch, state.batch, state.words = state.epoch + 1, 0, 0
        state.loss = state.epoch_seconds = 0.0
        if self.processes.leads:
            self._save_checkpoint()
            write_metrics(self.output / _FOLDER / "metrics.jsonl", state.history)
            if state.done or lasted > _LONG:
                draw_curve(self.output / _FOLDER / "learning-curve.png", state.history)
            _log.info("%s", metrics.line(settings.epochs, best.dev_accuracy))

    def _accuracy(self) -> float:
        """Per cent of all dev words whose best category is the right one."""
        found = self.tagger.kbest([example.words for example in self.dev], k=1)
        return accuracy(
            (example.categories for example in self.dev), (reading.categories for reading in found)
        )

    def _save_best(self, history: Sequence[EpochMetrics]) -> None:
        facts = {
            **self.facts,
            "dev words": f"{sum(len(example.words) for example in self.dev):,}",
            "seed": str(self.settings.seed),
        }
        self.tagger.save(self.output, model_card(self.tagger.config.decoder.kind, facts, history))

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
    usual = Config(type(config.encoder)(), type(config.decoder)())
    given, default = asdict(config), asdict(usual)
    for table in ("encoder", "decoder"):
        default[table]["kind"] = getattr(Config(), table).kind
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
