"""The trained models of the experiments: found, trained if they are missing, or combined by the re-ranker."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError, safe_open

from ccgkit.taggers.config import Config, ConfigError
from ccgkit.taggers.directory import CONFIG, model_config
from ccgkit.taggers.encoders.bert import Transformer
from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.reranker import Reranker, tune
from ccgkit.taggers.tagger import Tagger
from ccgkit.training.data import DataError
from ccgkit.training.trainer import TrainingError, train

from .corpora import Corpus, CorpusCache, percent_of
from .errors import ExperimentError
from .results import Missing, ResultStore, Trial
from .settings import Settings
from .systems import config_of, differences, is_tuned, system

__all__ = ["ModelStore", "is_finished"]

_INDEX = "model.json"
_CHECKPOINT = Path("training") / "checkpoint.safetensors"


class ModelStore:
    """The models under a folder, `corpus/system/seed-n`, each as `ccgkit train` writes it."""

    def __init__(self, settings: Settings, corpora: CorpusCache, store: ResultStore) -> None:
        self.settings, self.corpora, self.store = settings, corpora, store
        self.root = settings.output / "models"
        self._last: tuple[Trial, Tagger | Ensemble] | None = None
        self._configs: dict[Trial, Config] = {}
        self._checked: set[Trial] = set()  # those that this run has trained or found to be as asked
        self._transformer: str | None = None  # what is wrong with it, once it was tried

    def folder(self, trial: Trial) -> Path:
        return self.root / trial.folder

    def tagger(self, corpus: Corpus, trial: Trial) -> Tagger | Ensemble | Missing:
        """The tagger of a trial, trained now if need be; a re-ranked one is tuned on dev."""
        if self._last is not None and self._last[0] == trial:
            return self._last[1]
        obstacle = self.obstacle(trial)
        if obstacle is not None:
            return obstacle
        try:
            taggers = [self._single(corpus, part) for part in trial.singles]
        except DataError as error:  # such as too few sentences for one category of the tag set
            return Missing(f"{trial}: {error}")
        tagger = taggers[0] if len(taggers) == 1 else self._reranked(corpus, trial, *taggers)
        self._last = trial, tagger
        return tagger

    def obstacle(self, trial: Trial) -> Missing | None:
        """Why a trial is not there and cannot be trained in this run; None if it is or can."""
        for part in trial.singles:
            reason = None if is_finished(self.folder(part)) else self._hindrance(part)
            if reason is not None:
                return Missing(f"{part.system}: {reason}")
        return None

    def is_as_asked(self, trial: Trial) -> bool:
        """Whether the models of a trial that this run may train and that exist have its settings."""
        return all(
            self._config(part) in (None, _lasting(self._wanted(part)))
            for part in trial.singles
            if self._may_train(part)
        )

    def digest(self, trial: Trial) -> str | None:
        """A digest that changes with the weights; None if a model is not there."""
        digest = hashlib.sha256()
        for part in trial.singles:
            index = self.folder(part) / _INDEX
            if not index.is_file():
                return None
            digest.update(index.read_bytes())
        return digest.hexdigest()[:16]

    def changes(self, trial: Trial) -> list[str]:
        """How the trained models of a trial differ from the systems they are named for, without folders."""
        found: list[str] = []
        for part in trial.singles:
            config = self._config(part)
            if config is not None:
                found += differences(system(part.system), _epochs(config, percent_of(trial.corpus) / 100))
        return sorted(set(found))

    def _single(self, corpus: Corpus, trial: Trial) -> Tagger:
        folder = self.folder(trial)
        if trial in self._checked or not self._may_train(trial):
            return Tagger.load(folder)
        examples = self.corpora.examples(corpus, "train"), self.corpora.examples(corpus, "dev")
        facts = {"training data": f"{corpus.title}, {corpus.percent} %", "system": trial.system}
        try:
            tagger = train(self._wanted(trial), *examples, folder, resume=True, facts=facts)
        except TrainingError as error:
            if self.is_as_asked(trial):
                raise
            raise ExperimentError(
                f"{error}. Give the --set, --vectors and --bert it was trained with, another --output, "
                "or --no-train to take it as it is"
            ) from error
        self._checked.add(trial)
        return tagger

    def _reranked(self, corpus: Corpus, trial: Trial, generator: Tagger, scorer: Tagger) -> Ensemble:
        ensemble = Ensemble(generator, scorer)
        if not is_tuned(trial.system):
            return ensemble
        digest, data = self.digest(trial) or "", self.corpora.digest(corpus, "dev")
        found = self.store.read(trial, "reranker-dev", digest, data)
        if found is None:
            words, gold = self.corpora.words(corpus, "dev"), self.corpora.gold(corpus, "dev")
            best = tune(ensemble.candidates(words, gold))
            found = {"nu": best.nu, "lambda": best.weight}
            self.store.write(trial, "reranker-dev", digest, data, found)
        ensemble.reranker = Reranker(found["nu"], found["lambda"], ensemble.reranker.candidates)
        return ensemble

    def _hindrance(self, trial: Trial) -> str | None:
        if not self._may_train(trial):
            begun = (self.folder(trial) / _CHECKPOINT).exists()
            return "its training is not finished" if begun else "not trained"
        try:
            config = system(trial.system)
        except ConfigError as error:
            return str(error)
        return self._transformer_trouble() if config.encoder.kind == "transformer" else None

    def _may_train(self, trial: Trial) -> bool:
        only = self.settings.only
        return self.settings.training and (not only or trial.system in only)

    def _transformer_trouble(self) -> str | None:
        if self._transformer is None:
            try:
                Transformer.load(self.settings.bert, width=0, pooling="first", layers="last", tuned=False)
                self._transformer = ""
            except ModelError as error:
                self._transformer = str(error)
        return self._transformer or None

    def _wanted(self, trial: Trial) -> Config:
        if trial not in self._configs:
            config = config_of(trial.system, self.settings.bert, self.settings.changes, trial.seed)
            # fewer sentences are seen more often: no part is trained for fewer steps than the whole
            self._configs[trial] = _epochs(config, 100 / percent_of(trial.corpus))
        return self._configs[trial]

    def _config(self, trial: Trial) -> Config | None:
        folder = self.folder(trial)
        return _lasting(model_config(folder)) if (folder / CONFIG).is_file() else None


def is_finished(folder: Path) -> bool:
    """Whether the training in a model directory came to its end."""
    path = folder / _CHECKPOINT
    if not path.is_file():
        return False
    try:
        with safe_open(path, "pt") as file:
            return bool(json.loads((file.metadata() or {})["state"])["done"])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise ExperimentError(f"the checkpoint {path} cannot be read: {error}") from error


def _epochs(config: Config, times: float) -> Config:
    training = config.training
    epochs, patience = round(training.epochs * times), round(training.patience * times)
    return replace(config, training=replace(training, epochs=epochs, patience=patience))


def _lasting(config: Config) -> Config:
    """The configuration without how often a training is saved, which changes no model."""
    return replace(config, training=replace(config.training, checkpoint_minutes=0.0))
