"""E-mail addresses and telephone numbers."""

from __future__ import annotations

import re
from functools import cache

import phonenumbers
from email_validator import EmailNotValidError, validate_email
from tldextract import TLDExtract

from pipeline.extraction.values.text import tidy

#: Default region of numbers without a country code.
REGION = "US"
_EMAIL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+'-]{0,64}\s?@\s?[A-Za-z0-9-]+(?:\s?\.\s?[A-Za-z0-9-]+)*")
_DATE = re.compile(r"\b\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}\b(?![-.]?\d)")
_PHONE = re.compile(r"(?<![\w@.])\+?\(?\d[\d\s().\-–/•·]{5,18}\d(?![\w@])")


def find_email(text: str) -> str | None:
    """Return the first apparent e-mail address in a text, also one that was cut off; None without one."""
    match = _EMAIL.search(tidy(text))
    return match[0].replace(" ", "").rstrip(".-") if match else None


def email_is_valid(address: str) -> bool:
    """Whether an address is syntactically valid."""
    try:
        validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError:
        return False
    return True


def ends_in_public_suffix(address: str) -> bool:
    """Whether the domain ends in a suffix of the Public Suffix List (".com", ".k12.tx.us")."""
    return bool(_suffixes()(address.rpartition("@")[2]).suffix)


def load() -> None:
    """Load the Public Suffix List now instead of at the first address."""
    ends_in_public_suffix("name@example.org")


@cache
def _suffixes() -> TLDExtract:
    # The list bundled with the package: no download, no cache file.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def find_phone(text: str) -> str | None:
    """Return the first apparent telephone number in a text, as written; None without one."""
    match = _PHONE.search(_DATE.sub(" ", tidy(text)))
    if match is None or not 7 <= len(re.sub(r"\D", "", match[0])) <= 15:
        return None
    return match[0].strip(" -.–/")


def phone_is_possible(number: str) -> bool:
    """Whether a number has a possible length (fictitious numbers have, too)."""
    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(number, REGION)))
    except phonenumbers.NumberParseException:
        return False
