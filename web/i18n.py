"""English and Spanish: which of them a person reads."""

from __future__ import annotations

from typing import Any

from flask import Flask, request
from flask_babel import Babel, get_locale

#: By code, each in its own words. English stands in the code.
LANGUAGES = {"en": "English", "es": "Español"}
COOKIE = "language"


def configure_languages(app: Flask) -> None:
    """Have Flask-Babel translate templates and sentences (`gettext`) for each request."""
    app.config.update(BABEL_DEFAULT_LOCALE="en", BABEL_TRANSLATION_DIRECTORIES="translations")
    Babel(app, locale_selector=chosen_language)
    app.context_processor(_language)


def chosen_language() -> str:
    """What the person chose, else what the browser asks for."""
    chosen = request.cookies.get(COOKIE)
    return chosen if chosen in LANGUAGES else request.accept_languages.best_match(LANGUAGES) or "en"


def _language() -> dict[str, Any]:
    locale = get_locale()
    return {"language": locale.language if locale else "en", "languages": LANGUAGES}
