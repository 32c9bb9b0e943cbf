"""Choose the claims for Round 3 to verify: weighty ones that bear on the question, each from another domain."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import urlsplit

from research.catalog.candidate_merging import is_proven
from research.citations.quantities import quantities_in
from research.meaning import Meaning, Text, order_by_nearness
from research.memo.domain_use import domain_of
from research.memo.types import CatalogCandidate, Claim, SourceEntry
from research.memo.worker_result import Finding, WorkerResult
from research.questions.catalog_fields import is_pricing
from research.text import content_stems, detect_language
from research.words import groups_of

#: Most characters of a claim; a longer sentence makes several claims.
MAX_CLAIM_CHARS = 400
_MAX_QUERY_WORDS = 10
#: How many of the statements nearest to the question are weighed.
_NEAREST = 12
_WORD = re.compile(r"[^\W\d_]+")
_MONEY_SIGN = re.compile(r"[$€£¥₹]\s?\d|\d\s?[$€£]")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SEARCH = {
    "en": {"price": "pricing review comparison", "other": "independent evidence evaluation"},
    "es": {"price": "precios comparación reseñas", "other": "evidencia independiente evaluación"},
}


def choose_claims(
    query: str,
    results: Sequence[WorkerResult],
    candidates: Sequence[CatalogCandidate],
    sources: Iterable[SourceEntry],
    limit: int,
    meaning: Meaning,
) -> list[Claim]:
    """Return at most `limit` claims, weightiest first, one per domain; none without weight.

    They come from researchers' claims, proven prices of candidates, and the findings nearest to the question that
    name their subject.
    """
    by_key = {source.key: source for source in sources if source.key}
    offered = [claim for result in results for claim in result.claims]
    offered += [claim for candidate in candidates for claim in _of_candidate(candidate, by_key)]
    findings = [finding for result in results for finding in result.findings]
    offered += _nearest(query, [claim for finding in findings if (claim := _of_finding(finding, by_key))], meaning)
    ranked = sorted(enumerate(offered), key=lambda pair: (-weight(pair[1]), pair[0]))
    chosen: dict[str, Claim] = {}
    for _, claim in ranked:
        if weight(claim) > 0 and len(chosen) < limit:
            whole = _completed(claim)
            chosen.setdefault(whole.source_domain, whole)
    return list(chosen.values())


def weight(claim: Claim) -> int:
    """Score a claim: money and percentages most, then causes, superlatives, numbers; 0 for none."""
    text = claim.claim_text
    words = {word.casefold() for word in _WORD.findall(text)}
    _, causes, superlatives, _ = groups_of("weighty")
    numbers = quantities_in(text)
    said = 3 * is_on_money(text) + 3 * any(number.percent for number in numbers)
    said += 2 * bool(words & causes) + 2 * bool(words & superlatives)
    said += any(not _YEAR.fullmatch(number.text) for number in numbers)
    # Claims of low confidence come first.
    return said + (said > 0) * {"low": 2, "medium": 1}.get(claim.confidence, 0)


def is_on_money(text: str) -> bool:
    """Return whether a text names an amount of money or says that something is free."""
    words = {word.casefold() for word in _WORD.findall(text)}
    return bool(_MONEY_SIGN.search(text) or words & groups_of("weighty")[0])


def _nearest(query: str, claims: Sequence[Claim], meaning: Meaning) -> list[Claim]:
    texts = [Text(claim.claim_text, detect_language(claim.claim_text)) for claim in claims]
    return [claims[place] for place in order_by_nearness(query, texts, meaning)[:_NEAREST]]


def _of_candidate(candidate: CatalogCandidate, by_key: Mapping[str, SourceEntry]) -> list[Claim]:
    prices = (value for field, values in candidate.values.items() if is_pricing(field) for value in values)
    value = next((value for value in prices if is_proven(value)), None)
    if value is None:
        return []
    source = by_key.get(value.source_key)
    text = " ".join(value.quote.split())
    named = text if candidate.name.casefold() in text.casefold() else f"{candidate.name}: {text}"
    claim = Claim(
        claim_text=named[:MAX_CLAIM_CHARS],
        source_url=value.url or (source.url if source else ""),
        confidence="medium",
        verification_query=f"{candidate.name} {_SEARCH[detect_language(named)]['price']}",
        source_domain=domain_of(source) if source else "",
        claim_id=value.claim_id,
    )
    return [claim]


def _of_finding(finding: Finding, by_key: Mapping[str, SourceEntry]) -> Claim | None:
    text = " ".join(finding.quote.split())
    source = by_key.get(finding.source_key)
    first = _WORD.search(text)
    lacks_subject = first is None or first[0].casefold() in groups_of("weighty")[3]
    if lacks_subject or len(text) > MAX_CLAIM_CHARS or source is None:
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
    return " ".join([*telling, _SEARCH[language]["price" if is_on_money(text) else "other"]])
