"""The language of a person who is not asking: for mails, which no request has."""

from __future__ import annotations

from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations

from babel.dates import format_date
from babel.numbers import format_decimal

from core.config import ROOT
from core.saying import Language

#: Locales for dates and numbers by the codes of languages.
_LOCALES = {"en": "en", "es": "es_MX"}
LANGUAGES = tuple(_LOCALES)


class _Catalog:
    """A language with the catalog of `translations/`."""

    def __init__(self, code: str) -> None:
        self.code = code
        path = ROOT / "translations" / code / "LC_MESSAGES" / "messages.mo"
        self._texts: NullTranslations = NullTranslations()
        if path.is_file():
            with path.open("rb") as file:
                self._texts = GNUTranslations(file)

    def translated(self, text: str) -> str:
        """Return a text in this language, in English where the catalog has none."""
        return self._texts.gettext(text) if text else text

    def number(self, value: float) -> str:
        """Return a number in the language's format."""
        return str(format_decimal(value, "#,##0.##", locale=_LOCALES[self.code]))

    def day(self, iso: str) -> str:
        """Return a date, given in ISO form, as letters have it: "November 29, 2026", "29 de noviembre de 2026"."""
        return str(format_date(date.fromisoformat(iso[:10]), "long", locale=_LOCALES[self.code]))


@cache
def language_of(code: str | None) -> Language:
    """Return the language of a code; English for an unknown one or none."""
    return _Catalog(code if code in _LOCALES else "en")
