"""Render a memo as text for a planner, within a limit of tokens.

Parts are filled in order, each within its share of the limit. Gaps and claims are shortened rather than omitted:
from `FLOOR_TOKENS` on, at least the five gaps of highest priority (ten if there is room) and all three claims keep
their id and beginning. The other parts are shown as far as they fit. A line states how many items a part omits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.tokens import BYTES_PER_TOKEN
from research.memo.bounded_lines import all_shortened, as_many_as_fit, one_line, room_of, shortened
from research.memo.gap_messages import gap_in_english
from research.memo.types import CatalogMemo, FieldStatus, Gap, GapState, ResearchMemo

MAX_GAPS = 10
MAX_CLAIMS = 3
#: The least limit at which five gaps and three claims are always shown; below it, as many as fit.
FLOOR_TOKENS = 400
_MIN_GAPS = 5
#: Bytes that a gap's line should have before another gap is added.
_ROOM_OF_A_GAP = 120
#: Most bytes of one item, and of a name in it, even if there is more room.
_MAX_ITEM, _MAX_NAME = 700, 90


@dataclass(frozen=True)
class _Part:
    """Lines under a title; the first `kept` of them are shortened rather than omitted."""

    title: str
    lines: list[str]
    share: float
    #: What the items are called in the line that counts those omitted.
    noun: str = ""
    kept: int = 0
    #: Number of items that have no line.
    beyond: int = 0

    def within(self, room: int) -> list[str]:
        """Return title, lines and the line that counts what is omitted, in at most `room` bytes."""
        titled = [self.title] if self.title else []
        mark = [f"… {len(self.lines) + self.beyond} more {self.noun} left out"]
        is_cut = self.beyond or room_of([*titled, *self.lines]) > room
        left = room - room_of(titled) - (room_of(mark) if is_cut else 0)
        first = _all_of(self.lines[: self.kept], left)
        shown = first + as_many_as_fit(self.lines[self.kept :], left - room_of(first))
        omitted = len(self.lines) - len(shown) + self.beyond
        marked = [f"… {omitted} more {self.noun} left out"] if omitted and self.noun else []
        written = [*titled, *shown, *marked] if shown else marked
        return written if room_of(written) <= room else []


def memo_to_planner_context(memo: ResearchMemo, max_tokens: int = 2000) -> str:
    """Return the memo as text of at most `max_tokens` tokens (bytes of UTF-8 / 3, rounded up).

    Raises ValueError if `max_tokens` is not positive.
    """
    if max_tokens < 1:
        raise ValueError(f"A planner needs some tokens of memo, not {max_tokens}.")
    bound = max_tokens * BYTES_PER_TOKEN
    shown: list[str] = []
    for part in (_head(memo), *_gaps(memo, bound), _claims(memo), _candidates(memo), _domains(memo), _known(memo)):
        # The last line has no line end.
        shown += part.within(min(round(bound * part.share), bound + 1 - room_of(shown)))
    return "\n".join(shown)


def _all_of(lines: Sequence[str], room: int) -> list[str]:
    """Shorten all lines to the room; those after the fifth are shortened first."""
    first, others = lines[:_MIN_GAPS], lines[_MIN_GAPS:]
    shown = all_shortened(first, room - sum(min(room_of([line]), _ROOM_OF_A_GAP) for line in others))
    return shown + all_shortened(others, room - room_of(shown))


def _head(memo: ResearchMemo) -> _Part:
    failed = f", {memo.tasks_failed} failed" if memo.tasks_failed else ""
    first = (
        f"## Memo of round {memo.round_index} ({memo.report_type}): tasks {memo.tasks_completed} done{failed}, "
        f"{memo.tasks_remaining} left; read {memo.unique_citations} sources of {memo.unique_domains} domains"
    )
    told = [
        ("Query", memo.query),
        ("Covered", "; ".join(memo.themes_covered)),
        ("Not found", "; ".join(memo.not_found)),
    ]
    lines = [first, *(f"{name}: {_item(text)}" for name, text in told if text)]
    return _Part("", lines, 0.13, kept=len(lines))


def _gaps(memo: ResearchMemo, bound: int) -> list[_Part]:
    still_open = (gap for gap in memo.gaps if gap.state == GapState.OPEN)
    once = {(gap.id, gap.candidate_name, gap_in_english(gap)): gap for gap in still_open}
    waiting = sorted(once.values(), key=lambda gap: gap.priority)
    share = 0.5
    shown = min(MAX_GAPS, max(_MIN_GAPS, round(bound * share) // _ROOM_OF_A_GAP))
    lines = [_gap_line(gap) for gap in waiting[:shown]]
    beyond = len(waiting) - len(lines)
    return [_Part("## Gaps to fill, most urgent first", lines, share, "gaps", len(lines), beyond)]


def _gap_line(gap: Gap) -> str:
    label = f"[{gap.priority}]" + (f" {one_line(gap.id)}" if gap.id else "")
    query = f" | search: {_item(gap.suggested_query)}" if gap.suggested_query else ""
    return f"- {label} {_item(gap_in_english(gap))}{query}"


def _claims(memo: ResearchMemo) -> _Part:
    lines = []
    for claim in memo.claims_to_verify[:MAX_CLAIMS]:
        label = f"{one_line(claim.claim_id)}: " if claim.claim_id else ""
        origin = one_line(claim.source_domain) or one_line(claim.source_url)
        line = f"- {label}{_item(claim.claim_text)} | from: {shortened(origin, _MAX_NAME)}"
        lines.append(f"{line} | search: {_item(claim.verification_query)}")
    beyond = len(memo.claims_to_verify) - len(lines)
    return _Part("## Claims to verify on other domains", lines, 0.25, "claims", len(lines), beyond)


def _candidates(memo: ResearchMemo) -> _Part:
    if not isinstance(memo, CatalogMemo):
        return _Part("", [], 0.0)
    lines = []
    for candidate in memo.candidates:
        lacking = [one_line(name) for name, status in candidate.fields.items() if status == FieldStatus.MISSING]
        weak = [one_line(name) for name, status in candidate.fields.items() if status == FieldStatus.PARTIAL]
        told = [f"missing {', '.join(lacking)}"] if lacking else []
        told += [f"weak {', '.join(weak)}"] if weak else []
        lines.append(f"- {shortened(one_line(candidate.name), _MAX_NAME)}: {_item('; '.join(told) or 'complete')}")
    return _Part(f"## Candidates ({memo.target_items} asked for)", lines, 0.4, "candidates")


def _domains(memo: ResearchMemo) -> _Part:
    used = dict.fromkeys(one_line(source.domain) for source in memo.sources_summary)
    lines = [f"- {shortened(domain, _MAX_NAME)}" for domain in used if domain]
    return _Part(
        "## Domains already used", lines, 0.08, "domains", beyond=max(memo.unique_domains - len(lines), 0)
    )


def _known(memo: ResearchMemo) -> _Part:
    lines: list[str] = []
    for question in dict.fromkeys(finding.question for finding in memo.findings):
        told = [finding for finding in memo.findings if finding.question == question]
        lines.append(f"On: {_item(question)}")
        lines += [f"- {_item(one.text)} ({shortened(one_line(one.title), _MAX_NAME)})" for one in told]
    return _Part("## What is known", lines, 1.0, "lines")


def _item(text: str) -> str:
    return shortened(one_line(text), _MAX_ITEM)
