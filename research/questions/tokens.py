"""Split a request into clauses of words, numbers and punctuation marks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_TOKEN = re.compile(
    r"[#$€£¥]?\d[\w.,/%°+'’()–-]*(?::\d+)?"  # what begins with a digit
    r"|[^\W\d_][^\W_]*(?:[-'’/&][^\W_]+)*\+*#?"  # a word, with its hyphens and digits: "HL7"
    r"|(?<=\s)-+(?=\s)|[.?!;:,()\n—–…%$€£]"
)
_DASHED = re.compile(r"(?<![\w-])(\d{1,3})\s[-–]\s(?=\d{1,3}(?!\w))")
#: "5x", "x5".
_TIMES = re.compile(r"(?:(\d{1,3})[x×]|x(\d{1,3}))$", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d{1,3}(?:[.,]\d{3}){1,3}|\d{1,9})\+?$")
_RANGE = re.compile(r"(\d{1,4})[-–](\d{1,4})$")
#: A count joined to its noun: "a 10-item list".
_OF_ITEMS = re.compile(r"(\d+)-(item|row|place|point)$")
#: A longer clause is split, to bound the cost of a pasted text without punctuation.
_LONGEST_CLAUSE = 150
_ENDS = frozenset(".?!;:()\n—–…-")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark."""

    #: As written.
    text: str
    #: Lower case, without accents.
    word: str
    #: The value of a number in digits, of a range its upper end.
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Clause:
    """The tokens between two marks that end clauses."""

    tokens: tuple[Token, ...]
    #: The mark after it; "" at the end of the text.
    end: str = ""

    @property
    def words(self) -> list[str]:
        """The folded words, marks included."""
        return [token.word for token in self.tokens]


def fold(text: str) -> str:
    """Lower case without accents."""
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in split if not unicodedata.combining(char)).replace("’", "'")


def clauses_of(text: str) -> list[Clause]:
    """Split a request into clauses, omitting empty ones."""
    found: list[Clause] = []
    current: list[Token] = []
    for token in _tokens(_DASHED.sub(r"\1-", unicodedata.normalize("NFC", text))):
        if token.text[:1] in _ENDS:
            found += [Clause(tuple(current), token.text)] if current else []
            current = []
        elif len(current) == _LONGEST_CLAUSE:
            found.append(Clause(tuple(current)))
            current = [token]
        else:
            current.append(token)
    return [*found, Clause(tuple(current))] if current else found


def _tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        raw = match.group()
        if raw[0].isalpha() and raw.lower().startswith(("top-", "best-", "half-")):
            head, _, tail = raw.partition("-")
            found += [_token(head), _token(tail)]
        elif times := _TIMES.match(raw):
            found.append(Token(raw, fold(raw), int(times[1] or times[2])))
        elif of_items := _OF_ITEMS.match(raw):
            found += [_token(of_items[1]), _token(of_items[2] + "s")]
        else:
            found += _split_end(raw)
    return found


def _split_end(raw: str) -> list[Token]:
    """Split a number from the marks attached to its end."""
    if raw[-1] not in ".,)'’-–" or not any(char.isdigit() for char in raw):
        return [_token(raw)]
    core = raw.rstrip(".,)'’-–")
    if "(" in core and raw[len(core) :].startswith(")"):
        return [_token(core + ")"), *(_token(mark) for mark in raw[len(core) + 1 :])]
    return [_token(core), *(_token(mark) for mark in raw[len(core) :])]


def _token(raw: str) -> Token:
    return Token(raw, fold(raw), _value(raw))


def _value(raw: str) -> int | None:
    if not raw.isascii() and "–" not in raw:
        return None
    if between := _RANGE.match(raw):
        low, high = int(between[1]), int(between[2])
        return high if low < high < 1000 else None
    if not _NUMBER.match(raw):
        return None
    return int(re.sub(r"\D", "", raw)) if not _is_year(raw) else None


def _is_year(raw: str) -> bool:
    return len(raw) == 4 and raw.isdigit() and 1200 <= int(raw) <= 2100
