"""How many items a request asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.request.asked import ask_of, opens_narrative
from research.request.items import counts_items, counts_time, is_name, noun_phrase, ranked_behind
from research.request.lead import Lead, lead_of
from research.request.numerals import Count, count_at
from research.request.tokens import Clause, clauses_of
from research.request.words import AUXILIARIES, MERELY_MAIN, RELATIVES, SEQUENCE, SOURCE_NOUNS, is_ranking

#: "five (5) vendors".
_REPEATED = re.compile(r"(?<=\w)\s*\((\d{1,4})\)(?=\s+\w)")


_WHAT_IS = (["what", "is"], ["cual", "es"], ["¿", "cual", "es"])


def requested_count(query: str) -> int | None:
    """The number that is bound to what is asked for; None where the request counts nothing."""
    return next((count.value for count in requested_counts(query).values()), None)


def requested_counts(query: str) -> dict[int, Count]:
    """The first such number of each clause, by the clause's place."""
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
    lead = lead_of(clause.words[: count.start])
    ranked = lead.ranking or ranked_behind(clause.tokens, count)
    timed = counts_time(clause.tokens, count)
    lead.sequence = lead.sequence or bool(SEQUENCE & set(noun_phrase(clause.tokens, count)))
    ask = ask_of(lead.rest) or ("which" if ranked and lead.rest in _WHAT_IS else "")
    if ask:
        return _fits(ask, lead, clause, count, ranked=ranked, timed=timed)
    if timed and (lead.sequence or not ranked):
        return False
    if lead.rest and lead.rest[-1] == ",":
        return (ranked or lead.limited) and not opens_narrative(clause.words)
    return not lead.rest and _stands_alone(clause, count, lead, ranked=ranked, told=told)


def _fits(ask: str, lead: Lead, clause: Clause, count: Count, *, ranked: bool, timed: bool) -> bool:
    """Whether what an asking verb is followed by is a number of things."""
    behind = clause.words[count.end : count.end + 3]
    if timed and (
        ask == "want" or lead.sequence or not (ranked or "in" in behind or "en" in behind or ask == "which")
    ):
        return False
    if SOURCE_NOUNS & set(behind) and lead.rest[-1] in {"cite", "include", "cita", "incluye"}:
        return False
    # "Explain the three branches": a subject, not a number of things to find.
    return ask != "explain" or not lead.article or _picked(lead, clause, count)


def _picked(lead: Lead, clause: Clause, count: Count) -> bool:
    """Whether the best or largest of many are meant: "main" and "key" only make a subject of them."""
    behind = noun_phrase(clause.tokens, count)
    return lead.ranking or any(is_ranking(word) and word not in MERELY_MAIN for word in behind)


def _stands_alone(clause: Clause, count: Count, lead: Lead, *, ranked: bool, told: bool) -> bool:
    """Whether a clause that begins with the number is a heading of things: "11 podcasts about law"."""
    if clause.end == "?" or _asserts(clause.words[count.end :]):
        return False
    if lead.holder == "list" or ranked:
        return True
    if lead.holder or is_name(clause.tokens, count):
        return False
    if lead.limited:
        return True
    return bool(noun_phrase(clause.tokens, count)) and not lead.article and not told and count.value > 1


def _asserts(words: Sequence[str]) -> bool:
    """Whether a finite verb follows outside a relative clause."""
    return any(
        word in AUXILIARIES and not set(words[max(0, at - 2) : at]) & RELATIVES for at, word in enumerate(words)
    )
