"""Render a memo as text for a planner, within a limit of tokens, and texts on one line within a limit of bytes.

Gaps and claims come first, in room of their own, in which they are shortened rather than omitted: from 400 tokens
on, the five most urgent gaps and all claims keep their id and beginning. Other parts are shown as far as they fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.tokens import BYTES_PER_TOKEN
from research.memo.gap_messages import gap_in_english
from research.memo.types import CatalogCandidate, CatalogMemo, Claim, FieldStatus, Gap, GapState, ResearchMemo

#: Bytes that a line should have before another is added, and most bytes of one text and of a name in a line.
_ROOM_OF_A_LINE, _LONGEST, _LONGEST_NAME = 150, 700, 90
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
    waiting = {(gap.id, gap_in_english(gap)): gap for gap in memo.gaps if gap.state == GapState.OPEN}
    gaps = [_gap_line(gap) for gap in sorted(waiting.values(), key=lambda gap: gap.priority)]
    claims = [_claim_line(claim) for claim in memo.claims_to_verify]
    candidates = [_candidate_line(one) for one in memo.candidates] if isinstance(memo, CatalogMemo) else []
    domains = dict.fromkeys(f"- {_name(source.domain)}" for source in memo.sources_summary)
    # The lines of each part, how many are shown at any limit and at most, and the part's share of the whole.
    parts = (
        ("## Gaps to fill, most urgent first", "gaps", gaps, 5, 10, 1 / 2),
        ("## Claims to verify on other domains", "claims", claims, 3, 3, 1 / 4),
        ("## Candidates", "candidates", candidates, 0, len(candidates), 2 / 5),
        ("## Domains already used", "domains", list(domains), 0, len(domains), 1 / 12),
        ("## What is known", "lines", list(_known(memo)), 0, bound, 1),
    )
    shown = _fitted(_head(memo), bound // 8)
    for title, noun, lines, least, most, share in parts:
        room = max(min(int(bound * share), bound - sum(size(line) + 1 for line in shown)), 0)
        told = lines[: min(most, max(least, room // _ROOM_OF_A_LINE))]
        left_out = [f"… {len(lines) - len(told)} more {noun} left out"] if len(told) < len(lines) else []
        around = sum(size(line) + 1 for line in (title, *left_out))
        if kept := _fitted(told, room - around):
            shown += [title, *kept, *left_out]
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


def _fitted(lines: Sequence[str], room: int) -> list[str]:
    """Return the lines in order, each shortened so that later ones fit; those without room are dropped."""
    kept: list[str] = []
    for after, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
        limit = max(room - after * _ROOM_OF_A_LINE, room // (after + 1)) - 1
        if cut := shortened(line, limit):
            kept.append(cut)
            room -= size(cut) + 1
    return kept


def _head(memo: ResearchMemo) -> list[str]:
    failed = f", {memo.tasks_failed} failed" if memo.tasks_failed else ""
    first = (
        f"## Memo of round {memo.round_index} ({memo.report_type}): tasks {memo.tasks_completed} done{failed}, "
        f"{memo.tasks_remaining} left; read {memo.unique_citations} sources of {memo.unique_domains} domains"
    )
    covered, not_found = "; ".join(memo.themes_covered), "; ".join(memo.not_found)
    told = (("Query", memo.query), ("Covered", covered), ("Not found", not_found))
    return [first, *(f"{name}: {_text(text)}" for name, text in told if text)]


def _gap_line(gap: Gap) -> str:
    label = f"[{gap.priority}] {one_line(gap.id)}".strip()
    query = f" | search: {_text(gap.suggested_query)}" if gap.suggested_query else ""
    return f"- {label} {_text(gap_in_english(gap))}{query}"


def _claim_line(claim: Claim) -> str:
    label = f"{one_line(claim.claim_id)}: " if claim.claim_id else ""
    origin = _name(claim.source_domain or claim.source_url)
    return f"- {label}{_text(claim.claim_text)} | from: {origin} | search: {_text(claim.verification_query)}"


def _candidate_line(candidate: CatalogCandidate) -> str:
    told = [
        f"{said} " + ", ".join(one_line(name) for name, status in candidate.fields.items() if status == wanted)
        for said, wanted in (("missing", FieldStatus.MISSING), ("weak", FieldStatus.PARTIAL))
        if wanted in candidate.fields.values()
    ]
    return f"- {_name(candidate.name)}: {_text('; '.join(told) or 'complete')}"


def _known(memo: ResearchMemo) -> Iterator[str]:
    for question in dict.fromkeys(finding.question for finding in memo.findings):
        yield f"On: {_text(question)}"
        yield from (
            f"- {_text(one.text)} ({_name(one.title)})" for one in memo.findings if one.question == question
        )


def _text(text: str) -> str:
    return shortened(one_line(text), _LONGEST)


def _name(text: str) -> str:
    return shortened(one_line(text), _LONGEST_NAME)
