"""Find the lines that hold only the contest's own rules and notes, wherever a re-flow broke them.

Three kinds of evidence: a line is part of the rules in the profile; a heading of the rules is above it; or the
page as a whole uses the rules' vocabulary, because one year's form words them differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import fuzz

from pipeline.extraction.printed import FRAGMENT, LineText
from pipeline.extraction.tokens import text_of
from pipeline.extraction.values.text import plain, squeezed
from pipeline.profiles import PrintedRole, Profile, all_profiles, built_in_profiles
from pipeline.profiles.generation import at_most_by_generation, by_generation

#: Minimum letters of rules on a page before single lines count as rules.
ENOUGH = 60
#: A line of this many letters counts by itself.
LONG = 45
#: So many letters of a line are compared, more than a line of print across a sheet has: what
#: comparing takes grows far faster than their number.
_COMPARED = 200
#: Minimum share of a text's longer words that are in the vocabulary; rules reach it, essays never do.
VOCABULARY = 0.35
#: Minimum distinct words of the vocabulary on a whole page, or the rest of one.
DIFFERENT = 8
_STEM = 6
_WORD = re.compile(r"[a-z]{5,}")


@by_generation
def _corpus() -> str:
    return "".join(squeezed(text) for text in _texts(PrintedRole.RULE, PrintedRole.NOTE))


@by_generation
def _headings() -> frozenset[str]:
    return frozenset(squeezed(text) for text in _texts(PrintedRole.RULES_HEADING))


@by_generation
def _vocabularies() -> tuple[frozenset[str], ...]:
    """Return the stems of the rules' words, of the forms of the files together and of every other form by itself.

    Without those of the form's prompts, which essays use too.
    """
    others = [[profile] for profile in all_profiles().values() if profile.key not in built_in_profiles()]
    found = (_vocabulary(forms) for forms in ([*built_in_profiles().values()], *others))
    return tuple(vocabulary for vocabulary in found if vocabulary)


def _vocabulary(forms: Iterable[Profile]) -> frozenset[str]:
    rules = _stems(" ".join(_texts(PrintedRole.RULE, PrintedRole.RULES_HEADING, forms=forms)))
    roles = (PrintedRole.PROMPT, PrintedRole.OPTION, PrintedRole.NOTE)
    return frozenset(rules - _stems(" ".join(_texts(*roles, forms=forms))))


def _texts(*roles: PrintedRole, forms: Iterable[Profile] | None = None) -> list[str]:
    given = all_profiles().values() if forms is None else forms
    printed = [p for profile in given for p in profile.printed if p.role in roles]
    return list(dict.fromkeys(text for p in printed for text in p.texts))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(plain(text))}


def rule_lines(lines: list[LineText], after_rules: bool = False) -> set[int]:
    """Return the indices of the lines that are rules. `after_rules`: the previous page ended with rules."""
    hits = {n for n, line in enumerate(lines) if len(line.text) >= FRAGMENT and _is_rule(line.text[:_COMPARED])}
    if sum(len(lines[n].text) for n in hits) < ENOUGH and not after_rules:
        hits = {n for n in hits if len(lines[n].text) >= LONG}
    hits |= _between(lines, hits)
    for start in _section_starts(lines, after_rules):
        section = range(start, len(lines))
        if speaks_rules([lines[n] for n in section], needed=DIFFERENT // 2 if after_rules or start else DIFFERENT):
            return hits | set(section)
    return hits


def _section_starts(lines: list[LineText], after_rules: bool) -> list[int]:
    headings = [n for n, line in enumerate(lines) if line.text in _headings()]
    return sorted({*headings, 0} if after_rules or not headings else set(headings))


def speaks_rules(lines: list[LineText], needed: int = DIFFERENT) -> bool:
    """Whether lines of text use the vocabulary of the rules of one form."""
    words = [w[:_STEM] for line in lines for w in _WORD.findall(plain(text_of(line.tokens)))]
    for vocabulary in _vocabularies():
        known = [w for w in words if w in vocabulary]
        if len(set(known)) >= needed and len(known) >= VOCABULARY * len(words):
            return True
    return False


@at_most_by_generation(4096)
def _is_rule(text: str) -> bool:
    """Whether a line is part of the rules; cached, because every copy prints them alike."""
    return text in _corpus() or fuzz.partial_ratio(text, _corpus(), score_cutoff=86.0) > 0


def _between(lines: list[LineText], hits: set[int]) -> set[int]:
    """Return the short lines next to rules: headings and the last word of a sentence."""
    if len(hits) < 3:
        return set()
    return {
        n
        for n, line in enumerate(lines)
        if n not in hits
        and len(line.text) < 16
        and (line.text in _corpus() or line.text in _headings())
        and ({n - 1, n + 1} & hits)
    }
