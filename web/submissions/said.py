"""What the forms say of a batch: values where a page gives none, and the day on which it was received."""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from core.config import Settings
from core.labels import keys_of
from pipeline.validation.defaults import DEFAULT_FIELDS, LANGUAGE
from services.batches.given import EssayLanguage
from services.batches.received import checked_received
from services.batches.said import SaidOfBatch
from web.submissions import blueprint

#: Before the names of the values, as a form for files has other fields too.
PREFIX = "default_"
KEYS = (*DEFAULT_FIELDS, LANGUAGE)


@blueprint.app_template_global()
def default_keys() -> tuple[str, ...]:
    """Return the keys of the values, in the order of the form."""
    return KEYS


@blueprint.app_template_global()
def essay_languages() -> tuple[str, ...]:
    """Return the keys of the languages that an essay may be said to be written in."""
    return tuple(keys_of(EssayLanguage))


def typed_defaults(form: MultiDict[str, str]) -> dict[str, str]:
    """Return the values as typed, by their keys; empty ones are left out."""
    typed = {key: form.get(PREFIX + key, "").strip() for key in KEYS}
    return {key: value for key, value in typed.items() if value}


def said_in(form: MultiDict[str, str], settings: Settings) -> SaidOfBatch:
    """Return what a form says of a new batch. Raises InvalidInputError for a day that is none."""
    return SaidOfBatch(typed_defaults(form), checked_received(settings, form.get("received_on", "")))
