"""A pretrained transformer as a part of the word vector: frozen (the paper) or fine-tuned.

Models are read from this machine only: a directory, an installed package that holds one, or a name in the
local Hugging Face cache. Needs the extra `ccgkit[bert]`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from ...corpora.words import ptb_unescape
from ..errors import ModelError

__all__ = ["Transformer", "find_transformer", "import_transformers", "plain_word", "token_classifier"]

_SIGNS = {"``": '"', "''": '"', "-BAR-": "|"}
_BATCH = 64  # sentences computed at once when they are remembered


def plain_word(word: str) -> str:
    """The word as running text has it: PTB's escapes undone, `~` in a joined name a blank.

    >>> plain_word("-LRB-"), plain_word("Brad~Pitt"), plain_word("1\\\\/2")
    ('(', 'Brad Pitt', '1/2')
    """
    if word in _SIGNS:
        return _SIGNS[word]
    word = ptb_unescape(word)
    return word.replace("~", " ") if len(word) > 1 else word


def find_transformer(name: str) -> str:
    """The directory, or cached name, that `name` means: a directory, a package holding one, a name."""
    if Path(name).is_dir():
        if not (Path(name) / "config.json").is_file():
            raise ModelError(f"{name} holds no transformer: there is no config.json in it")
        return name
    module = name.replace("-", "_")
    spec = find_spec(module) if module.isidentifier() else None
    if spec is not None and spec.origin is not None:
        for path in sorted(Path(spec.origin).parent.rglob("tokenizer_config.json")):
            if (path.parent / "config.json").is_file():
                return str(path.parent)
    return name


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of words short enough for the transformer: the ids, and for each word its pieces' places."""

    ids: list[int]
    places: list[list[int]]


