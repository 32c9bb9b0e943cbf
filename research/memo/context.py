"""Render a memo as text for a planner, within a limit of tokens, and texts on one line within a limit of bytes.

Gaps and claims come first and are shortened rather than omitted: from 400 tokens on, the five most urgent gaps and
all claims keep their id and beginning. Of the other parts as many lines are shown as fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.tokens import BYTES_PER_TOKEN
from research.memo.gap_messages import gap_in_english
from research.memo.types import CatalogMemo, FieldStatus, GapState, ResearchMemo

#: Bytes that are left for each line that must still come, and most bytes of one line.
_ROOM_OF_A_LINE, _LONGEST = 150, 700
#: Most gaps, claims, and lines of another part.
_GAPS, _CLAIMS, _OTHERS = 10, 3, 50
#: Takes three bytes in UTF-8.
_ELLIPSIS = "…"
#: Control and format characters, separators and white space.
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def memo_to_planner_context(memo: ResearchMemo, max_tokens: int = 2000) -> str:
    """Return the memo as text of at most `max_tokens` tokens (bytes of UTF-8 / 3, rounded up).

    Raises ValueError if `max_tokens` is not positive.
    """
    if max_tokens < 1:
        raise ValueError(f"A planner needs some tokens of memo, not {max_tokens}.")
    bound = max_tokens * BYTES_PER_TOKEN
    waiting = sorted((gap for gap in memo.gaps if gap.state == GapState.OPEN), key=lambda gap: gap.priority)
    gaps = (
        f"- [{gap.priority}] {gap.id} {gap_in_english(gap)}"
        + (f" | search: {gap.suggested_query}" if gap.suggested_query else "")
        for gap in waiting
    )
    claims = (
        f"- {one.claim_id}: {one.claim_text} | from: {one.source_domain or one.source_url} | "
        f"search: {one.verification_query}"
        for one in memo.claims_to_verify
    )
    shown = _fitted(
        [
            *_lines(_head(memo)),
            *_part("## Gaps to fill, most urgent first", "gaps", _lines(gaps), _GAPS),
            *_part("## Claims to verify on other domains", "claims", _lines(claims), _CLAIMS),
        ],
        bound,
    )
    for title, noun, told in (
        ("## Candidates", "candidates", _candidates(memo)),
        ("## Domains already used", "domains", (f"- {source.domain}" for source in memo.sources_summary)),
        ("## What is known", "lines", _known(memo)),
    ):
        lines = _lines(told)
        parts = (_part(title, noun, lines, most) for most in range(min(len(lines), _OTHERS), 0, -1))
        shown += next((part for part in parts if size("\n".join([*shown, *part])) <= bound), [])
    return "\n".join(shown)


def one_line(text: str) -> str:
    """Return the text on one line, without control characters and lone surrogates."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    return _BLANK.sub(" ", readable).strip()


def size(text: str) -> int:
    """Return the length in bytes of UTF-8."""
    return len(text.encode("utf-8"))


def shortened(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis to at most `limit` bytes; "" if not even the ellipsis fits."""
    if size(text) <= limit:
        return text
    if limit < size(_ELLIPSIS):
        return ""
    kept = text.encode("utf-8")[: limit - size(_ELLIPSIS)].decode("utf-8", "ignore")
    return kept.rstrip() + _ELLIPSIS


def _lines(texts: Iterable[str]) -> list[str]:
    """Return each text once, on one line that is not too long."""
    return list(dict.fromkeys(shortened(one_line(text), _LONGEST) for text in texts))


def _part(title: str, noun: str, lines: Sequence[str], most: int) -> list[str]:
    """Return the title, at most so many lines, and the number of those left out; nothing without lines."""
    left_out = [f"… {len(lines) - most} more {noun} left out"] if len(lines) > most else []
    return [title, *lines[:most], *left_out] if lines else []


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines in order, each shortened so that later ones fit; those without room are dropped."""
    kept: list[str] = []
    for after, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
        limit = max(room - after * _ROOM_OF_A_LINE, room // (after + 1)) - 1
        if cut := shortened(line, limit):
            kept.append(cut)
            room -= size(cut) + 1
    return kept


def _head(memo: ResearchMemo) -> Iterator[str]:
    yield (
        f"## Memo of round {memo.round_index} ({memo.report_type}): tasks {memo.tasks_completed} done, "
        f"{memo.tasks_failed} failed, {memo.tasks_remaining} left; read {memo.unique_citations} sources of "
        f"{memo.unique_domains} domains"
    )
    covered, not_found = "; ".join(memo.themes_covered), "; ".join(memo.not_found)
    told = (("Query", memo.query), ("Covered", covered), ("Not found", not_found))
    yield from (f"{name}: {text}" for name, text in told if text)


def _candidates(memo: ResearchMemo) -> Iterator[str]:
    for candidate in memo.candidates if isinstance(memo, CatalogMemo) else ():
        told = [f"{how} {field}" for field, how in candidate.fields.items() if how != FieldStatus.FOUND]
        yield f"- {candidate.name}: {', '.join(told) or 'complete'}"


def _known(memo: ResearchMemo) -> Iterator[str]:
    for question in dict.fromkeys(finding.question for finding in memo.findings):
        yield f"On: {question}"
        yield from (f"- {one.text} ({one.title})" for one in memo.findings if one.question == question)
