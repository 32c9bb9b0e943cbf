"""Render a memo as text for a planner, within a limit of tokens.

Gaps and claims have room of their own, in which they are shortened rather than omitted: from 400 tokens on, at
least the five gaps of highest priority (ten if there is room) and all three claims keep their id and beginning.
The other parts are shown as far as they fit. A line states how many items a part omits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.tokens import BYTES_PER_TOKEN
from research.memo.bounded_lines import one_line, shortened, size
from research.memo.gap_messages import gap_in_english
from research.memo.types import CatalogCandidate, CatalogMemo, Claim, FieldStatus, Gap, GapState, ResearchMemo

MAX_GAPS, MAX_CLAIMS = 10, 3
#: The first lines of a part are shortened after all others; so many gaps are shown at any limit.
_FIRST = 5
#: Bytes that a line should have before another is added.
_ROOM_OF_A_LINE = 100
#: Most bytes of one item, and of a name in it, even if there is more room.
_MAX_ITEM, _MAX_NAME = 700, 90


def memo_to_planner_context(memo: ResearchMemo, max_tokens: int = 2000) -> str:
    """Return the memo as text of at most `max_tokens` tokens (bytes of UTF-8 / 3, rounded up).

    Raises ValueError if `max_tokens` is not positive.
    """
    if max_tokens < 1:
        raise ValueError(f"A planner needs some tokens of memo, not {max_tokens}.")
    bound = max_tokens * BYTES_PER_TOKEN
    waiting = {(gap.id, gap_in_english(gap)): gap for gap in memo.gaps if gap.state == GapState.OPEN}
    gaps = [_gap_line(gap) for gap in sorted(waiting.values(), key=lambda gap: gap.priority)]
    most = min(MAX_GAPS, max(_FIRST, bound // 2 // _ROOM_OF_A_LINE))
    shown = _shortened_to(_head(memo), bound // 8)
    shown += _part("## Gaps to fill, most urgent first", gaps, most, "gaps", bound // 2)
    claims = [_claim_line(claim) for claim in memo.claims_to_verify]
    shown += _part("## Claims to verify on other domains", claims, MAX_CLAIMS, "claims", bound // 4)
    candidates = memo.candidates if isinstance(memo, CatalogMemo) else []
    used = dict.fromkeys(one_line(source.domain) for source in memo.sources_summary)
    domains = [f"- {shortened(domain, _MAX_NAME)}" for domain in used if domain]
    others = (
        ("## Candidates", [_candidate_line(one) for one in candidates], "candidates", bound * 2 // 5),
        (
            "## Domains already used",
            domains,
            "domains",
            bound // 12,
        ),
        ("## What is known", list(_known(memo)), "lines", bound),
    )
    for title, lines, noun, share in others:
        room = max(min(share, bound - _room(shown)), 0)
        shown += _part(title, lines, room // _ROOM_OF_A_LINE, noun, room)
    return "\n".join(shown)


def _part(title: str, lines: Sequence[str], most: int, noun: str, room: int) -> list[str]:
    """Return the first `most` lines under a title, all of them shortened to the room, and the number of others."""
    mark = [f"… {len(lines) - most} more {noun} left out"] if len(lines) > most else []
    first, later = lines[:most][:_FIRST], lines[_FIRST:most]
    left = room - _room([title, *mark])
    told = _shortened_to(first, left - sum(min(size(line) + 1, _ROOM_OF_A_LINE) for line in later))
    told += _shortened_to(later, left - _room(told))
    return [title, *told, *mark] if told else []


def _room(lines: Sequence[str]) -> int:
    """Return the bytes of the lines with their line ends."""
    return sum(size(line) + 1 for line in lines)


def _shortened_to(lines: Sequence[str], room: int) -> list[str]:
    """Shorten the longest lines until all fit with their line ends; lines without any room are dropped."""
    limit, left = 0, room - len(lines)
    for place, wanted in enumerate(sorted(map(size, lines))):
        limit = max(left, 0) // (len(lines) - place)
        if wanted > limit:
            break
        left -= wanted
    return [cut for line in lines if (cut := shortened(line, limit))]


def _head(memo: ResearchMemo) -> list[str]:
    failed = f", {memo.tasks_failed} failed" if memo.tasks_failed else ""
    first = (
        f"## Memo of round {memo.round_index} ({memo.report_type}): tasks {memo.tasks_completed} done{failed}, "
        f"{memo.tasks_remaining} left; read {memo.unique_citations} sources of {memo.unique_domains} domains"
    )
    covered, not_found = "; ".join(memo.themes_covered), "; ".join(memo.not_found)
    told = (("Query", memo.query), ("Covered", covered), ("Not found", not_found))
    return [first, *(f"{name}: {_item(text)}" for name, text in told if text)]


def _gap_line(gap: Gap) -> str:
    label = f"[{gap.priority}]" + (f" {one_line(gap.id)}" if gap.id else "")
    query = f" | search: {_item(gap.suggested_query)}" if gap.suggested_query else ""
    return f"- {label} {_item(gap_in_english(gap))}{query}"


def _claim_line(claim: Claim) -> str:
    label = f"{one_line(claim.claim_id)}: " if claim.claim_id else ""
    origin = shortened(one_line(claim.source_domain or claim.source_url), _MAX_NAME)
    return f"- {label}{_item(claim.claim_text)} | from: {origin} | search: {_item(claim.verification_query)}"


def _candidate_line(candidate: CatalogCandidate) -> str:
    of_status = {
        said: ", ".join(one_line(name) for name, status in candidate.fields.items() if status == wanted)
        for said, wanted in (("missing", FieldStatus.MISSING), ("weak", FieldStatus.PARTIAL))
    }
    told = "; ".join(f"{said} {names}" for said, names in of_status.items() if names)
    return f"- {shortened(one_line(candidate.name), _MAX_NAME)}: {_item(told or 'complete')}"


def _known(memo: ResearchMemo) -> Iterator[str]:
    for question in dict.fromkeys(finding.question for finding in memo.findings):
        yield f"On: {_item(question)}"
        for one in memo.findings:
            if one.question == question:
                yield f"- {_item(one.text)} ({shortened(one_line(one.title), _MAX_NAME)})"


def _item(text: str) -> str:
    return shortened(one_line(text), _MAX_ITEM)
