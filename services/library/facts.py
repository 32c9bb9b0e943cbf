"""Normalise the metadata that documents contain in different formats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from services.library.blocks import Facts, one_line

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]*[^\s\"<>.,;:)\]]")
_ISBN = re.compile(r"\bISBN(?:-1[03])?:?\s*((?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx])\b")
_DATED = re.compile(r"(?:©|\(c\)|copyright|published|publicado|editado)\D{0,40}(1[5-9]\d\d|20\d\d)", re.IGNORECASE)
_WEB = re.compile(r"https?://[^\s\"<>]{4,1000}")
#: Titles that programs fill in automatically.
_NO_TITLE = re.compile(
    r"(?:untitled|document|documento|sin título)\s*+\d*|microsoft word.*|.*\.(?:docx?|pdf|indd|tex)\s*+\d*", re.I
)
_NO_AUTHOR = {"", "python-docx", "author", "user", "admin", "unknown", "anonymous", "microsoft office user"}
#: How YAML writes that there is no value.
_NULL = ("", "~", "null")
_MAX_TITLE, _MAX_NAME, _MAX_AUTHORS = 400, 200, 30


def year_of(value: object) -> int | None:
    """Return the year in a number or text, None if there is none."""
    found = _YEAR.search(str(value or ""))
    return int(found[1]) if found else None


def title_of(value: object) -> str:
    """Return the title on one line; empty if a program filled it in."""
    title = one_line(str(value or ""))[:_MAX_TITLE]
    return "" if _NO_TITLE.fullmatch(title) else title


def authors_of(value: object) -> list[str]:
    """Return the names in a list or a text with separators: semicolons, "and", commas between full names."""
    names = value if isinstance(value, list | tuple) else _names(str(value or ""))
    plain = (one_line(str(name))[:_MAX_NAME].strip(" ,;") for name in names)
    return list(dict.fromkeys(name for name in plain if name.casefold() not in _NO_AUTHOR))[:_MAX_AUTHORS]


def _names(text: str) -> list[str]:
    parts = re.split(r"(?>(?:(?<!\s)\s++)?);\s*+|(?<!\s)\s++(?:and|y|&)\s++", text)
    # "Ortiz, Ana" is one name; "Ana Ortiz, Ben Lee" are two.
    return [name for part in parts for name in (part.split(",") if _is_list(part) else [part])]


def _is_list(part: str) -> bool:
    pieces = [piece.split() for piece in part.split(",")]
    return len(pieces) > 1 and all(len(piece) > 1 for piece in pieces)


def doi_of(text: str) -> str | None:
    """Return the first DOI in the text."""
    found = _DOI.search(text)
    return found[0] if found else None


def isbn_of(text: str) -> str | None:
    """Return the first number labelled as ISBN, without hyphens."""
    found = _ISBN.search(text)
    return re.sub(r"[- ]", "", found[1]).upper() if found else None


def dated(text: str) -> int | None:
    """Return the year after a copyright sign or a word such as "published"."""
    found = _DATED.search(text)
    return int(found[1]) if found else None


def address_of(value: object) -> str | None:
    """Return the value if it is an http or https address, else None."""
    found = _WEB.fullmatch(str(value or "").strip())
    return found[0] if found else None


def name_of(value: object) -> str | None:
    """Return the name of a publisher, site or journal on one line, None if it is empty."""
    return one_line(str(value or ""))[:_MAX_NAME] or None


def facts_of(given: Mapping[str, Any]) -> Facts:
    """Return the facts given by the keys of front matter, whose scalars are text.

    Unknown keys and invalid values are ignored.
    """
    known = {str(key).strip().lower().replace("-", "_"): _plain(value) for key, value in given.items()}
    language = str(_first(known, ("language", "lang", "idioma")) or "").lower()[:2]
    isbn = re.sub(r"[^\dXx]", "", str(known.get("isbn") or ""))
    return Facts(
        title=title_of(_first(known, ("title", "título", "titulo"))),
        authors=authors_of(_first(known, ("authors", "author", "autor", "autores"))),
        year=year_of(_first(known, ("year", "date", "published", "año", "fecha"))),
        publisher=name_of(_first(known, ("publisher", "journal", "site", "editorial", "source"))),
        url=address_of(_first(known, ("url", "link", "source_url"))),
        doi=doi_of(str(known.get("doi") or "")),
        isbn=isbn if len(isbn) in (10, 13) else None,
        language=language if language in ("en", "es") else None,
        is_sample=str(known.get("sample")).lower() in ("true", "yes"),
    )


def _plain(value: Any) -> Any:
    """Return a scalar or a list of scalars. Nested values are dropped: YAML aliases can expand without end."""
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return value if isinstance(value, str) and value.lower() not in _NULL else None


def _first(known: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((known[name] for name in names if known.get(name)), None)
