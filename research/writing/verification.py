"""Compare the claims that Round 3 verified with sentences from other domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.material import ReportMaterial
from research.memo import Claim
from research.readers.rules.agreement import agreement
from research.text import content_stems
from research.writing.claims import Verification
from research.writing.evidence import Sentence
from research.writing.fitness import is_fit
from research.writing.relevance import Scale


@dataclass(frozen=True)
class Verdict:
    """A claim's sentence in its source, and a sentence of another domain that confirms or contradicts it."""

    sentence: Sentence
    verification: Verification
    other: Sentence | None = None


def verdicts(material: ReportMaterial, sentences: Mapping[str, Sequence[Sentence]], scale: Scale) -> list[Verdict]:
    """Return a verdict for each claim to verify that is found in a source."""
    found: list[Verdict] = []
    for claim in material.memo.claims_to_verify[: material.config.max_claims]:
        own = _own_sentence(claim, material, sentences, scale)
        if own and all(own != verdict.sentence for verdict in found):
            found.append(_verdict(own, sentences, scale))
    return found


def _verdict(own: Sentence, sentences: Mapping[str, Sequence[Sentence]], scale: Scale) -> Verdict:
    others = [s for group in sentences.values() for s in group if s.domain != own.domain and is_fit(s)]
    ranked = sorted(others, key=lambda s: (-scale.alike(own.stems, s.stems), s.key, s.start))[:12]
    bearing = [(agreement(own, other, scale), other) for other in ranked]
    for wanted, verification in (("contradicts", "contradicted"), ("agrees", "confirmed")):
        for agrees, other in bearing:
            if agrees == wanted:
                return Verdict(own, "contradicted" if verification == "contradicted" else "confirmed", other)
    return Verdict(own, "not_found")


def _own_sentence(
    claim: Claim, material: ReportMaterial, sentences: Mapping[str, Sequence[Sentence]], scale: Scale
) -> Sentence | None:
    """Return the sentence that the claim was taken from, or None if it cannot be identified."""
    stems = frozenset(content_stems(claim.claim_text, material.config.language))
    candidates = [
        sentence
        for key, group in sentences.items()
        for sentence in group
        if claim.source_url in (key, material.sources[key].reference.url)
        or (claim.source_domain and sentence.domain == claim.source_domain)
    ]
    ranked = [(scale.alike(stems, s.stems) * min(1.0, len(s.stems) / max(1, len(stems))), s) for s in candidates]
    best, sentence = max(ranked, key=lambda pair: (pair[0], -pair[1].start), default=(0.0, None))
    return sentence if sentence and best >= 0.6 and is_fit(sentence) else None
