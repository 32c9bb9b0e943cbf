"""Try the language models: one short question each, which holds nothing of anybody."""

from __future__ import annotations

import time
from collections.abc import Iterator

from pydantic import BaseModel

from core.errors import ModelError
from core.llm import Model, open_deep_model, open_model
from core.llm.depth import deep_depth, plain_depth
from core.llm.providers import chosen_provider
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine, wrong

#: Seconds that a model has for its answer.
_PATIENCE = 30.0


class Pong(BaseModel):
    """What a model is asked for."""

    ok: bool


def try_model(context: Context) -> Iterator[Finding]:
    """Yield whether the model for entries answers, and the deep one where that is another."""
    settings = context.settings
    plain, deep = (chosen_provider(settings, deep=tier) for tier in (False, True))
    if plain is None and deep is None:
        yield doubtful(DoctorCode.MODEL_NONE)
        return
    asked: set[str] = set()
    for provider, depth, opened in (
        (plain, plain_depth(settings), open_model),
        (deep, deep_depth(settings), open_deep_model),
    ):
        name = "" if provider is None else provider.model_name(settings, depth)
        model = None if name in asked or not name else opened(settings)
        if model is not None:
            asked.add(name)
            yield _asked(model, name)


def _asked(model: Model, name: str) -> Finding:
    began = time.monotonic()
    try:
        model.ask(
            "You answer with JSON alone.",
            'Answer with {"ok": true}.',
            Pong,
            purpose="doctor",
            deadline=began + _PATIENCE,
        )
    except ModelError as error:
        return wrong(DoctorCode.MODEL_FAILS, time.monotonic() - began, model=name, problem=error.told)
    return fine(DoctorCode.MODEL_ANSWERS, time.monotonic() - began, model=name)
