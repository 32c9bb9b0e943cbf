"""Find e-mail addresses, telephone numbers, handles, links and street addresses in an essay."""

from __future__ import annotations

import re
from functools import partial

from services.library.essays.known_words import listed

MAIL, PHONE, HANDLE, LINK, ADDRESS = "[e-mail]", "[phone]", "[handle]", "[link]", "[address]"
_STREETS = "|".join(sorted(listed("street"), key=len, reverse=True))
_CALLES = "|".join(sorted(listed("calle"), key=len, reverse=True))
_DEVICES = "|".join(sorted(listed("device"), key=len, reverse=True))
_PATTERNS = (
    (MAIL, re.compile(r"(?<![\w.+-])[\w.+-]++(?: @ |@ ?)[\w-]++(?>(?: ?\.[\w-]++)+)")),
    (
        MAIL,
        re.compile(
            r"(?<![\w.+-])[\w.+-]++ (?:at|arroba) [\w-]++ (?:dot|punto) (?:com|org|net|edu|mx|us)\b", re.IGNORECASE
        ),
    ),
    (
        LINK,
        re.compile(
            r"\bhttps?://\S++|\bwww\.\S++|(?<![\w.-])[\w-]++\.(?:com|org|net|edu)(?>(?:/\S*+)?)(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (HANDLE, re.compile(r"(?<![\w@])@ ?\w++(?>(?:\.\w++)*)")),
    (
        HANDLE,
        re.compile(
            rf"\b(?:{_DEVICES})(?>(?: (?:name|is|es|de|account|cuenta|handle))*)(?: ?:)? ['\"]?"
            r"(?P<it>\w{0,60}[_\d.][\w.]*+)",
            re.IGNORECASE,
        ),
    ),
    (
        HANDLE,
        re.compile(
            r"(?<![\w.])(?=\w{0,40}[_\d])(?=\w{0,40}[^\W\d_]{3})[^\W\d_]\w*_\w*+|(?<![\w.])[^\W\d_]{3,30}\d{2,8}(?!\w)"
        ),
    ),
    (PHONE, re.compile(r"(?<!\w)\+?\(?\d(?:[\s().-]{0,3}\d){6,14}(?!\w)")),
    (
        ADDRESS,
        re.compile(
            rf"(?<!\w)\d{{1,6}}[a-z]? (?:(?:n|s|e|w|north|south|east|west)\.? )?"
            rf"(?:[^\W_]{{1,30}}[ -]){{1,4}}(?:{_STREETS})\b\.?"
            r"(?:,? (?:apt|apartment|unit|suite|#)\.? ?#?\w{1,6}\b)?",
            re.IGNORECASE,
        ),
    ),
    (
        ADDRESS,
        re.compile(
            rf"\b(?:{_CALLES})\.? (?:(?:de|del|la|las|los|el|san|santa) ){{0,2}}(?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]{{1,30}}"
            r"(?:(?: (?:de|del|la|las|los|y))* (?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]{1,30}){0,3}"
            r"(?:,? ?(?:#|no\.?|núm\.?|número)? ?\d{1,6}\b)?",
            re.IGNORECASE,
        ),
    ),
    (
        ADDRESS,
        re.compile(
            rf"\b(?:{_CALLES})\.? (?:[^\W\d_]{{1,30}} ){{1,4}}(?:#|no\.?|núm\.?|número)? ?\d{{1,6}}\b",
            re.IGNORECASE,
        ),
    ),
)


def without_contacts(text: str) -> str:
    """Return the text with a word in brackets for each way to reach a person."""
    for mask, pattern in _PATTERNS:
        text = pattern.sub(partial(_masked, mask), text)
    return text


def _masked(mask: str, found: re.Match[str]) -> str:
    """Return the mask for the group "it" if the pattern has one, else for the whole match."""
    if "it" not in found.re.groupindex:
        return mask
    return found[0][: found.start("it") - found.start()] + mask
