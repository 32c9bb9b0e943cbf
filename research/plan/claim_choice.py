"""Choose the claims for Round 3 to verify: a few of high impact, each from another domain."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from research.catalog.candidate_merging import is_proven
from research.memo.domain_use import domain_of
from research.memo.types import CatalogCandidate, Claim, FieldValue, SourceEntry
from research.memo.worker_result import Finding, WorkerResult
from research.questions.catalog_fields import is_pricing
from research.questions.field_lexicon import MONEY
from research.text import content_stems, detect_language

#: Most characters of a claim; a longer sentence makes several claims.
MAX_CLAIM_CHARS = 400
_MAX_QUERY_WORDS = 10
_PERCENT = re.compile(r"\d\s?(?:%|per ?cent\b|por ciento\b|percentage points?)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,-])(?!(?:1[5-9]|20)\d\d\b)\d[\d.,]*\b")
_SUPERLATIVE = re.compile(
    r"\b(?:most|least|best|worst|largest|smallest|highest|lowest|first|only|never|always|every|none|all|unique"
    r"|fastest|cheapest|leading|half|double[sd]?|tripled?|twice|mejor|peor|mayor(?:ía)?|menor|más \w+ (?:de|del)"
    r"|únic[oa]|nunca|siempre|tod[oa]s|ningun[oa]|primer[oa]?|mitad|doble|triple|duplic\w+)\b",
    re.IGNORECASE,
)
_CAUSAL = re.compile(
    r"\b(?:caus\w+|leads? to|led to|results? in|resulted in|due to|because of|reduc\w+|increas\w+|improv\w+"
    r"|prevent\w+|raised?|lower(?:s|ed)|effective|proven?|thanks to|provoc\w+|debido a|gracias a|reduj\w+"
    r"|aument\w+|mejor(?:a|ó|aron)\b|previen\w+|logr\w+|eficaz|demostr\w+)\b",
    re.IGNORECASE,
)
_SEARCH = {
    "en": {"price": "pricing review comparison", "other": "independent evidence evaluation"},
    "es": {"price": "precios comparación reseñas", "other": "evidencia independiente evaluación"},
}


def choose_claims(
    results: Sequence[WorkerResult],
    candidates: Sequence[CatalogCandidate],
    sources: Iterable[SourceEntry],
    limit: int,
) -> list[Claim]:
    """Return at most `limit` claims, highest impact first, one per domain; none without impact.

    They come from researchers' claims, proven prices of candidates, and findings.
    """
    by_key = {source.key: source for source in sources if source.key}
    offered = [claim for result in results for claim in result.claims]
    offered += [claim for candidate in candidates for claim in _of_candidate(candidate, by_key)]
    offered += [
        claim for result in results for finding in result.findings if (claim := _of_finding(finding, by_key))
    ]
    ranked = sorted(enumerate(offered), key=lambda pair: (-impact(pair[1]), pair[0]))
    chosen: list[Claim] = []
    domains: set[str] = set()
    for _, claim in ranked:
        one = _completed(claim)
        if len(chosen) >= limit or impact(claim) <= 0:
            break
        if one.source_domain not in domains:
            chosen.append(one)
            domains.add(one.source_domain)
    return chosen


def impact(claim: Claim) -> int:
    """Score a claim's impact: money and percentages most, then causes, superlatives, numbers; 0 for none."""
    text = claim.claim_text
    said = 3 * bool(MONEY.search(text)) + 3 * bool(_PERCENT.search(text)) + 2 * bool(_CAUSAL.search(text))
    said += 2 * bool(_SUPERLATIVE.search(text)) + bool(_NUMBER.search(text))
    # Claims of low confidence come first.
    return said + (said > 0) * {"low": 2, "medium": 1}.get(claim.confidence, 0)


def _of_candidate(candidate: CatalogCandidate, by_key: Mapping[str, SourceEntry]) -> list[Claim]:
    proven = [
        value
        for field, values in candidate.values.items()
        if is_pricing(field)
        for value in values
        if is_proven(value)
    ]
    return [_of_value(candidate.name, value, by_key.get(value.source_key)) for value in proven[:1]]


def _of_value(name: str, value: FieldValue, source: SourceEntry | None) -> Claim:
    text = " ".join(value.quote.split())
    named = text if name.casefold() in text.casefold() else f"{name}: {text}"
    language = detect_language(named)
    return Claim(
        claim_text=named[:MAX_CLAIM_CHARS],
        source_url=value.url or (source.url if source else ""),
        confidence="medium",
        verification_query=f"{name} {_SEARCH[language]['price']}",
        source_domain=domain_of(source) if source else "",
        claim_id=value.claim_id,
    )


def _of_finding(finding: Finding, by_key: Mapping[str, SourceEntry]) -> Claim | None:
    text = " ".join(finding.quote.split())
    source = by_key.get(finding.source_key)
    if not text or len(text) > MAX_CLAIM_CHARS or source is None:
        return None
    return Claim(text, source.url, "medium", "", domain_of(source))


def _completed(claim: Claim) -> Claim:
    """Return the claim with domain, id and search query filled in if missing."""
    text = " ".join(claim.claim_text.split())
    domain = claim.source_domain or (urlsplit(claim.source_url).hostname or "").removeprefix("www.")
    digest = hashlib.sha256(f"{text.casefold()}\n{domain}".encode("utf-8", "replace")).hexdigest()
    return Claim(
        claim_text=text,
        source_url=claim.source_url,
        confidence=claim.confidence,
        verification_query=claim.verification_query.strip() or _query(text),
        source_domain=domain,
        claim_id=claim.claim_id or f"c_{digest[:12]}",
    )


def _query(text: str) -> str:
    language = detect_language(text)
    words = [word.strip(".,;:!?()\"'“”«»¿¡") for word in text.split()]
    telling = [word for word in words if content_stems(word, language)][:_MAX_QUERY_WORDS]
    kind = "price" if MONEY.search(text) else "other"
    return " ".join([*telling, _SEARCH[language][kind]])
