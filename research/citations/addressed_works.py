"""Read the DOI of a work, or its number in a collection, from URLs of well-known hosts."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from urllib.parse import parse_qsl, unquote, urlsplit

_DATA = tomllib.loads(files(__package__).joinpath("addressed_works.toml").read_text(encoding="utf-8"))
_DOI_PAGES = [re.compile(pattern) for pattern in _DATA["dois"]]
#: The collection of each pattern.
_COLLECTIONS = [name for name, patterns in _DATA["collections"].items() for _ in patterns]
_PATTERNS = [pattern for patterns in _DATA["collections"].values() for pattern in patterns]
_NUMBERS = [re.compile(pattern) for pattern in _PATTERNS]
#: Query parameters whose value may be a DOI.
_DOI_PARAMETERS = frozenset({"id", "doi", "article", "articleid", "uri"})
_DOI = re.compile(r"(?:doi:)?10\.\d{4,9}/\S")
_PREPRINT_VERSION = re.compile(r"^(10\.(?:1101|64898)/[\d.]*\d)v\d+(?:\..{0,500})?$")


def doi_of_address(url: str) -> str | None:
    """Return the DOI, in lower case, given by the URL of a publisher's page or by a query parameter, or None."""
    address = unquote(url).lower().split("#")[0]
    for pattern in _DOI_PAGES:
        if match := pattern.search(address.split("?")[0]):
            return str(_DATA["dois"][pattern.pattern]).format(match[1])
    handed_on = [
        value.lower() for name, value in parse_qsl(urlsplit(url).query) if name.lower() in _DOI_PARAMETERS
    ]
    return next((value for value in handed_on if _DOI.match(value)), None)


def without_preprint_version(doi: str) -> str:
    """Return the DOI without a version suffix if it is that of a preprint server; any other DOI unchanged."""
    match = _PREPRINT_VERSION.match(doi)
    return match[1] if match else doi


def collection_ids(*addresses: str | None) -> dict[str, str]:
    """Return the identifiers found in URLs and DOIs, by collection ("arxiv", "pmid", "jstor" …)."""
    found: dict[str, str] = {}
    for address in filter(None, addresses):
        plain = unquote(address).split("#")[0]
        for collection, pattern in zip(_COLLECTIONS, _NUMBERS, strict=True):
            if match := pattern.search(plain.lower()):
                cased = collection in _DATA["case_sensitive"] and len(plain) == len(plain.lower())
                text = plain if cased else plain.lower()
                found.setdefault(collection, _number(collection, text, match))
    return found


def numbers_contradict(collection: str) -> bool:
    """Return whether different numbers in the collection mean different works."""
    return collection not in _DATA["several_numbers"]


def _number(collection: str, text: str, match: re.Match[str]) -> str:
    number = " ".join(text[slice(*match.span(group))] for group in range(1, (match.re.groups or 0) + 1))
    if collection == "pii":
        return re.sub(r"[()-]", "", number)
    return number.replace("/index.php", "") if collection == "ojs" else number
