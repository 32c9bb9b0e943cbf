"""Find how many items a request asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.questions.asked import ask_of, opens_narrative
from research.questions.embedded import asks_for_me
from research.questions.items import counts_items, counts_time, is_name, noun_phrase, ranked_behind
from research.questions.lead import Lead, lead_of
from research.questions.numerals import Count, count_at
from research.questions.tokens import Clause, clauses_of
from research.questions.words import (
    AUXILIARIES,
    FRAMING,
    JUDGING,
    MERELY_MAIN,
    RELATIVES,
    REQUIRED,
    SEQUENCE,
    SOURCE_NOUNS,
    is_ranking,
)

#: "five (5) vendors".
_REPEATED = re.compile(r"(?<=\w)\s*\((\d{1,4})\)(?=\s+\w)")


_OF_THEM = (["of", "them"], ["of", "these"], ["of", "those"], ["de", "ellos"], ["de", "ellas"])
_WHAT_IS = (["what", "is"], ["cual", "es"], ["¿", "cual", "es"])


def requested_count(query: str) -> int | None:
    """Return the number of items requested, or None if the request gives none."""
    return next((count.value for count in requested_counts(query).values()), None)


def requested_counts(query: str) -> dict[int, Count]:
    """Return the first number of requested items in each clause, by index of the clause."""
    clauses = clauses_of(_REPEATED.sub(r" \1", query))
    told = any(clause.end == "?" or opens_narrative(clause.words) for clause in clauses)
    found = {at: _count_in(clause, told) for at, clause in enumerate(clauses)}
    return {at: count for at, count in found.items() if count}


def _count_in(clause: Clause, told: bool) -> Count | None:
    at = 0
    while at < len(clause.tokens):
        count = count_at(clause.tokens, at)
        if count and counts_items(clause.tokens, count) and _asked(clause, count, told):
            return count
        at = count.end if count else at + 1
    return None


def _asked(clause: Clause, count: Count, told: bool) -> bool:
    lead = lead_of(_before(clause, count))
    ranked = lead.ranking or ranked_behind(clause.tokens, count)
    timed = counts_time(clause.tokens, count)
    lead.sequence = lead.sequence or bool(SEQUENCE & set(noun_phrase(clause.tokens, count)))
    ask = ask_of(lead.rest) or ("list" if lead.to_me and asks_for_me(lead.rest) else "")
    ask = ask or ("which" if ranked and lead.rest in _WHAT_IS else "")
    if ask:
        return _fits(ask, lead, clause, count, ranked=ranked, timed=timed)
    if timed and (lead.sequence or not ranked):
        return False
    if lead.rest and lead.rest[-1] == ",":
        if lead.rest[0] in FRAMING:
            lead.rest = []
            return _stands_alone(clause, count, lead, ranked=ranked, told=told)
        return (ranked or lead.limited) and not opens_narrative(clause.words)
    return not lead.rest and _stands_alone(clause, count, lead, ranked=ranked, told=told)


def _before(clause: Clause, count: Count) -> list[str]:
    """Return the words before a number, without the "from" of a range: "from 5 to 7"."""
    words = clause.words[: count.start]
    ranges = count.end - count.start > 2 and clause.words[count.start + 1] in {"to", "a"}
    while ranges and words and words[-1] in {"from", "anywhere", "somewhere", "de", "desde"}:
        words = words[:-1]
    return words


def _fits(ask: str, lead: Lead, clause: Clause, count: Count, *, ranked: bool, timed: bool) -> bool:
    """Return whether the count after an asking verb is a number of requested things."""
    behind = clause.words[count.end : count.end + 3]
    if clause.end == "?" and lead.rest[-2:-1] == ["se"]:
        return False
    if timed and (
        ask == "want" or lead.sequence or not (ranked or "in" in behind or "en" in behind or ask == "which")
    ):
        return False
    if SOURCE_NOUNS & set(behind) and lead.rest[-1] in {"cite", "include", "cita", "incluye"}:
        return False
    # "Explain the three branches" names a subject, not a number of things to find.
    return ask != "explain" or not lead.article or _picked(lead, clause, count)


def _picked(lead: Lead, clause: Clause, count: Count) -> bool:
    """Return whether a superlative selects from many; "main" and "key" do not."""
    behind = noun_phrase(clause.tokens, count)
    return lead.ranking or any(is_ranking(word) and word not in MERELY_MAIN for word in behind)


def _stands_alone(clause: Clause, count: Count, lead: Lead, *, ranked: bool, told: bool) -> bool:
    """Return whether a clause that begins with the number is a heading of items: "11 podcasts about law"."""
    behind = clause.words[count.end :]
    if behind[-1:] and behind[-1] in REQUIRED:
        return lead.holder != "detail"
    if _asserts(behind) or (clause.end == "?" and not _asks_briefly(behind, count, ranked=ranked)):
        return False
    if lead.holder == "list" or ranked:
        return True
    if lead.holder or is_name(clause.tokens, count):
        return False
    if lead.limited:
        return True
    named = (noun_phrase(clause.tokens, count) and behind[0] != ",") or behind[:2] in _OF_THEM
    told = told and clause.end != "?"
    return bool(named) and not lead.article and not told and count.value > 1


def _asks_briefly(behind: Sequence[str], count: Count, *, ranked: bool) -> bool:
    """Return whether a verbless question asks for things.

    "Five laureates born in Hungary?" does; "4 cups too many?" does not.
    """
    rest = behind[len(behind) and is_ranking(behind[0]) :]
    return (ranked or count.value > 1) and not JUDGING & set(rest)


def _asserts(words: Sequence[str]) -> bool:
    """Return whether the words contain a finite verb outside a relative clause."""
    return any(
        word in AUXILIARIES and not set(words[max(0, at - 2) : at]) & RELATIVES for at, word in enumerate(words)
    )
