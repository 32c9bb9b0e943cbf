"""Finds the lines that hold nothing but the contest's own rules and notes, wherever a re-flow broke them."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz import fuzz

from pipeline.extraction.printed import FRAGMENT, LineText
from pipeline.extraction.text import squeezed
from pipeline.profiles import PrintedRole, Profile, all_profiles

#: So many letters of rules must stand on a page before a single line of them is believed.
ENOUGH = 60
#: A line of this many letters is believed by itself.
LONG = 45


@lru_cache(maxsize=1)
def _corpus() -> str:
    texts: dict[str, None] = {}
    for profile in all_profiles().values():
        texts |= dict.fromkeys(_long_texts(profile))
    return "".join(squeezed(text) for text in texts)


def _long_texts(profile: Profile) -> list[str]:
    roles = (PrintedRole.RULE, PrintedRole.NOTE)
    return [text for printed in profile.printed if printed.role in roles for text in printed.texts]


def rule_lines(lines: list[LineText]) -> set[int]:
    """Numbers of the lines that are rules, with the short ends of sentences between them."""
    hits = {n for n, line in enumerate(lines) if len(line.text) >= FRAGMENT and _is_rule(line.text)}
    if sum(len(lines[n].text) for n in hits) < ENOUGH:
        hits = {n for n in hits if len(lines[n].text) >= LONG}
    return hits | _between(lines, hits)


def _is_rule(text: str) -> bool:
    return text in _corpus() or fuzz.partial_ratio(text, _corpus(), score_cutoff=86.0) > 0


def _between(lines: list[LineText], hits: set[int]) -> set[int]:
    """Short lines beside rules: headings and the last word of a sentence."""
    if len(hits) < 3:
        return set()
    return {
        n
        for n, line in enumerate(lines)
        if n not in hits and len(line.text) < 16 and line.text in _corpus() and ({n - 1, n + 1} & hits)
    }
