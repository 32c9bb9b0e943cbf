"""Divide the evidence of a narrative into sections by the aspects of its plan."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from research.citations.quantities import quantities_in
from research.meaning import Meaning, Text, covering
from research.readers.assignment import assigned
from research.readers.protocol import Asked, Evidence, Outline, Plan, SectionOutline
from research.readers.rules.statements import is_statement
from research.readers.rules.vocabulary import folded, words
from research.readers.shown import shown
from research.words import words_of

#: Most findings of a section, and of one source in those without an aspect.
_MOST, _OF_A_SOURCE = 12, 3
_PIECE = re.compile(r"\w+|[^\w\s]")
_FIGURES = {"en": "In figures", "es": "En cifras"}


def outline_of(asked: Asked, plan: Plan, evidence: Sequence[Evidence], meaning: Meaning) -> Outline:
    """Return a section for each aspect that the evidence covers, then one of figures, then one of further figures.

    Where it covers none, the last section holds the rest. Without aspects the questions take their place. What it
    does not cover is missing. A fragment of the request heads no section and is not missing.
    """
    fit = [one for one in evidence if is_statement(shown(one.finding.quote))]
    subjects = [one for one in plan.aspects or plan.questions or (asked.query,) if _is_noun_phrase(one, asked)]
    texts = [Text(one.finding.quote, one.language) for one in fit]
    held = covering(subjects, texts, meaning)
    covered = [subject for subject, known in zip(subjects, held, strict=True) if known]
    given = assigned(covered, fit, meaning, _MOST)
    placed = {one.evidence_id for chosen in given for one in chosen}
    # Of what fits no aspect only figures are told, in sections of their own; the last has no heading yet. Other
    # sentences mostly share words with the request.
    left = [
        one for one in fit if one.evidence_id not in placed and (not placed or quantities_in(one.finding.quote))
    ]
    figures = _best([one for one in left if quantities_in(one.finding.quote)])
    rest = _best([one for one in left if one not in figures])
    parts = zip(covered, given, strict=True)
    sections = tuple(
        SectionOutline(heading, heading, tuple(one.evidence_id for one in told))
        for heading, told in (*parts, (_FIGURES[asked.language], figures), ("", rest))
        if told
    )
    return Outline(sections, tuple(one for one in subjects if one not in covered))


def _is_noun_phrase(subject: str, asked: Asked) -> bool:
    """Return whether a mark or small word leads the words in the request and no comparative ends them.

    Words that do not stand in it, or are all of it, are taken for whole.
    """
    before, found, _ = folded(asked.query).partition(folded(subject))
    leading = _PIECE.findall(before)[-1:]
    is_led = not leading or leading[0] in words_of("joining") or not leading[0].isalnum()
    return not found or (is_led and folded(subject).split()[-1] not in words("comparatives"))


def _best(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Return the best pieces, those with digits before others, few of each source."""
    taken: Counter[str] = Counter()
    kept: list[Evidence] = []
    for one in sorted(evidence, key=lambda one: not any(char.isdigit() for char in one.finding.quote)):
        taken[one.finding.source_key] += 1
        if taken[one.finding.source_key] <= _OF_A_SOURCE and len(kept) < _MOST:
            kept.append(one)
    return kept