class Transformer(nn.Module):
    """A transformer's vector for each word of each sentence, (N words, width)."""

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        width: int,
        pooling: Literal["first", "mean"],
        layers: Literal["last", "mix"],
        tuned: bool,
        frozen: int = 0,
    ) -> None:
        """`frozen` lower layers of a tuned transformer, and what is below them, stay as they are."""
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.pooling = pooling
        self.tuned = tuned
        self.frozen = frozen if tuned else 0
        hidden = int(model.config.hidden_size)
        self.width = width or hidden
        self.projection = nn.Linear(hidden, width) if width else None
        self.mixture = (
            nn.Parameter(_last(int(model.config.num_hidden_layers) + 1)) if layers == "mix" else None
        )
        positions = int(getattr(model.config, "max_position_embeddings", 512))
        self.longest = min(positions, tokenizer.model_max_length) - 2  # a start and an end symbol
        self._cache: dict[tuple[str, ...], Tensor] = {}
        self._lower: dict[tuple[int, ...], Tensor] = {}
        if not tuned or frozen:
            model.requires_grad_(False)
        if self.frozen:
            self._check_layers()
            self._stack[self.frozen :].requires_grad_(True)

    @property
    def _stack(self) -> nn.ModuleList:
        """The layers."""
        layers: nn.ModuleList = self.model.encoder.layer
        return layers

    def _check_layers(self) -> None:
        layers = getattr(getattr(self.model, "encoder", None), "layer", None)
        if not isinstance(layers, nn.ModuleList) or self.mixture is not None:
            raise ModelError(
                "bert_frozen needs a transformer with encoder.layer, as BERT and MPNet have it, "
                'and bert_layers = "last"'
            )
        if self.frozen >= len(layers):
            raise ModelError(f"bert_frozen must be below {len(layers)}, the layers of the transformer")

    @classmethod
    def load(cls, name: str, **options: Any) -> Self:
        """With the pretrained weights of `name`."""
        source = find_transformer(name)
        auto_model, auto_tokenizer, _ = _transformers()
        try:
            tokenizer = auto_tokenizer.from_pretrained(source, local_files_only=True)
            model = auto_model.from_pretrained(source, local_files_only=True)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise ModelError(
                f"no transformer {name!r} on this machine (nothing is downloaded): {reason}"
            ) from error
        return cls._checked(model, tokenizer, name, **options)

    @classmethod
    def from_directory(cls, path: Path, **options: Any) -> Self:
        """From what `save` wrote; the weights are loaded later, with the whole tagger's."""
        auto_model, auto_tokenizer, auto_config = _transformers()
        try:
            tokenizer = auto_tokenizer.from_pretrained(str(path), local_files_only=True)
            model = auto_model.from_config(auto_config.from_pretrained(str(path), local_files_only=True))
        except (OSError, ValueError) as error:
            raise ModelError(f"cannot read the transformer of {path}: {error}") from error
        return cls._checked(model, tokenizer, str(path), **options)

    @classmethod
    def _checked(cls, model: Any, tokenizer: Any, name: str, **options: Any) -> Self:
        if not tokenizer.is_fast:
            raise ModelError(f"the tokenizer of {name} cannot say which word a piece comes from")
        if getattr(model, "pooler", None) is not None:
            model.pooler = None  # a vector for the whole sentence, never used here
        return cls(model, tokenizer, **options)

    def save(self, path: Path) -> None:
        """Write the transformer's configuration and tokenizer; its weights go with the tagger's."""
        path.mkdir(parents=True, exist_ok=True)
        (path / "config.json").write_text(json.dumps(self.model.config.to_dict(), indent=1, default=str))
        self.tokenizer.save_pretrained(str(path))

    def train(self, mode: bool = True) -> Self:
        """A frozen transformer never drops out."""
        super().train(mode)
        if not self.tuned:
            self.model.eval()
        elif self.frozen:
            self.model.embeddings.eval()
            self._stack[: self.frozen].eval()
        return self

    def forward(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        layers = self._run(sentences) if self.tuned else self._remembered(sentences)
        hidden = layers[:, :, 0] if self.mixture is None else (layers * self.mixture.softmax(0)).sum(2)
        return hidden if self.projection is None else self.projection(hidden)

    @torch.no_grad()
    def remember(self, sentences: Sequence[Sequence[str]]) -> None:
        """Compute what does not change of all training sentences once, in a fixed order."""
        if self.frozen:
            runs = {tuple(run.ids): run for words in sentences for run in self._pieces(words)}
            left = sorted(runs.keys() - self._lower.keys(), key=lambda ids: (len(ids), ids))
            for start in range(0, len(left), _BATCH):
                self._remember_lower([runs[ids] for ids in left[start : start + _BATCH]])
        if self.tuned:
            return
        self.model.eval()
        new = sorted(
            {tuple(words) for words in sentences} - self._cache.keys(), key=lambda words: (len(words), words)
        )
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            parts = torch.split(self._run(batch), [len(words) for words in batch])
            self._cache.update((words, part.clone()) for words, part in zip(batch, parts, strict=True))

    def _remembered(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """As `_run` without gradients; sentences that are remembered are not computed again."""
        keys = [tuple(words) for words in sentences]
        if all(key in self._cache for key in keys):
            return torch.cat([self._cache[key] for key in keys])
        with torch.no_grad():
            return self._run(sentences)

    def _run(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """(N words, hidden, layers): of the last layer, or of all when they are mixed."""
        runs = [run for sentence in sentences for run in self._pieces(sentence)]
        if self.frozen and self.training:
            return self._pool(self._upper(runs)[..., None], runs)
        ids, attention = self._padded(runs)
        output = self.model(ids, attention_mask=attention, output_hidden_states=self.mixture is not None)
        layers = [output.last_hidden_state] if self.mixture is None else output.hidden_states
        return self._pool(torch.stack(layers, 3), runs)

    def _padded(self, runs: Sequence[_Piece]) -> tuple[Tensor, Tensor]:
        """The pieces' ids, and where there are any."""
        device = next(self.model.parameters()).device
        longest = max(len(run.ids) for run in runs)
        ids = torch.full((len(runs), longest), self.tokenizer.pad_token_id or 0)
        attention = torch.zeros_like(ids)
        for row, run in enumerate(runs):
            ids[row, : len(run.ids)] = torch.tensor(run.ids)
            attention[row, : len(run.ids)] = 1
        return ids.to(device), attention.to(device)

    def _upper(self, runs: Sequence[_Piece]) -> Tensor:
        """The last layer, through the layers that are tuned."""
        new = [run for run in runs if tuple(run.ids) not in self._lower]
        if new:
            self._remember_lower(new)
        _, attention = self._padded(runs)
        lower = pad_sequence([self._lower[tuple(run.ids)].float() for run in runs], batch_first=True)
        mask = torch.zeros(attention.shape, device=attention.device)
        mask.masked_fill_(attention == 0, torch.finfo(mask.dtype).min)
        with self._only(slice(self.frozen, None)):
            output = self.model.encoder(lower, attention_mask=mask[:, None, None], return_dict=True)
        hidden: Tensor = output.last_hidden_state
        return hidden

    @torch.no_grad()
    def _remember_lower(self, runs: Sequence[_Piece]) -> None:
        """What the frozen layers make of the pieces, at half precision."""
        ids, attention = self._padded(runs)
        with self._only(slice(self.frozen)):
            hidden = self.model(ids, attention_mask=attention).last_hidden_state
        for run, row in zip(runs, hidden, strict=True):
            self._lower[tuple(run.ids)] = row[: len(run.ids)].half()

    @contextmanager
    def _only(self, layers: slice) -> Iterator[None]:
        """Within the block the transformer has only these layers."""
        whole = self._stack
        self.model.encoder.layer = whole[layers]
        try:
            yield
        finally:
            self.model.encoder.layer = whole

    def _pool(self, layers: Tensor, runs: Sequence[_Piece]) -> Tensor:
        """Of each layer one vector a word: its first piece's, or the mean of its pieces'."""
        flat = layers.flatten(0, 1)
        words = [
            [row * layers.shape[1] + place for place in places]
            for row, run in enumerate(runs)
            for places in run.places
        ]
        first = flat[torch.tensor([places[0] for places in words], device=flat.device)]
        if self.pooling == "first":
            return first
        where = torch.tensor([place for places in words for place in places], device=flat.device)
        whose = torch.tensor([i for i, places in enumerate(words) for _ in places], device=flat.device)
        counts = torch.tensor([len(places) for places in words], device=flat.device)
        return torch.zeros_like(first).index_add(0, whose, flat[where]) / counts[:, None, None]

    def _pieces(self, sentence: Sequence[str]) -> Iterator[_Piece]:
        """The sentence cut between words so that each part fits into the transformer's positions."""
        words = [plain_word(word) for word in sentence]
        encoding = self.tokenizer(words, is_split_into_words=True, add_special_tokens=False, verbose=False)
        pieces: list[list[int]] = [[] for _ in words]
        for piece, word in zip(encoding["input_ids"], encoding.word_ids(0), strict=True):
            pieces[word].append(piece)
        part: list[list[int]] = []
        for word_pieces in pieces:
            fitting = (word_pieces or [self.tokenizer.unk_token_id])[: self.longest]
            if sum(map(len, part)) + len(fitting) > self.longest:
                yield self._framed(part)
                part = []
            part.append(fitting)
        if part:
            yield self._framed(part)

    def _framed(self, words: list[list[int]]) -> _Piece:
        """The words' pieces between the transformer's start and end symbols."""
        start = (
            self.tokenizer.cls_token_id
            if self.tokenizer.cls_token_id is not None
            else self.tokenizer.bos_token_id
        )
        end = (
            self.tokenizer.sep_token_id
            if self.tokenizer.sep_token_id is not None
            else self.tokenizer.eos_token_id
        )
        ids = [] if start is None else [start]
        places = []
        for word in words:
            places.append(list(range(len(ids), len(ids) + len(word))))
            ids += word
        return _Piece(ids if end is None else [*ids, end], places)


class _Logits(nn.Module):
    """A token classifier whose hidden states are the logits of its labels."""

    def __init__(self, classifier: Any) -> None:
        super().__init__()
        self.classifier = classifier
        self.config = classifier.config

    def forward(self, ids: Tensor, attention_mask: Tensor, output_hidden_states: bool) -> Any:
        found = self.classifier(ids, attention_mask=attention_mask)
        return SimpleNamespace(last_hidden_state=found.logits)


def token_classifier(folder: Path) -> tuple[Any, Any]:
    """The token classifier in a directory, as a transformer of logits, and its tokenizer."""
    library = import_transformers()
    model = library.AutoModelForTokenClassification.from_pretrained(
        str(folder), local_files_only=True, use_safetensors=True
    )
    tokenizer = library.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    if not tokenizer.is_fast:
        raise ModelError(f"the tokenizer of {folder} cannot say which word a piece comes from")
    return _Logits(model), tokenizer


def _last(layers: int) -> Tensor:
    """Weights of a mixture that starts near the last layer."""
    weights = torch.zeros(layers)
    weights[-1] = 2.0
    return weights


def import_transformers() -> Any:
    """The transformers library, which then neither downloads nor chats."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        import transformers
    except ImportError as error:
        raise ModelError(
            "a pretrained transformer needs the transformers library: pip install transformers"
        ) from error
    log: Any = transformers.logging
    log.set_verbosity_error()
    log.disable_progress_bar()
    return transformers


def _transformers() -> tuple[Any, Any, Any]:
    library = import_transformers()
    return library.AutoModel, library.AutoTokenizer, library.AutoConfig
