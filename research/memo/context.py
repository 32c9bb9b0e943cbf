"""Render a memo as text for a planner, within a limit of tokens.

Filled by priority: gaps, claims to verify, used domains, candidates, themes, sources. Gaps and claims are
shortened rather than omitted: from `FLOOR_TOKENS` on, at least the five gaps of highest priority (ten if there is
room) and all three claims keep their id and beginning. The other parts are shown as far as they fit. A line states
how many items each part omits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.tokens import BYTES_PER_TOKEN
from research.memo.bounded_lines import all_shortened, as_many_as_fit, one_line, shortened, size
from research.memo.gap_messages import gap_in_english
from research.memo.memo_reading import read_memo
from research.memo.types import CatalogMemo, FieldStatus, Gap, GapState, ResearchMemo

MAX_GAPS = 10
MAX_CLAIMS = 3
#: The least limit at which five gaps and three claims are always shown; below it, as many as fit.
FLOOR_TOKENS = 400
_MIN_GAPS = 5
#: Bytes that a gap's line should have before another gap is added.
_ROOM_OF_A_GAP = 120
#: Largest shares of the limit for these parts; what they do not use is left to the following ones.
_HEAD, _GAPS, _CLAIMS, _DOMAINS = 0.15, 0.42, 0.22, 0.08
#: Most bytes of one item, even if there is more room.
_MAX_ITEM = 700
_MAX_NAME = 90


@dataclass(frozen=True)
class _Part:
    title: str
    lines: list[str]
    #: "… {count} more … left out".
    left_out: str
    #: Number of items that have no line.
    beyond: int = 0

    def mark(self, count: int) -> list[str]:
        """Return the line that states how many items were omitted; empty if none."""
        return [self.left_out.format(count=count)] if count else []

    @property
    def longest_mark(self) -> int:
        """Bytes of the mark if every line is omitted."""
        return _room_of(self.mark(len(self.lines) + self.beyond))

    @property
    def need(self) -> int:
        """Bytes of the part if every line is shown."""
        return _room_of([self.title, *self.lines, *self.mark(self.beyond)]) if self.lines else 0


def memo_to_planner_context(memo: ResearchMemo, max_tokens: int = 2000) -> str:
    """Return the memo as text of at most `max_tokens` tokens (bytes of UTF-8 / 3, rounded up).

    Raises ValueError if `max_tokens` is not positive.
    """
    if max_tokens < 1:
        raise ValueError(f"A planner needs some tokens of memo, not {max_tokens}.")
    memo = read_memo(memo)
    bound = max_tokens * BYTES_PER_TOKEN
    page = _Page(bound)
    page.add_shortened(_head(memo), round(bound * _HEAD))
    gaps, claims = _gaps(memo, round(bound * _GAPS)), _claims(memo)
    rest = [_domains(memo), _candidates(memo), _themes(memo), _sources(memo)]
    # Gaps and claims take precedence over all but the domains, which Round 3 must avoid.
    room = page.left - min(rest[0].need, round(bound * _DOMAINS)) - sum(part.longest_mark for part in rest)
    page.add_whole(gaps, max(round(bound * _GAPS), room - min(claims.need, round(bound * _CLAIMS))))
    page.add_whole(claims, max(round(bound * _CLAIMS), room - gaps.need))
    for position, part in enumerate(rest):
        marks = sum(later.longest_mark for later in rest[position + 1 :])
        page.add_fitting(part, round(bound * _DOMAINS) if position == 0 else bound, marks)
    return str(page)


class _Page:
    """The lines so far and the remaining bytes."""

    def __init__(self, bound: int) -> None:
        self._lines: list[str] = []
        # The last line has no line end.
        self._left = bound + 1

    @property
    def left(self) -> int:
        """The remaining bytes."""
        return self._left

    def add_shortened(self, lines: Sequence[str], share: int) -> None:
        """Add all lines, shortened to the share."""
        self._keep(all_shortened(lines, min(share, self._left)))

    def add_whole(self, part: _Part, share: int) -> None:
        """Add every line of the part, shortened to the share; later lines are shortened first."""
        if not part.lines:
            return
        mark = part.mark(part.beyond)
        room = min(share, self._left) - _room_of([part.title, *mark])
        first, others = part.lines[:_MIN_GAPS], part.lines[_MIN_GAPS:]
        lines = all_shortened(first, room - sum(min(size(line) + 1, _ROOM_OF_A_GAP) for line in others))
        lines += all_shortened(others, room - _room_of(lines))
        if lines:
            self._keep([part.title, *lines, *mark])

    def add_fitting(self, part: _Part, share: int, reserve: int) -> None:
        """Add as many lines of the part as fit without the reserve, then the number omitted."""
        room = min(share, self._left - reserve) - _room_of([part.title])
        kept = as_many_as_fit(part.lines, room - (_room_of(part.mark(part.beyond)) if part.beyond else 0))
        if len(kept) < len(part.lines):
            kept = as_many_as_fit(part.lines, room - part.longest_mark)
        mark = part.mark(len(part.lines) - len(kept) + part.beyond)
        lines = [part.title, *kept, *mark] if kept else mark
        if lines and _room_of(lines) <= self._left:
            self._keep(lines)

    def _keep(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._lines.append(line)
            self._left -= size(line) + 1

    def __str__(self) -> str:
        return "\n".join(self._lines)


def _room_of(lines: Iterable[str]) -> int:
    return sum(size(line) + 1 for line in lines)


def _head(memo: ResearchMemo) -> list[str]:
    failed = f", {memo.tasks_failed} failed" if memo.tasks_failed else ""
    return [
        f"## Memo of round {memo.round_index} ({one_line(memo.report_type)})",
        f"Tasks: {memo.tasks_completed} done{failed}, {memo.tasks_remaining} left. Read so far: "
        f"{memo.unique_citations} sources, {memo.unique_domains} domains, {memo.pages_extracted} pages.",
        f"Query: {_item(memo.query)}",
    ]


def _gaps(memo: ResearchMemo, room: int) -> _Part:
    still_open = (gap for gap in memo.gaps if gap.state == GapState.OPEN)
    once = {(gap.id, gap.candidate_name, gap_in_english(gap)): gap for gap in still_open}
    waiting = sorted(once.values(), key=lambda gap: gap.priority)
    shown = min(MAX_GAPS, max(_MIN_GAPS, room // _ROOM_OF_A_GAP))
    lines = [_gap_line(gap) for gap in waiting[:shown]]
    beyond = len(waiting) - len(lines)
    return _Part("## Gaps to fill, most urgent first", lines, "… {count} more gaps left out", beyond)


def _gap_line(gap: Gap) -> str:
    label = f"[{gap.priority}]" + (f" {one_line(gap.id)}" if gap.id else "")
    # The candidate comes first, so that gaps with shortened descriptions remain distinguishable.
    named = one_line(gap.candidate_name)
    described = one_line(gap_in_english(gap))
    lead = f"{shortened(named, _MAX_NAME)}: " if named and not described.startswith(named) else ""
    query = f" | search: {_item(gap.suggested_query)}" if gap.suggested_query else ""
    return f"- {label} {lead}{shortened(described, _MAX_ITEM)}{query}"


def _claims(memo: ResearchMemo) -> _Part:
    lines = []
    for claim in memo.claims_to_verify[:MAX_CLAIMS]:
        label = f"{one_line(claim.claim_id)}: " if claim.claim_id else ""
        origin = one_line(claim.source_domain) or one_line(claim.source_url)
        line = f"- {label}{_item(claim.claim_text)} | from: {shortened(origin, _MAX_NAME)}"
        lines.append(f"{line} | search: {_item(claim.verification_query)}")
    beyond = len(memo.claims_to_verify) - len(lines)
    return _Part("## Claims to verify on other domains", lines, "… {count} more claims left out", beyond)


def _domains(memo: ResearchMemo) -> _Part:
    used = dict.fromkeys(one_line(source.domain) for source in memo.sources_summary)
    lines = [f"- {shortened(domain, _MAX_NAME)}" for domain in used if domain]
    beyond = max(memo.unique_domains - len(lines), 0)
    return _Part("## Domains already used", lines, "… {count} more domains left out", beyond)


def _candidates(memo: ResearchMemo) -> _Part:
    if not isinstance(memo, CatalogMemo):
        return _Part("", [], "")
    lines = []
    for candidate in memo.candidates:
        lacking = [one_line(name) for name, status in candidate.fields.items() if status == FieldStatus.MISSING]
        weak = [one_line(name) for name, status in candidate.fields.items() if status == FieldStatus.PARTIAL]
        told = [f"missing {', '.join(lacking)}"] if lacking else []
        told += [f"weak {', '.join(weak)}"] if weak else []
        lines.append(f"- {shortened(one_line(candidate.name), _MAX_NAME)}: {_item('; '.join(told) or 'complete')}")
    title = f"## Candidates ({len(memo.candidates)} of {memo.target_items * 2} wanted)"
    return _Part(title, lines, "… {count} more candidates left out")


def _themes(memo: ResearchMemo) -> _Part:
    return _listed("## Themes covered", "… {count} more themes left out", memo.themes_covered, _item)


def _sources(memo: ResearchMemo) -> _Part:
    lines = [
        f"- {shortened(one_line(source.title), _MAX_NAME * 2)} ({shortened(one_line(source.domain), _MAX_NAME)}, "
        f"{one_line(source.relevance)}{'' if source.has_evidence else ', not read'})"
        for source in memo.sources_summary
    ]
    return _Part("## Sources", lines, "… {count} more sources left out")


def _listed(title: str, left_out: str, items: Iterable[str], write: Callable[[str], str]) -> _Part:
    return _Part(title, [f"- {write(item)}" for item in items], left_out)


def _item(text: object) -> str:
    return shortened(one_line(text), _MAX_ITEM)
