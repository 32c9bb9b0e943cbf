"""Read the values of requested fields from cells and sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from research.questions.field_names import field_words
from research.readers.protocol import Value
from research.readers.rules.blocks import Part
from research.readers.rules.vocabulary import NUMBERS, FieldKind, field_kinds, folded, pattern, words
from research.text import content_stems

#: Cells that say that nothing is known.
_EMPTY = re.compile(r"[\s–—?./-]*|(?:see|ver) .{1,20}", re.IGNORECASE)
_CLAUSE = re.compile(
    r"[;:—]|,(?= (?:and|but|though|although|so|y|pero|aunque|porque|because|which|que)\b)|\.(?= )|[()]"
)
_UNIT = re.compile(rf"(?:\s?/\s?|\s)\w+(?: {NUMBERS})?(?: [\w-]+)?")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_LONGEST = 160
#: Kinds of which the statement alone is the value, not its clause.
_CUT_OUT = ("money", "address")

#: By field, its values with the part that states each.
Values = dict[str, list[tuple[str, Part]]]


def fields_told(name: str, parts: Sequence[Part], wanted: Sequence[str]) -> Values:
    """Return for each wanted field of a named thing its values, each with the part that states it.

    Labelled parts come before sentences.
    """
    labelled = {part.label: field for part in parts if (field := _field_of(part.label, tuple(wanted)))}
    found: Values = {}
    for part in parts:
        if part.label in labelled and tells(part.text):
            found.setdefault(labelled[part.label], []).append((_short(part.text), part))
    for field in wanted:
        if field not in labelled.values():
            told = [(_told(part, field, name), part) for part in parts if part.label not in labelled]
            found |= {field: kept} if (kept := [pair for pair in told if pair[0]]) else {}
    return found


def stated(sentence: str, field: str, name: str = "") -> str:
    """Return what a sentence states of a field, "" if it does not; a clause, of money the amount alone.

    The name of what it tells of states nothing: "Science Saturdays" gives no day.
    """
    kind = _kind_of(field_words(field))[1]
    plain = folded(sentence)
    if name:
        plain = plain.replace(folded(name), "_" * len(name))
    matches = list(kind.stated.finditer(plain)) if kind else []
    if kind is None or not matches:
        return ""
    if kind.name in _CUT_OUT:
        matches = [match for match in matches if not _tells_of_a_noun(match, plain)] or matches
        return "; ".join(dict.fromkeys(_amount(sentence, plain, match) for match in matches[:3]))
    start = max((cut.end() for cut in _CLAUSE.finditer(plain, 0, matches[0].start())), default=0)
    cut_off = _CLAUSE.search(plain, matches[-1].end())
    return _short(sentence[start : cut_off.start() if cut_off else len(sentence)])


def tells(cell: str) -> bool:
    """Return whether a cell tells something."""
    return not _EMPTY.fullmatch(cell) and not pattern("unknown").search(folded(cell))


def _told(part: Part, field: str, name: str) -> str:
    """Return what a part states of a field, its label read as a unit: "64" below "beds"."""
    said = stated(part.text, field, name)
    return said or (_short(part.text) if part.label and stated(f"{part.text} {part.label}", field) else "")


def is_label(words: str) -> bool:
    """Return whether most of the words name a field: "Opening hours", "CUÁNTO CUESTA"."""
    return 2 * _kind_of(words)[0] > len(words.split())


def says_value(value: Value) -> bool:
    """Return whether every number and word of the value stands in its quotation."""
    told, quoted = (set(_WORD.findall(folded(text))) for text in (value.value, value.quote))
    return bool(told) and told <= quoted


@cache
def _kind_of(label: str) -> tuple[int, FieldKind | None]:
    """Return the kind that most words of a label name, with their number; 0 and None if they name none."""
    plain = folded(label)
    scored = [(sum(len(one[0].split()) for one in kind.labels.finditer(plain)), kind) for kind in field_kinds()]
    most, kind = max(scored, key=lambda pair: pair[0])
    return most, kind if most else None


@cache
def _field_of(label: str, wanted: tuple[str, ...]) -> str:
    """Return the wanted field that a label names, "" if none; a field may have several labels."""
    kind = _kind_of(label)[1]
    for is_named in (
        lambda field: bool(_stems(label) & _stems(field_words(field))),
        lambda field: kind is not None and kind is _kind_of(field_words(field))[1],
    ):
        if found := next(filter(is_named, wanted if label else ()), ""):
            return found
    return ""


@cache
def _stems(label: str) -> frozenset[str]:
    return frozenset({*content_stems(label, "en"), *content_stems(label, "es")})


def _amount(sentence: str, plain: str, match: re.Match[str]) -> str:
    """Return an amount with its unit: "nine pounds a year"."""
    end = match.end()
    unit = _UNIT.match(plain, end)
    if unit and (unit[0].startswith("/") or pattern("per").match(plain, end + 1)):
        end = unit.end()
    return sentence[match.start() : end].strip()


def _tells_of_a_noun(match: re.Match[str], plain: str) -> bool:
    """Return whether a sign of a price says that something beside it is free: "half if most get free meals"."""
    behind = _WORD.match(plain, match.end() + 1) if plain.startswith(" ", match.end()) else None
    return match[0] in words("before_nouns") and behind is not None and behind[0] not in words("behind_signs")


def _short(text: str) -> str:
    told = " ".join(text.split()).strip(" .,;:–—-")
    return told if len(told) <= _LONGEST else told[:_LONGEST].rsplit(" ", 1)[0] + "…"
