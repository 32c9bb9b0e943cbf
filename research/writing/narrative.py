"""Write a narrative without a model: a digest of chosen and ordered sentences from the sources."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from research.document import Section
from research.material import ReportMaterial
from research.readers.rules.agreement import agreement
from research.section_keys import section_key
from research.writing.choose import answers, choose, within_share
from research.writing.claims import ClaimBook
from research.writing.evidence import Sentence, found_sentences, sentences_of
from research.writing.order import paragraphs
from research.writing.quoting import paragraph, side_by_side
from research.writing.relevance import Scale, Scored, scored
from research.writing.wording import WORDING

#: Target number of sentences of a digest, and the least and most of one section.
_TOTAL, _LEAST, _MOST = 24, 5, 14
#: Domains requested beyond the configured minimum, because some exceed their share and lose sentences.
_SPARE_DOMAINS = 2
#: Most sentences of the opening section.
_IN_SHORT = 4


@dataclass(frozen=True)
class Evidence:
    """The sentences of a report's sources, and the weights of their stems."""

    #: By source, the sentences of passages with findings.
    found: Mapping[str, Sequence[Sentence]]
    #: By source, all sentences.
    whole: Mapping[str, Sequence[Sentence]]
    scale: Scale


@dataclass(frozen=True)
class Theme:
    """A question with the sentences chosen for it."""

    question: str
    chosen: tuple[Scored, ...]
    #: All sentences that answer it, best first, for a model to draw on.
    answering: tuple[Scored, ...] = ()


def gather(material: ReportMaterial) -> Evidence:
    """Collect all sentences that can be quoted."""
    whole = {key: sentences_of(key, source) for key, source in sorted(material.sources.items())}
    scale = Scale(sentence for group in whole.values() for sentence in group)
    return Evidence(found_sentences(material), whole, scale)


def questions_of(material: ReportMaterial) -> tuple[str, ...]:
    """Return the plan's questions, else those of the tasks, else the query."""
    asked = material.questions or tuple(result.question for result in material.results if not result.gap_id)
    return tuple(dict.fromkeys(question for question in asked if question.strip())) or (material.query,)


def themes_of(material: ReportMaterial, evidence: Evidence) -> list[Theme]:
    """Choose the sentences for each question, limiting each domain's share over all of them."""
    questions = questions_of(material)
    limit = max(_LEAST, min(_MOST, math.ceil(_TOTAL / len(questions))))
    candidates = [sentence for group in evidence.found.values() for sentence in group]
    rated = {
        question: scored(question, material.query, candidates, evidence.scale, material.config.language)
        for question in questions
    }
    by_question = choose(rated, limit, evidence.scale, material.config.min_total_domains + _SPARE_DOMAINS)
    taken = [item for chosen in by_question.values() for item in chosen]
    kept = {id(item) for item in within_share(taken, material.config.max_domain_share)}
    return [
        Theme(question, tuple(i for i in chosen if id(i) in kept), tuple(answers(rated[question])))
        for question, chosen in by_question.items()
    ]


def opening(
    material: ReportMaterial, evidence: Evidence, themes: Sequence[Theme], book: ClaimBook, keys: set[str]
) -> list[Section]:
    """The section "In short"; none where nothing answers."""
    short = in_short(themes, evidence.scale)
    if not short:
        return []
    words = WORDING[material.config.language]
    body = paragraph([item.sentence for item in short], book, material.config.language)
    return [Section(key=section_key(words.in_short, keys), heading=words.in_short, body=body)]


def theme_body(chosen: Sequence[Scored], scale: Scale, book: ClaimBook, material: ReportMaterial) -> str:
    """Return the body: paragraphs, then pairs of contradicting sentences, introduced as such."""
    language = material.config.language
    pairs = list(_contradictions(chosen, scale))
    apart = {id(item) for pair in pairs for item in pair}
    parts = [
        paragraph([item.sentence for item in group], book, language)
        for group in paragraphs([item for item in chosen if id(item) not in apart], scale)
    ]
    lead = WORDING[language].differ
    parts += [side_by_side(lead, [one.sentence, other.sentence], book, language) for one, other in pairs]
    return "\n\n".join(parts)


def in_short(themes: Sequence[Theme], scale: Scale) -> list[Scored]:
    """Choose the best sentences for the opening, from each question that keeps at least two others."""
    answered = [theme for theme in themes if theme.chosen]
    if not answered:
        return []
    each = max(1, _IN_SHORT // len(answered))
    short: list[Scored] = []
    for theme in answered[:_IN_SHORT]:
        short += _alone(theme.chosen, scale)[: max(0, min(each, len(theme.chosen) - 2))]
    first = answered[0].chosen
    return short or _alone(first, scale)[:1] or list(first[:1])


def _alone(chosen: Sequence[Scored], scale: Scale) -> list[Scored]:
    """Return the sentences that no other depends on or contradicts and that depend on none, best first."""
    disputed = {id(item) for pair in _contradictions(chosen, scale) for item in pair}
    leaned_on = {(item.sentence.key, item.leans_on) for item in chosen}
    free = [i for i in chosen if i.leans_on is None and (i.sentence.key, i.sentence.start) not in leaned_on]
    free = [item for item in free if id(item) not in disputed]
    return sorted(free, key=lambda item: -item.score)


def _contradictions(chosen: Sequence[Scored], scale: Scale) -> Iterator[tuple[Scored, Scored]]:
    paired: set[int] = set()
    for one, other in combinations(chosen, 2):
        if one.sentence.key == other.sentence.key or {id(one), id(other)} & paired:
            continue
        if agreement(one.sentence, other.sentence, scale) == "contradicts":
            paired |= {id(one), id(other)}
            yield one, other
