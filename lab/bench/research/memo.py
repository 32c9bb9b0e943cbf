"""Ten thousand memos of any content: none above its bound, and the top gaps and claims of each are kept."""

from __future__ import annotations

import random
import re

from core.plain_data import token_count as count_tokens
from lab.bench.measure import Measure, exactly, measured
from research.memo import (
    CatalogCandidate,
    CatalogMemo,
    Claim,
    FieldStatus,
    Gap,
    ResearchMemo,
    SourceEntry,
    gap_in_english,
    memo_to_planner_context,
)
from research.report_type import ReportType

MEMOS = 10_000
BOUND = 2000
#: Gaps of the highest priority that must be told, and characters by which each is recognised.
TOP_GAPS, BEGINNING = 5, 24
_ALPHABETS = (
    "abcdefghij klmnop qrstuv wxyz ",
    "áéíóúñ¿¡ üABC de la ",
    "漢字かなカナ ",
    "😀👩‍👧‍👦🇪🇸 ",
    "a\n\n## b\r\n- [1] \t",
    "\x00\x07\x1b\u200b\u202e\ufeff ab",
    "\ud800\udfff xy",
    "[](){}<>|\\`*_#!\"' ",
)
_LENGTHS = (0, 1, 12, 80, 400, 3000, 12_000)


def measure() -> list[Measure]:
    """Fuzzed memos, the same in every run."""
    chance = random.Random(20261121)
    over = lost = 0
    for number in range(MEMOS):
        memo = _memo(chance, number)
        text = memo_to_planner_context(memo, max_tokens=BOUND)
        over += count_tokens(text) > BOUND
        lost += not _keeps_the_top(memo, text)
    how = f"{MEMOS:,} fuzzed memos: huge, empty, control characters, line breaks, emoji, halves of characters"
    return [
        measured("memo_over_bound", over, "memos", exactly(0), f"{how}; more than {BOUND:,} tokens"),
        measured(
            "memo_top_kept",
            1 - lost / MEMOS,
            "share",
            exactly(1),
            f"the same; {TOP_GAPS} gaps of highest priority and all claims told by id and beginning",
        ),
    ]


def _keeps_the_top(memo: ResearchMemo, text: str) -> bool:
    ranked = sorted(memo.gaps, key=lambda gap: gap.priority)[:TOP_GAPS]
    wanted = [f"{gap.id} {_beginning(gap_in_english(gap))}".strip() for gap in ranked]
    wanted += [f"{claim.claim_id}: {_beginning(claim.claim_text)}".strip() for claim in memo.claims_to_verify]
    return all(one in text for one in wanted)


def _beginning(text: str) -> str:
    """As a reader sees it: on one line, without what cannot be seen."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    seen = re.sub(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+", " ", readable)
    return seen.strip()[:BEGINNING].strip()


def _memo(chance: random.Random, number: int) -> ResearchMemo:
    gaps = [
        Gap(
            "missing_topic",
            _text(chance),
            chance.choice((1, 1, 2, 3)),
            suggested_query=_text(chance),
            id=f"g_{n:012d}",
        )
        for n in range(chance.choice((0, 1, 5, 10, 10, 40)))
    ]
    claims = [
        Claim(_text(chance), _text(chance), "high", _text(chance), _text(chance), f"c_{n:012d}")
        for n in range(chance.randrange(4))
    ]
    sources = [
        SourceEntry(_text(chance), _text(chance), _text(chance), True, "other")
        for _ in range(chance.choice((0, 3, 20)))
    ]
    values = {
        "query": _text(chance),
        "round_index": chance.randrange(1, 4),
        "tasks_completed": number,
        "tasks_remaining": chance.randrange(30),
        "unique_citations": number,
        "unique_domains": chance.randrange(60),
        "pages_extracted": number,
        "themes_covered": [_text(chance) for _ in range(chance.randrange(6))],
        "sources_summary": sources,
        "gaps": gaps,
        "claims_to_verify": claims,
    }
    if number % 2:
        return ResearchMemo(report_type=ReportType.NARRATIVE, **values)  # type: ignore[arg-type]
    candidates = [
        CatalogCandidate(_text(chance), None, {_text(chance)[:40]: FieldStatus.MISSING})
        for _ in range(chance.choice((0, 5, 30)))
    ]
    return CatalogMemo(report_type=ReportType.CATALOG, candidates=candidates, **values)  # type: ignore[arg-type]


def _text(chance: random.Random) -> str:
    length = chance.choices(_LENGTHS, weights=(2, 2, 8, 8, 4, 1, 0.3))[0]
    return "".join(chance.choices(chance.choice(_ALPHABETS), k=length))
