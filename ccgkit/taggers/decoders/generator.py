"""The tag-wise category generator (CG): an LSTM that writes each word's category tag by tag."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Self

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ccgkit.grammar import Atom, Category
from ccgkit.oracles import TAG_SETS, TagSet, make_tag_set

from ..config import DecoderConfig
from ..interface import Encoded
from ..layers import SharedDropout
from .attention import Attention
from .beam import States, Steps
from .masking import LegalTags
from .searching import SearchingDecoder, padded

__all__ = ["Generator"]

_MAX_DEPTH = 16  # of a category; the deepest of all corpora at hand has 7
_MEMO_SIZE = 1 << 16  # sequences whose categories are remembered
_MOST_SEQUENCES = 64  # of one category that `scores` sums over, the longest matches first


class Generator(SearchingDecoder):
    """g_j = LSTM(g_{j-1}, [h; a_{j-1}]) for each word, p(a_j) = softmax(w · g_j) over atomic tags (eq. 1).

    With attention the input is [h; a_{j-1}; Σ α_l h_l], α asked for by g_{j-1} at each step (eq. 2)
    or by h once a word (eq. 3).
    """

    config_type = DecoderConfig

    def __init__(self, width: int, config: DecoderConfig, tag_set: TagSet) -> None:
        super().__init__()
        self.config = config
        self.tag_set = tag_set
        gates = 4 * config.lstm_width
        if config.tag_width:
            self.tags = nn.Embedding(len(tag_set), config.tag_width)  # EOS stands before the first tag, too
        # the LSTM's input weights, one part for each part of the input: that of h is used once a word
        self.word_gates = nn.Linear(width, gates)
        if config.tag_width:
            self.tag_gates = nn.Linear(config.tag_width, gates, bias=False)
        self.recurrent = nn.Linear(config.lstm_width, gates, bias=False)
        self.output = nn.Linear(config.lstm_width, len(tag_set), bias=False)
        self.attention: Attention | None = None
        if config.attention != "none":
            query = config.lstm_width if config.attention == "step" else width
            self.attention = Attention(query, width, config.lstm_width)
            self.context_gates = nn.Linear(width, gates, bias=False)
        self.word_dropout = SharedDropout(config.dropout)
        self.legal = LegalTags(tag_set.tags, config.max_steps, _MAX_DEPTH)
        self._initialise()
        self._composed: dict[tuple[int, ...], Category] = {}

    def _initialise(self) -> None:
        """Orthogonal recurrent weights, Glorot input weights, forget gates open."""
        for layer in (self.word_gates, *([self.tag_gates] if self.config.tag_width else [])):
            for gate in layer.weight.data.chunk(4):
                nn.init.xavier_uniform_(gate)
        for gate in self.recurrent.weight.data.chunk(4):
            nn.init.orthogonal_(gate)
        nn.init.xavier_uniform_(self.output.weight)
        nn.init.zeros_(self.word_gates.bias)
        nn.init.ones_(self.word_gates.bias.data.chunk(4)[1])

    @classmethod
    def build(cls, width: int, config: DecoderConfig, counts: Mapping[Category, int]) -> Self:
        tag_set = make_tag_set(config.oracle, counts, k=config.top, n=config.ngram, count=config.count)
        return cls(width, config, tag_set)

    @classmethod
    def from_json(cls, width: int, config: DecoderConfig, vocabulary: Mapping[str, Any]) -> Self:
        pieces = [tag.split(" ") for tag in vocabulary["tags"]]
        kind = TAG_SETS[config.oracle]
        return cls(width, config, kind(pieces))

    def to_json(self) -> dict[str, Any]:
        return {
            "tags": [" ".join(piece) for piece in self.tag_set.pieces[1:]],
        }

    def loss(self, encoded: Encoded, gold: Sequence[Sequence[Category | None]]) -> Tensor:
        taught = self.taught(gold)
        if not taught:
            return encoded.hidden.sum() * 0.0
        sequences = self._targets([category for _, category in taught])
        logits, wanted, _ = self._spell(_Words(self, encoded), [word for word, _ in taught], sequences)
        return F.cross_entropy(logits, wanted, reduction="sum")

    def steps(self, encoded: Encoded, *, constrained: bool = True) -> Steps:
        """The words of a batch for a search; unconstrained, any tag may follow any other."""
        return _GeneratorSteps(self, encoded, self.legal if constrained else None)

    def log_probs(self, encoded: Encoded, pairs: Sequence[tuple[int, Category]]) -> Tensor:
        spelt = [(pair, s) for pair, (_, category) in enumerate(pairs) for s in self._sequences(category)]
        if not spelt:
            return torch.full((len(pairs),), -torch.inf)
        words = [pairs[pair][0] for pair, _ in spelt]
        logits, wanted, whose = self._spell(_Words(self, encoded), words, [s for _, s in spelt])
        each = -F.cross_entropy(logits, wanted, reduction="none")
        sums = each.new_zeros(len(spelt)).index_add_(0, whose, each).cpu()
        return _logsumexp_by(sums, torch.tensor([pair for pair, _ in spelt]), len(pairs))

    def spelling_length(self, category: Category) -> int | None:
        """Tags of the category's longest match, EOS included; None if it cannot be expressed."""
        return len(self.tag_set.encode(category)) if self.tag_set.can_express(category) else None

    @property
    def atoms(self) -> set[Atom]:
        single = (piece[0] for piece in self.tag_set.pieces if len(piece) == 1 and piece[0] not in "()/\\")
        return {atom for lexeme in single if lexeme[0] != "[" for atom in Category.parse(lexeme).atoms()}

    def _spell(
        self, words: _Words, which: Sequence[int], sequences: Sequence[tuple[int, ...]]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of every step of `sequences`, each written for a word, the tags wanted, and whose they are.

        The longest sequences come first, so those that end leave at the end of the batch.
        """
        device = words.gates.device
        order = sorted(range(len(sequences)), key=lambda row: -len(sequences[row]))
        word = torch.tensor([which[row] for row in order], device=device)
        tags = padded([sequences[row] for row in order]).to(device)
        previous = F.pad(tags, (1, -1))
        table = self.tag_table()
        gates, g, c = words.gates.index_select(0, word), None, None
        outputs, wanted, rows = [], [], []
        numbers = torch.tensor(order, device=device)
        for step, running in enumerate(_running([len(sequences[row]) for row in order])):
            inputs = gates[:running] + F.embedding(previous[:running, step], table)
            if g is not None and c is not None:
                g, c = g[:running], c[:running]
            g, c = self.cell(inputs, g, c, words, word[:running])
            outputs.append(g)
            wanted.append(tags[:running, step])
            rows.append(numbers[:running])
        return self.output(torch.cat(outputs)), torch.cat(wanted), torch.cat(rows)

    def tag_table(self) -> Tensor:
        """The part of the gates that the previous tag gives, a row for each tag."""
        if not self.config.tag_width:
            return self.recurrent.weight.new_zeros(len(self.tag_set), self.recurrent.out_features)
        table: Tensor = self.tag_gates(self.tags.weight)
        return table

    def cell(
        self, inputs: Tensor, g: Tensor | None, c: Tensor | None, words: _Words, word: Tensor
    ) -> tuple[Tensor, Tensor]:
        """One step of the LSTM for some words; `g` and `c` are None before the first."""
        if words.context is not None:
            query = inputs.new_zeros(len(inputs), self.recurrent.in_features) if g is None else g
            inputs = inputs + words.context(query, word)
        if g is not None and torch.is_grad_enabled():
            inputs = self.recurrent(g).add_(inputs)
        elif g is not None:  # in one go, which spares a search a pass over the gates at each step
            inputs = torch.addmm(inputs, g, self.recurrent.weight.t())
        return lstm(inputs, c)

    def _targets(self, categories: Sequence[Category]) -> list[tuple[int, ...]]:
        """The tags to learn for the categories of some words; sampled anew for each unless deterministic."""
        if self.config.deterministic:
            return [self.tag_set.encode(category) for category in categories]
        rng = random.Random(int(torch.randint(2**63 - 1, ())))  # follows torch.manual_seed, as dropout does
        return [self.tag_set.encode_sample(category, rng) for category in categories]

    def _sequences(self, category: Category) -> Iterable[tuple[int, ...]]:
        """The sequences that log p of a category is about: those that the generator was taught."""
        if not self.tag_set.can_express(category):
            return ()
        if self.config.deterministic:
            return (self.tag_set.encode(category),)
        return map(self.tag_set.encode_tags, islice(self.tag_set.decompositions(category), _MOST_SEQUENCES))

    def compose(self, sequence: tuple[int, ...]) -> Category:
        category = self._composed.get(sequence)
        if category is None:
            if len(self._composed) >= _MEMO_SIZE:
                self._composed.clear()
            category = self.tag_set.compose(self.tag_set.tags[number] for number in sequence)
            self._composed[sequence] = category
        return category


class _Words:
    """The words of a batch, one after the other, as the LSTM reads them at every step."""

    def __init__(self, generator: Generator, encoded: Encoded) -> None:
        hidden, mask = generator.word_dropout(encoded.hidden), encoded.mask
        self.gates = generator.word_gates(hidden[mask])
        self.context: _Context | None = None
        attention = generator.attention
        if attention is None:
            return
        keys, values = attention.key(hidden), generator.context_gates(hidden)
        if generator.config.attention == "step":  # eq. 2: asked anew at each step
            self.context = _Context(attention, keys, values, mask)
        else:  # eq. 3: asked once by the word itself
            self.gates = self.gates + (attention(hidden, keys, mask) @ values)[mask]


class _Context:
    """What attention adds to the gates of hypotheses, which are laid out by sentence for it."""

    def __init__(self, attention: Attention, keys: Tensor, values: Tensor, mask: Tensor) -> None:
        self._attention, self._keys, self._values, self._mask = attention, keys, values, mask
        self._sentence = mask.nonzero()[:, 0]

    def __call__(self, queries: Tensor, words: Tensor) -> Tensor:
        """The context's part of the gates, for a query on behalf of each of `words`."""
        sentence = self._sentence[words]
        order = sentence.argsort(stable=True)
        counts = sentence.bincount(minlength=len(self._mask))
        column = torch.empty_like(order)
        column[order] = (
            torch.arange(len(order), device=order.device) - (counts.cumsum(0) - counts)[sentence[order]]
        )
        grid = queries.new_zeros(len(counts), int(counts.max()), queries.size(1))
        grid = grid.index_put((sentence, column), queries)
        context: Tensor = self._attention(grid, self._keys, self._mask) @ self._values
        return context[sentence, column]


class _GeneratorSteps:
    """The words of a batch in a search: the LSTM's state, and how far each category has got."""

    def __init__(self, generator: Generator, encoded: Encoded, legal: LegalTags | None) -> None:
        self._generator, self._legal = generator, legal
        self._words = _Words(generator, encoded)
        self._table = generator.tag_table()

    def start(self) -> tuple[States, Tensor]:
        gates = self._words.gates
        word = torch.arange(len(gates), device=gates.device)
        place = torch.zeros_like(word)
        return self._step(word, gates + self._table[0], None, None, place, place)

    def advance(self, states: States, rows: Tensor, symbols: Tensor) -> tuple[States, Tensor]:
        word, g, c, place, used = (state.index_select(0, rows) for state in states)
        if self._legal is not None:
            place, used = self._legal.advance(place, used, symbols)
        else:
            used = used + 1
        inputs = self._words.gates.index_select(0, word).add_(self._table.index_select(0, symbols))
        return self._step(word, inputs, g, c, place, used)

    def _step(
        self, word: Tensor, inputs: Tensor, g: Tensor | None, c: Tensor | None, place: Tensor, used: Tensor
    ) -> tuple[States, Tensor]:
        g, c = self._generator.cell(inputs, g, c, self._words, word)
        logp = self._generator.output(g).float().log_softmax(1)
        if self._legal is not None:
            logp = logp.masked_fill(~self._legal.mask(place, used), -torch.inf)
        else:
            over = used >= self._generator.config.max_steps
            logp[over, 1:] = -torch.inf
        return (word, g, c, place, used), logp


def lstm(gates: Tensor, c: Tensor | None) -> tuple[Tensor, Tensor]:
    """Output and cell of an LSTM whose gates (input, forget, output, candidate) have been added up."""
    width = gates.size(1) // 4
    i, f, o = gates[:, : 3 * width].sigmoid().chunk(3, 1)
    new = i * _tanh(gates[:, 3 * width :])
    c = new if c is None else torch.addcmul(new, f, c)
    return o * _tanh(c), c


def _tanh(x: Tensor) -> Tensor:
    """tanh; a sigmoid takes a CPU half the time, which pays where no gradient is needed."""
    return x.tanh() if torch.is_grad_enabled() else (x * 2).sigmoid_().mul_(2).sub_(1)


def _running(lengths: Sequence[int]) -> list[int]:
    """How many of some sequences, longest first, are still running at each step.

    >>> _running([3, 1, 1])
    [3, 1, 1]
    """
    running = [0] * lengths[0]
    for length in lengths:
        running[length - 1] += 1
    for step in reversed(range(len(running) - 1)):
        running[step] += running[step + 1]
    return running


def _logsumexp_by(values: Tensor, groups: Tensor, size: int) -> Tensor:
    """log Σ exp of the values of each group; minus infinity where a group is empty."""
    highest = values.new_full((size,), -torch.inf).scatter_reduce(0, groups, values, "amax")
    sums = values.new_zeros(size).index_add_(0, groups, (values - highest[groups]).exp())
    result: Tensor = highest + sums.log()
    return result
