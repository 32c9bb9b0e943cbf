"""Write a section from sentences of its sources, verbatim."""

from __future__ import annotations

from research.readers.protocol import Draft, DraftQuote, DraftSentence, SectionRequest


def digest(request: SectionRequest) -> Draft:
    """Return the best findings of the section as they stand, at most `most_sentences`."""
    by_id = {one.evidence_id: one for one in request.evidence}
    chosen = [by_id[key] for key in request.section.evidence_ids if key in by_id][: request.most_sentences]
    return Draft(
        tuple(
            DraftSentence(
                " ".join(one.finding.quote.split()),
                (DraftQuote(one.finding.source_key, one.finding.quote),),
                verbatim=True,
            )
            for one in chosen
        )
    )
