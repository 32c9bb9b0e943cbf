"""Divide the evidence of a narrative into sections by the aspects of its plan."""

from __future__ import annotations

from collections.abc import Sequence

from research.meaning import Meaning, Text, coverage
from research.readers.assignment import assigned
from research.readers.protocol import Asked, Evidence, Plan, SectionOutline
from research.readers.rules.statements import is_statement
from research.readers.shown import shown

#: Most findings of a section.
_MOST = 12


def outline_of(asked: Asked, plan: Plan, evidence: Sequence[Evidence], meaning: Meaning) -> list[SectionOutline]:
    """Return a section for each aspect that the evidence covers (without aspects: question), then the rest."""
    fit = [one for one in evidence if is_statement(shown(one.finding.quote))]
    subjects = list(plan.aspects or plan.questions or (asked.query,))
    texts = [Text(one.finding.quote, one.language) for one in fit]
    held = coverage(subjects, texts, meaning)
    covered = [subject for subject, known in zip(subjects, held, strict=True) if known]
    given = assigned(covered, fit, meaning, _MOST)
    placed = {one.evidence_id for chosen in given for one in chosen}
    # What answers the request and none of its aspects stands in a section of its own, which has no heading yet.
    (rest,) = assigned([asked.query], [one for one in fit if one.evidence_id not in placed], meaning, _MOST)
    return [
        *(
            SectionOutline(subject, subject, tuple(one.evidence_id for one in chosen), (subject,))
            for subject, chosen in zip(covered, given, strict=True)
            if chosen
        ),
        *([SectionOutline("", "", tuple(one.evidence_id for one in rest))] if rest else []),
    ]
