"""Parts of another distribution: found by entry points, configured, trained, saved and loaded."""

import subprocess
import sys
from textwrap import dedent

import pytest
from click.testing import CliRunner
from toy import toy_file

import ccgkit
from ccgkit.cli.main import main
from ccgkit.oracles import TAG_SETS
from ccgkit.registry import RegistryError
from ccgkit.taggers.config import Config, ConfigError, override, read_config
from ccgkit.taggers.parts import DECODERS, ENCODERS
from ccgkit.taggers.tagger import Tagger

pytestmark = pytest.mark.usefixtures("no_learning_curves")
MODULE = '''
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import torch
from torch import nn

from ccgkit.grammar import Category
from ccgkit.oracles import TagSet
from ccgkit.sentence import Supertag
from ccgkit.taggers.config import Range
from ccgkit.taggers.interface import Decoder, Encoded, Encoder


@dataclass(frozen=True, slots=True)
class ShapeConfig:
    kind: str = "shapes"
    size: Annotated[int, Range(1, 64)] = 8
    longest: Annotated[int, Range(1, 100)] = 12


class Shapes(Encoder):
    """A vector for the last letter and the length of a word."""

    config_type = ShapeConfig

    def __init__(self, config, letters):
        super().__init__()
        self.longest, self.letters = config.longest, tuple(letters)
        self.width = 2 * config.size
        self.length = nn.Embedding(config.longest + 1, config.size)
        self.letter = nn.Embedding(len(letters) + 1, config.size)

    @classmethod
    def build(cls, config, sentences):
        return cls(config, sorted({word[-1] for words in sentences for word in words}))

    @classmethod
    def from_json(cls, config, vocabulary, folder):
        return cls(config, vocabulary["letters"])

    def to_json(self):
        return {"letters": list(self.letters)}

    def forward(self, sentences):
        known = {letter: number for number, letter in enumerate(self.letters, 1)}
        lengths = torch.tensor([len(words) for words in sentences])
        mask = torch.arange(int(lengths.max())) < lengths[:, None]
        words = [word for words in sentences for word in words]
        sizes = torch.tensor([min(len(word), self.longest) for word in words])
        last = torch.tensor([known.get(word[-1], 0) for word in words])
        hidden = torch.zeros(*mask.shape, self.width)
        hidden[mask] = torch.cat([self.length(sizes), self.letter(last)], 1)
        return Encoded(hidden, mask)


@dataclass(frozen=True, slots=True)
class PlainConfig:
    kind: str = "plain"
    temperature: Annotated[float, Range(0.1, 10)] = 1.0


class Plain(Decoder):
    """A softmax over all categories."""

    config_type = PlainConfig

    def __init__(self, width, config, categories):
        super().__init__()
        self.categories, self.temperature = list(categories), config.temperature
        self.output = nn.Linear(width, len(self.categories))

    @classmethod
    def build(cls, width, config, counts):
        return cls(width, config, counts)

    @classmethod
    def from_json(cls, width, config, vocabulary):
        return cls(width, config, map(Category.parse, vocabulary["categories"]))

    def to_json(self):
        return {"categories": list(map(str, self.categories))}

    @property
    def atoms(self):
        return {atom for category in self.categories for atom in category.atoms()}

    def _logprobs(self, encoded):
        return (self.output(encoded.hidden[encoded.mask]) / self.temperature).log_softmax(1)

    def loss(self, encoded, gold):
        wanted = [self.categories.index(category) if category else -1 for row in gold for category in row]
        return nn.functional.nll_loss(
            self._logprobs(encoded), torch.tensor(wanted), ignore_index=-1, reduction="sum"
        )

    def kbest(self, encoded, k, beta=0.0):
        values, numbers = self._logprobs(encoded).topk(min(k, len(self.categories)))
        words = iter(
            tuple(Supertag(self.categories[n], p) for n, p in zip(*row))
            for row in zip(numbers.tolist(), values.tolist())
        )
        return [[next(words) for _ in range(n)] for n in encoded.mask.sum(1).tolist()]

    def scores(self, encoded, candidates):
        raise NotImplementedError


class Slashes(TagSet):
    """AC and slashes with the atom after them."""

    @classmethod
    def expressions(cls, lexemes, n):
        return (pair for pair in zip(lexemes, lexemes[1:]) if pair[0] in "/\\\\" and pair[1] not in "(")
'''
ENTRY_POINTS = """
[ccgkit.encoders]
shapes = my_parts:Shapes
[ccgkit.decoders]
plain = my_parts:Plain
broken = my_parts:Nothing
[ccgkit.tag_sets]
slashes = my_parts:Slashes
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The folder of an installed distribution that offers one part of each kind."""
    site = tmp_path / "site"
    info = site / "my_parts-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "my_parts.py").write_text(MODULE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-parts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(dedent(ENTRY_POINTS))
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=":")
    yield site
    sys.modules.pop("my_parts", None)


