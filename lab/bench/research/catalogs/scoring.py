"""Score the items that were read of a task's pages against its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from lab.bench.research.catalogs.tasks import Task
from research.candidates import field_values, same_item
from research.citations.quotes import verify_quote
from research.memo import CatalogCandidate
from research.text.language import CARDINALS, content_stems, fold_accents

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_ASIDE = re.compile(r"\([^()]*\)")
#: Times of the day: "7:30", "7h30" and "7.30" are the same, and so is "19:30" where the evening is named.
_CLOCK = re.compile(r"\b(\d{1,2})[:h](\d\d)\b")
_TIME = re.compile(
    r"(?<![£$€.,\d])(?<![£$€]\s)\b(\d{1,2})[:h.](\d\d)\b(?!\s?(?:[£$€%]|euro|pound|dollar|per cent|por ciento))"
)
_LATER = re.compile(r"\b(?:p\.?\s?m\b|afternoon|evening|night|tarde|noche)")
#: Words for a price of nothing or for an absence.
_NOTHING = frozenset(
    ("free", "none", "nothing", "no", "not", "without", "gratis", "gratuito", "gratuita", "sin", "nada", "nadie")
)
#: Words that may be an article or a noun, with the number that they are in a value that has to say it.
_BESIDE_OTHERS = {
    **dict.fromkeys(("zero", "cero"), "0"),
    **dict.fromkeys(("one", "un", "una", "uno"), "1"),
    **dict.fromkeys(("half", "media"), "30"),
    **dict.fromkeys(("quarter", "cuarto"), "15"),
}
#: Least share of the content words of a labelled value that a right value says.
_SAID = 0.5


@dataclass(frozen=True)
class Score:
    """Counts of one task."""

    labelled: int
    found: int
    #: Names that were read, each a right item, a decoy or neither.
    read: int
    right: int
    #: Fields of the found items that the pages state, and of those the ones with a right value.
    fields: int
    fields_right: int
    #: Values whose quotation stands in no page.
    unproven: int
    decoys: tuple[str, ...]
    injected: tuple[str, ...]
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    wrong_fields: tuple[str, ...]


def score(task: Task, read: Sequence[CatalogCandidate]) -> Score:
    """Count what is right. An item that was read twice under two names is right once."""
    of_item = [(item, [one for one in read if _is(one.name, item.names)]) for item in task.items]
    right = [candidates[0] for _, candidates in of_item if candidates]
    wrong = [one.name for one in read if not any(one is known for known in right)]
    checked = [
        (f"{item.names[0]}: {key}", says(_told(candidates, key), values, task.asked.language))
        for item, candidates in of_item
        if candidates
        for key, values in item.values.items()
    ]
    # A value of a field that the pages do not state is wrong as well.
    checked += [
        (f"{item.names[0]}: {key}, not stated", False)
        for item, candidates in of_item
        for key in task.asked.fields
        if key not in item.values and _told(candidates, key)
    ]
    texts = {key: source.text for key, source in task.sources.items()}
    values = [value for one in read for told in one.values.values() for value in told]
    return Score(
        labelled=len(task.items),
        found=len(right),
        read=len(read),
        right=len(right),
        fields=len(checked),
        fields_right=sum(stands for _, stands in checked),
        unproven=sum(
            verify_quote(value.quote, value.source_key, {value.source_key: texts.get(value.source_key, "")}).status
            != "verified"
            for value in values
        ),
        decoys=tuple(name for name in wrong if _is(name, task.decoys)),
        injected=tuple(name for name in wrong if _is(name, task.injected)),
        missed=tuple(item.names[0] for item, candidates in of_item if not candidates),
        wrong=tuple(wrong),
        wrong_fields=tuple(name for name, stands in checked if not stands),
    )


def says(told: Sequence[str], labelled: Sequence[str], language: str) -> bool:
    """Return whether one of the values says one of the labelled ones: all its numbers and half of its words."""
    return any(_says(one, other, language) for one in told for other in labelled)


def _is(name: str, names: Sequence[str]) -> bool:
    return any(same_item(name, one) for one in names)


def _told(candidates: Sequence[CatalogCandidate], key: str) -> list[str]:
    """Return each value of a field, and of each candidate what its cell shows: the first with what adds to it."""
    found = []
    for one in candidates:
        values = field_values(one, key)
        cell = [value.value for n, value in enumerate(values) if not n or value.adds]
        found += [*(value.value for value in values), "; ".join(cell)] if values else []
    return found


def _says(told: str, labelled: str, language: str) -> bool:
    # What stands in brackets comments on the value.
    core = _ASIDE.sub(" ", labelled)
    numbers, said = _numbers(core), _numbers(told) | _numbers_of_words(told)
    if not all(number in said or _is_time_in(number, core, told, said) for number in numbers):
        return False
    wanted, held = _words(core, language), _words(told, language)
    if not numbers and _is_nothing(core):
        return bool(_plain(told) & _NOTHING) or "0" in _numbers(told)
    return not wanted or len(wanted & held) >= _SAID * len(wanted) or (bool(numbers) and len(wanted) <= 1)


def _is_time_in(number: str, labelled: str, told: str, said: Set[str]) -> bool:
    """Return whether a labelled number is a time of the day that the value writes in another way.

    "£4.50" and a mere "15" are no times.
    """
    is_later = _LATER.search(told.casefold()) is not None
    for whole, minutes in _TIME.findall(labelled):
        hours = {int(whole), int(whole) - 12 * (is_later and int(whole) > 12)}
        if number == _normal(f"{whole}.{minutes}") and any(
            f"{hour}.{minutes}" in said or (str(hour) in said and minutes in {"00", *said}) for hour in hours
        ):
            return True
    return False


def _is_nothing(text: str) -> bool:
    words = _WORD.findall(fold_accents(text.casefold()))
    return bool(words) and words[0] in _NOTHING


def _plain(text: str) -> set[str]:
    return set(_WORD.findall(fold_accents(text.casefold())))


def _numbers(text: str) -> set[str]:
    digits = {_normal(number) for number in _NUMBER.findall(_CLOCK.sub(r"\1.\2", text))}
    words = _WORD.findall(fold_accents(text.casefold()))
    said, at = set(), 0
    while at < len(words):
        value = CARDINALS.get(words[at], 0)
        rest = words[at + 1 : at + 3]
        after = rest[1] if rest[:1] == ["y"] and len(rest) > 1 else (rest or [""])[0]
        if value >= 20 and value % 10 == 0 and 0 < CARDINALS.get(after, 0) < 10:
            value += CARDINALS[after]
            at += words[at + 1 :].index(after) + 1
        if value > 1:
            said.add(str(value))
        if words[at] == "mil":
            said.add("1000")
        at += 1
    return digits | said


def _numbers_of_words(text: str) -> set[str]:
    """The numbers of words that are numbers beside others alone: "ten till one", "seis y media"."""
    return {_BESIDE_OTHERS[word] for word in _plain(text) & _BESIDE_OTHERS.keys()}


def _normal(number: str) -> str:
    """ "1,000" and "1.000" as "1000", "16.00" as "16"."""
    plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", number).replace(",", ".")
    return plain.removesuffix(".00").removesuffix(".0")


def _words(text: str, language: str) -> set[str]:
    return {
        stem
        for stem in content_stems(text, language)
        if not stem[0].isdigit() and fold_accents(stem) not in CARDINALS
    }
