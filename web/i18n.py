"""English and Spanish: which of them a person reads, and sentences that come from below in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from babel.messages.mofile import read_mo
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
_PLACE = re.compile(r"\{(\d)\}")


def configure_languages(app: Flask) -> None:
    """Have Flask-Babel translate templates and sentences (`gettext`) for each request."""
    app.config.update(BABEL_DEFAULT_LOCALE="en", BABEL_TRANSLATION_DIRECTORIES=str(TRANSLATIONS))
    Babel(app, locale_selector=lambda: _LOCALES[chosen_language()])
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.filters["sentence"] = sentence
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


def sentence(text: str | None) -> str:
    """A sentence of a service in the language of the request: whole, or by the pattern that it was made of."""
    if not text or not has_request_context():
        return text or ""
    known: str = gettext(text)
    if known != text:
        return known
    for pattern, source in _patterns(chosen_language()):
        if found := pattern.fullmatch(text):
            return _PLACE.sub(lambda place: translated(found[int(place[1]) + 1]), gettext(source))
    return text


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Sentences with places for values (`{0}`), as `web.sentences_below` found them in the code."""
    path = TRANSLATIONS / language / "LC_MESSAGES" / "messages.mo"
    if not path.is_file():
        return []
    with path.open("rb") as file:
        sources = [message.id for message in read_mo(file) if isinstance(message.id, str)]
    found = [source for source in sources if _PLACE.search(source)]
    # The one that says most first: a place takes any text.
    found.sort(key=len, reverse=True)
    return [(re.compile(_PLACE.sub("(.+)", _escaped(source)), re.DOTALL), source) for source in found]


def _escaped(source: str) -> str:
    """Escaped for a pattern, but for the places."""
    return re.escape(source).replace(r"\{", "{").replace(r"\}", "}")


def _language() -> dict[str, Any]:
    locale = get_locale()
    return {"language": locale.language if locale else "en", "languages": LANGUAGES}
