"""What a request for tags or parses asks for: which sentences, of which model, and what of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..constraints import Constraints
from ..grammar import Token
from ..grammar.notations import check_notation
from ..models.registry import ModelInfo
from ..sentence import Sentence
from ..text import split_text, tokenize
from .desk import read_sentence
from .refusal import Refusal
from .settings import Settings
from .work import Parsing, Tagging, Work

__all__ = ["chosen_model", "parsing_tasks", "tagging_tasks"]

Task = tuple[Sentence, Work]


def chosen_model(body: dict[str, Any], settings: Settings) -> ModelInfo:
    """The model of the name, or the first for the language, or the first."""
    name, language = body.get("model"), body.get("language")
    for model in settings.models:
        if name in (None, model.name) and language in (None, model.language):
            return model
    raise Refusal(422, f"{name} is not a model for the language {language}", where="/language")


def tagging_tasks(body: dict[str, Any], model: ModelInfo, settings: Settings) -> list[Task]:
    """Each sentence, to be tagged."""
    work = Tagging(body.get("k", Tagging().k), float(body.get("beta", Tagging().beta)))
    return [(sentence, work) for sentence in _sentences(body, model, settings)]


def parsing_tasks(body: dict[str, Any], model: ModelInfo, settings: Settings) -> list[Task]:
    """Each sentence, to be parsed under its constraints, if there are any."""
    sentences = list(_sentences(body, model, settings))
    given = body.get("constraints") or [None] * len(sentences)
    if len(given) != len(sentences):
        reason = f"{len(given)} constraints for {len(sentences)} sentences: give one or null for each"
        raise Refusal(422, reason, where="/constraints")
    work = Parsing(body.get("nbest", 1), _other_notation(body.get("notation"), model))
    found: list[Task] = []
    for sentence, one in zip(sentences, given, strict=True):
        constraints = Constraints.from_dict(one or {})
        constraints.check(len(sentence))
        found.append((replace(sentence, constraints=constraints), work))
    return found


def _other_notation(notation: str | None, model: ModelInfo) -> str | None:
    """The notation, if it is not the model's own."""
    if notation in (None, model.scheme):
        return None
    check_notation(notation, model.scheme)
    return notation


def _sentences(body: dict[str, Any], model: ModelInfo, settings: Settings) -> Iterator[Sentence]:
    if ("text" in body) == ("sentences" in body):
        raise Refusal(422, "give either 'text' or 'sentences'", where="")
    language = model.language or "en"
    limits = settings.limits
    found = split_text(body["text"], language=language) if "text" in body else _given(body, language)
    for count, sentence in enumerate(found, 1):
        where = "/text" if "text" in body else f"/sentences/{count - 1}"
        if count > limits.sentences:
            raise Refusal(422, f"more than {limits.sentences} sentences: send them in parts", where=where)
        if len(sentence) > limits.words:
            reason = f"sentence {count} has {len(sentence)} words: more than {limits.words}"
            raise Refusal(422, reason, where=where)
        yield sentence


def _given(body: dict[str, Any], language: str) -> Iterator[Sentence]:
    for place, one in enumerate(body["sentences"]):
        if isinstance(one, str):
            yield Sentence(tokenize(one, language=language), text=one)
        elif isinstance(one, list):
            yield Sentence(tuple(map(Token, one)))
        else:
            yield read_sentence(one, f"/sentences/{place}")
