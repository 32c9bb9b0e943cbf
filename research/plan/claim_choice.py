"""Choose the claims for Round 3 to verify: weighty ones that bear on the question, each from another domain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from research.catalog.candidate_merging import is_proven
from research.citations import registrable_domain
from research.citations.quantities import quantities_in
from research.meaning import Meaning, Text, order_by_nearness
from research.memo.sources import domain_of
from research.memo.types import CatalogCandidate, Claim, SourceEntry
from research.memo.worker_result import Finding, WorkerResult
from research.questions.catalog_fields import is_pricing
from research.readers.shown import shown
from research.readers.statements import is_statement
from research.text import content_stems, detect_language, split_sentences
from research.words import groups_of, phrases_of

#: Most characters of a claim.
MAX_CLAIM_CHARS = 400
_MAX_QUERY_WORDS = 10
#: Least share of the stems of a claim that another one on the same matter has.
_SAME_STEMS = 0.5
#: How many of the statements nearest to the question are weighed.
_NEAREST = 12
_WORD = re.compile(r"[^\W\d_]+")
_MONEY_SIGN = re.compile(r"[$€£¥₹]\s?\d|\d\s?[$€£]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")


def choose_claims(
    query: str,
    results: Sequence[WorkerResult],
    candidates: Sequence[CatalogCandidate],
    limit: int,
    meaning: Meaning,
) -> list[Claim]:
    """Return at most `limit` claims, weightiest first, one per domain; none without weight.

    They come from proven prices of candidates, and from the findings nearest to the question that name their
    subject.
    """
    by_key = {source.key: source for result in results for source in result.sources}
    offered = [claim for candidate in candidates if (claim := _of_price(candidate, by_key))]
    findings = [finding for result in results for finding in result.findings]
    found = [claim for finding in findings for claim in _of_finding(finding, by_key)]
    texts = [Text(claim.claim_text, detect_language(claim.claim_text)) for claim in found]
    offered += [found[place] for place in order_by_nearness(query, texts, meaning)[:_NEAREST]]
    chosen: dict[str, Claim] = {}
    evidence = [_Told.of(claim) for claim in found]
    for claim in sorted(offered, key=lambda claim: -weight(claim.claim_text)):
        if weight(claim.claim_text):
            chosen.setdefault(claim.source_domain, replace(claim, confidence=_confidence(claim, evidence)))
    return [replace(claim, claim_id=f"c_{n}") for n, claim in enumerate([*chosen.values()][:limit], start=1)]


@dataclass(frozen=True)
class _Told:
    """What a claim is compared by."""

    domain: str
    stems: frozenset[str]
    figures: frozenset[object]

    @classmethod
    def of(cls, claim: Claim) -> _Told:
        text = claim.claim_text
        stems = frozenset(content_stems(text, detect_language(text)))
        return cls(claim.source_domain, stems, frozenset(one.values for one in quantities_in(text)))


def _confidence(claim: Claim, evidence: Sequence[_Told]) -> str:
    """Return "high" if another publisher says the same with a figure of the claim, "low" if with others alone."""
    own = _Told.of(claim)
    same = [
        one
        for one in evidence
        if one.domain != own.domain and len(one.stems & own.stems) >= _SAME_STEMS * len(own.stems) and one.figures
    ]
    if not same or not own.figures:
        return "medium"
    return "high" if any(one.figures & own.figures for one in same) else "low"


def weight(text: str) -> int:
    """Score a claim: money and percentages most, then causes, superlatives, numbers; 0 for none."""
    words = _words(text)
    _, causes, superlatives, _ = groups_of("weighty")
    numbers = quantities_in(text)
    said = 3 * is_on_money(text) + 3 * any(number.percent for number in numbers)
    said += 2 * bool(words & causes) + 2 * bool(words & superlatives)
    return said + any(not _YEAR.fullmatch(number.text) for number in numbers)


def is_on_money(text: str) -> bool:
    """Return whether a text names an amount of money or says that something is free."""
    return bool(_MONEY_SIGN.search(text) or _words(text) & groups_of("weighty")[0])


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _of_price(candidate: CatalogCandidate, by_key: Mapping[str, SourceEntry]) -> Claim | None:
    prices = (value for field, values in candidate.values.items() if is_pricing(field) for value in values)
    value = next((value for value in prices if is_proven(value)), None)
    if value is None:
        return None
    source = by_key.get(value.source_key)
    text = " ".join(value.quote.split())
    named = text if candidate.name.casefold() in text.casefold() else f"{candidate.name}: {text}"
    query = f"{candidate.name} {phrases_of('tasks', detect_language(named))['search_price']}"
    url = value.url or (source.url if source else "")
    domain = domain_of(source) if source else registrable_domain(url)
    return Claim(named[:MAX_CLAIM_CHARS].strip(), url, "medium", query, domain)


def _of_finding(finding: Finding, by_key: Mapping[str, SourceEntry]) -> Iterator[Claim]:
    """Yield a claim for each statement of a finding, which may be a passage of several, that names its subject."""
    source = by_key.get(finding.source_key)
    if source is None:
        return
    for start, end in split_sentences(finding.quote, detect_language(finding.quote)):
        text = " ".join(finding.quote[start:end].split())
        first = _WORD.search(text)
        lacks_subject = first is None or first[0].casefold() in groups_of("weighty")[3]
        if not lacks_subject and len(text) <= MAX_CLAIM_CHARS and is_statement(shown(text)):
            yield Claim(text, source.url, "medium", _query(text), domain_of(source))


def _query(text: str) -> str:
    language = detect_language(text)
    words = [word.strip(".,;:!?()\"'“”«»¿¡") for word in text.split()]
    telling = [word for word in words if content_stems(word, language)][:_MAX_QUERY_WORDS]
    suffix = phrases_of("tasks", language)["search_price" if is_on_money(text) else "search_evidence"]
    return " ".join([*telling, suffix])