def trained(folder, *changes):
    """The model that `ccgkit train` makes of a small configuration with some changes."""
    (folder / "c.toml").write_text(
        "[encoder]\nword_width = 8\nchar_filters = 0\nlstm_width = 8\nlstm_layers = 1\n"
        "[decoder]\nthreshold = 1\nlstm_width = 16\n[training]\nepochs = 2\nbatch = 16\n"
    )
    toy_file(folder / "t.stagged", 40)
    options = [part for change in changes for part in ("--set", change)]
    arguments = [str(folder / "c.toml"), "--threads", "1", "--output", str(folder / "model"), *options]
    for part in ("--train", "--dev"):
        arguments += [part, str(folder / "t.stagged")]
    result = CliRunner().invoke(main, ["train", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return folder / "model"


def test_an_encoder_is_trained_saved_and_loaded(installed, tmp_path):
    assert ENCODERS.names() == ["bilstm", "transformer", "compact", "shapes"]
    model = trained(tmp_path, "encoder.kind=shapes", "encoder.size=5")
    assert 'kind = "shapes"\nsize = 5\nlongest = 12' in (model / "config.toml").read_text()
    assert Tagger.load(model).encoder.width == 10


def test_a_decoder_is_trained_saved_and_loaded(installed, tmp_path):
    model = trained(tmp_path, "decoder.kind=plain", "decoder.temperature=0.5")
    tagger = Tagger.load(model)
    assert type(tagger.decoder).__name__ == "Plain" and tagger.decoder.temperature == 0.5


def test_a_tag_set_is_shown_trained_saved_and_loaded(installed, tmp_path):
    assert TAG_SETS.names() == ["AC", "PA", "NG", "OR", "slashes"]
    model = trained(tmp_path, "decoder.kind=cg", "decoder.oracle=slashes")
    assert type(Tagger.load(model).decoder.tag_set).__name__ == "Slashes"
    shown = CliRunner().invoke(main, ["oracle", r"(NP/NP)\NP", "--set", "slashes"])
    assert "( NP /NP ) \\NP <eos>" in shown.stdout


def test_a_process_that_has_imported_nothing_yet_reads_and_says_the_same(installed, tmp_path):
    changes = ("decoder.kind=cg", "decoder.oracle=slashes"), ("decoder.kind=plain",)
    models = []
    for number, change in enumerate(changes):
        (tmp_path / str(number)).mkdir()
        models.append(str(trained(tmp_path / str(number), "encoder.kind=shapes", *change)))
    code = (
        "import ccgkit, sys\n"
        "for model in sys.argv[1:]:\n"
        "    print(*ccgkit.load(model, threads=1).tag('The dog sleeps.')[0].categories)"
    )
    told = subprocess.run([sys.executable, "-c", code, *models], capture_output=True, text=True, check=True)
    for model, line in zip(models, told.stdout.splitlines(), strict=True):
        said = ccgkit.load(model, threads=1).tag("The dog sleeps.")[0].categories
        assert line.split() == list(map(str, said))


def test_the_fields_of_a_foreign_part_are_checked(installed):
    assert read_config('[encoder]\nkind = "shapes"\nsize = 3', "c.toml").encoder.size == 3
    with pytest.raises(ConfigError, match="size must be a whole number from 1 to 64, not 65"):
        read_config('[encoder]\nkind = "shapes"\nsize = 65', "c.toml")
    with pytest.raises(ConfigError, match="has no field 'lstm_width'"):
        override(Config(), ["encoder.kind=shapes", "encoder.lstm_width=3"])


def test_a_part_that_is_gone_or_broken_is_told(installed, tmp_path, monkeypatch):
    with pytest.raises(RegistryError, match=r"the decoder 'broken' of my-parts .* cannot be imported"):
        DECODERS["broken"]
    model = trained(tmp_path, "decoder.kind=plain")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(installed)])
    with pytest.raises(ConfigError, match='kind must be one of cc, cg, ct, not "plain"'):
        Tagger.load(model)


def test_a_program_registers_a_part_without_being_installed(monkeypatch):
    monkeypatch.setattr(DECODERS, "_registered", {})
    DECODERS.register("mine", DECODERS["cc"])
    assert DECODERS["mine"] is DECODERS["cc"]
    assert read_config('[decoder]\nkind = "mine"', "here").decoder.kind == "mine"
