"""English and Spanish: which of them a person reads, and sentences that come from below in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Protocol

from flask import Flask, has_request_context, request
from flask_babel import Babel, format_date, format_decimal, get_locale, gettext

from core import saying
from core.messages import Message

#: By code, each in its own words. English stands in the code.
LANGUAGES = {"en": "English", "es": "Español"}
#: Whose dates and numbers they go with.
_LOCALES = {"en": "en", "es": "es_MX"}
COOKIE = "language"
TRANSLATIONS = Path(__file__).resolve().parent.parent / "translations"


def configure_languages(app: Flask) -> None:
    """Have Flask-Babel translate templates and sentences (`gettext`) for each request."""
    app.config.update(BABEL_DEFAULT_LOCALE="en", BABEL_TRANSLATION_DIRECTORIES=str(TRANSLATIONS))
    Babel(app, locale_selector=lambda: _LOCALES[chosen_language()])
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.filters["say"] = say
    app.jinja_env.filters["what_failed"] = what_failed
    app.jinja_env.filters["heading"] = heading
    app.jinja_env.filters["translated"] = translated
    app.context_processor(_language)


def chosen_language() -> str:
    """What the person chose, else what the browser asks for."""
    chosen = request.cookies.get(COOKIE)
    if chosen in LANGUAGES:
        return chosen
    # In the browser's order; of a region the language counts.
    asked = (tag.lower().partition("-")[0] for tag in request.accept_languages.values())
    return next((language for language in asked if language in LANGUAGES), "en")


def mark(text: str) -> str:
    """Mark a text for translation where no request is near; `translated` says it later."""
    return text


def translated(text: str) -> str:
    """A marked text in the language of the request; as it is where there is none."""
    return gettext(text) if text and has_request_context() else text


class _Reader:
    """The language of the request, for `core.saying`."""

    @property
    def code(self) -> str:
        return chosen_language()

    def translated(self, text: str) -> str:
        return translated(text)

    def number(self, value: float) -> str:
        return str(format_decimal(value, "#,##0.##"))

    def day(self, iso: str) -> str:
        return str(format_date(date.fromisoformat(iso[:10]), "d MMM y"))


_READER = _Reader()


def say(message: Message | None) -> str:
    """A message in the language of the request, in English where there is none; empty for no message."""
    if message is None:
        return ""
    return saying.say(message, _READER) if has_request_context() else saying.say(message)


def heading(code: str) -> str:
    """What the messages of a code have in common, in the language of the request."""
    return saying.heading(code, _READER)


class _Failed(Protocol):
    @property
    def error_code(self) -> str | None: ...
    @property
    def error_params(self) -> Mapping[str, Any]: ...


def what_failed(row: _Failed) -> str:
    """Why a row's work failed, in the language of the request; empty where it did not."""
    return say(Message(row.error_code, row.error_params)) if row.error_code else ""


def _language() -> dict[str, Any]:
    locale = get_locale()
    return {"language": locale.language if locale else "en", "languages": LANGUAGES}
