"""Write a section from sentences of its sources, verbatim."""

from __future__ import annotations

from research.readers.protocol import STRENGTHS, DraftQuote, DraftSentence, Evidence, SectionRequest
from research.readers.rules.statements import dangles, is_statement
from research.readers.shown import shown

#: Most sentences of a section other than the summary: more than of prose, because nothing is said in fewer words.
_MOST = 12


def digest(request: SectionRequest) -> list[DraftSentence]:
    """Return the best findings of the section as they stand, those from strong kinds of sources first.

    A paragraph holds what one kind of source says, source by source, each in its own order. A sentence that leans
    on the one before it is given together with that one, or left out; none is given twice. Two that contradict
    each other are left to the caller, to be set side by side.
    """
    apart = {key for pair in request.disagreements for key in pair}
    chosen: list[tuple[Evidence, str]] = []
    for one in request.evidence:
        text = _alone(one) if one.evidence_id not in apart else ""
        if text and not any(text in known or known in text for _, known in chosen):
            chosen.append((one, text))
    chosen = chosen[: request.most_sentences if request.is_summary else _MOST]
    if request.is_summary:
        return [_sentence(one, text) for one, text in chosen]
    keys = list(dict.fromkeys(one.finding.source_key for one, _ in chosen))
    sentences: list[DraftSentence] = []
    for strength in STRENGTHS:
        own = [pair for pair in chosen if pair[0].strength == strength]
        own.sort(key=lambda pair: (keys.index(pair[0].finding.source_key), pair[0].finding.start_char))
        sentences += [_sentence(one, text, first=not place) for place, (one, text) in enumerate(own)]
    return sentences


def _alone(one: Evidence) -> str:
    """Return the words to quote; "" if they cannot be quoted."""
    text = shown(one.finding.quote)
    if not is_statement(text):
        return ""
    if not dangles(text, one.language):
        return text
    before = one.before
    return f"{before} {text}" if is_statement(before) and not dangles(before, one.language) else ""


def _sentence(one: Evidence, text: str, *, first: bool = False) -> DraftSentence:
    return DraftSentence(text, (DraftQuote(one.finding.source_key, text),), new_paragraph=first, verbatim=True)
