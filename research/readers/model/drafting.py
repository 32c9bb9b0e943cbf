"""Ask a model to arrange evidence into sections, to write them, and to mend sentences; divide evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import Field

from research.citations.quotes import verify_quote
from research.readers.findings import clean_quote
from research.readers.model.asking import DATA, LANGUAGE_NAMES, Asking, Reply, as_data, or_passages
from research.readers.protocol import (
    Asked,
    DraftQuote,
    DraftSentence,
    Evidence,
    FaultySentence,
    NarrativeOutline,
    Plan,
    SectionOutline,
    SectionRequest,
)
from research.text.meaning import Meaning, Text, rank_texts

#: Most sections, most evidence of one, and most phrases for what is missing.
_SECTIONS, _EVIDENCE, _MISSING = 8, 12, 5
#: Most words of the context of a piece of evidence, of its source's title, and of its publisher.
_CONTEXT, _TITLE, _PUBLISHER = 25, 16, 6


class SectionGiven(Reply):
    """A section as a model gives it."""

    heading: str
    question: str = ""
    aspects: list[str] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list)


class OutlineGiven(Reply):
    """The sections in order, evidence that answers nothing, and what no evidence answers."""

    sections: list[SectionGiven] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)
    missing: list[str] = Field(default_factory=list)


class WordsGiven(Reply):
    """Words of a piece of evidence, not yet verified."""

    id: str
    words: str


class SentenceGiven(Reply):
    """A sentence and the words that carry it."""

    text: str
    evidence: list[WordsGiven] = Field(default_factory=list)
    new_paragraph: bool = False


class DraftGiven(Reply):
    """The sentences of a section in order."""

    sentences: list[SentenceGiven] = Field(default_factory=list)


class MendedGiven(SentenceGiven):
    """A mended sentence by the id of the faulty one."""

    id: str


class AllMendedGiven(Reply):
    """Mended sentences in any order; those without an id of a faulty one are ignored."""

    sentences: list[MendedGiven] = Field(default_factory=list)


class Drafting(Asking):
    """Writes narratives and summaries."""

    @or_passages
    def outline(self, asked: Asked, plan: Plan, evidence: Sequence[Evidence]) -> NarrativeOutline:
        """See `Reader.outline`; what the model neither placed nor left out goes to the nearest section."""
        aspects = "\n".join(f"a{n}: {aspect}" for n, aspect in enumerate(plan.aspects or plan.questions, start=1))
        user = f"Request: {asked.query}\n\nAspects:\n{aspects}\n\n{evidence_list(evidence, context=False)}"
        system = OUTLINE_SYSTEM.format(language=LANGUAGE_NAMES[asked.language], most=_SECTIONS)
        reply = self.ask("outline", f"{system}\n\n{DATA}", user, OutlineGiven)
        known = {one.evidence_id for one in evidence}
        found = [
            SectionOutline(
                given.heading,
                given.question or given.heading,
                tuple(one for one in given.evidence if one in known)[:_EVIDENCE],
            )
            for given in reply.sections[:_SECTIONS]
        ]
        found = [section for section in found if section.evidence_ids]
        if not found:
            raise self.unusable("outline", "nothing_known")
        placed = {one for section in found for one in section.evidence_ids} | {*reply.left_out}
        left = [one for one in evidence if one.evidence_id not in placed]
        more = assigned([section.question for section in found], left, self.meaning, _EVIDENCE)
        sections = (
            replace(section, evidence_ids=(*section.evidence_ids, *(one.evidence_id for one in of_it))[:_EVIDENCE])
            for section, of_it in zip(found, more, strict=True)
        )
        return NarrativeOutline(tuple(sections), tuple(reply.missing[:_MISSING]))

    @or_passages
    def draft(self, request: SectionRequest) -> list[DraftSentence]:
        """See `Reader.draft`."""
        system, purpose, part = SECTION_SYSTEM, "section", f"section: {request.heading}"
        if request.is_summary:
            system, purpose, part = SUMMARY_SYSTEM, "summary", "summary"
        system = system.format(language=LANGUAGE_NAMES[request.asked.language], most=request.most_sentences)
        reply = self.ask(purpose, f"{system}\n\n{DATA}", _told(request), DraftGiven, part=part)
        texts = {one.evidence_id: one.finding.quote for one in request.evidence}
        if reply.sentences and not any(_stands(words, texts) for one in reply.sentences for words in one.evidence):
            raise self.unusable(part, "nothing_proven")
        given = (one for one in reply.sentences[: request.most_sentences] if one.text)
        return [_sentence(one, request.evidence) for one in given]

    @or_passages
    def mended(self, asked: Asked, faulty: Sequence[FaultySentence]) -> list[DraftSentence | None]:
        """See `Reader.mended`."""
        system = f"{MEND_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        wanted = "\n".join(
            f"s{number}: {one.sentence.text}\nFaults: {'; '.join(one.faults)}\n"
            f"Evidence: {', '.join(piece.evidence_id for piece in one.evidence)}"
            for number, one in enumerate(faulty, start=1)
        )
        pieces = list({piece.evidence_id: piece for one in faulty for piece in one.evidence}.values())
        reply = self.ask("mended", system, f"{wanted}\n\n{evidence_list(pieces)}", AllMendedGiven)
        by_id = {given.id: _sentence(given, pieces) for given in reply.sentences if given.text}
        return [by_id.get(f"s{number}") for number in range(1, len(faulty) + 1)]


def evidence_list(evidence: Sequence[Evidence], *, context: bool = True) -> str:
    """Return the evidence for a prompt, by source in the order of their best pieces, each with its id.

    `context`: whether each piece gets the sentence before it, unless the previous piece contains it.
    """
    by_source: dict[str, list[Evidence]] = {}
    for one in evidence:
        by_source.setdefault(one.finding.source_key, []).append(one)
    lines = []
    for pieces in by_source.values():
        lines.append(_opening(pieces[0]))
        above = ""
        for one in sorted(pieces, key=lambda piece: piece.finding.start_char):
            text = as_data(clean_quote(one.finding.quote))
            if context and one.before and one.before not in above:
                lines.append(f"before: {as_data(' '.join(one.before.split()[-_CONTEXT:]))}")
            lines.append(f"<{one.evidence_id}>{text}</{one.evidence_id}>")
            above = text
        lines.append("</source>")
    return "\n".join(lines)


def _opening(one: Evidence) -> str:
    by = " ".join(filter(None, (_attribute(one.publisher, _PUBLISHER), str(one.year or ""))))
    return f'<source kind="{one.strength}" title="{_attribute(one.title, _TITLE)}" by="{by}">'


def _attribute(text: str, words: int) -> str:
    return " ".join(text.replace('"', "'").replace("<", " ").replace(">", " ").split()[:words])


def _told(request: SectionRequest) -> str:
    lines = [f"Request: {request.asked.query}"]
    if not request.is_summary:
        lines += [f"Section: {request.heading}", f"Question: {request.question}"]
    if request.is_summary and request.others:
        lines += ["The report holds:", *(f"- {as_data(one)}" for one in request.others)]
    elif request.others:
        lines.append(f"Other sections: {'; '.join(request.others)}")
    if request.disagreements:
        lines.append(f"These do not fit together: {'; '.join(' and '.join(one) for one in request.disagreements)}")
    return "\n".join(lines) + f"\n\n{evidence_list(request.evidence)}"


def _sentence(given: SentenceGiven, evidence: Sequence[Evidence]) -> DraftSentence:
    keys = {one.evidence_id: one.finding.source_key for one in evidence}
    quotes = tuple(DraftQuote(keys[one.id], one.words) for one in given.evidence if one.id in keys)
    return DraftSentence(given.text, quotes, given.new_paragraph)


def _stands(words: WordsGiven, texts: Mapping[str, str]) -> bool:
    return words.id in texts and verify_quote(words.words, words.id, texts).source_id is not None


# Prompts about evidence: outline, sections, summary, mended sentences.


#: A piece of evidence in a prompt.
_EVIDENCE_FORMAT = """\
evidence: sources, each with its kind and title, and between tags with ids the pieces of its text. A line "before"
tells what stands right before a piece."""

#: Parameters `language` and `most`: of headings; most sections.
OUTLINE_SYSTEM = """\
You arrange evidence into the sections of a report for a programme officer. You get the request, the aspects that
the report should say something about, and evidence: sources, each with its kind and title, and between tags with
ids the pieces of its text; a low number marks a good piece.

Give "sections" in the order in which the officer asks, at most {most}, as a rule one for each aspect. For each:
- "heading": two to five words in {language}, the name of its subject, never a question.
- "question": what the section answers, one short sentence in {language}.
- "aspects": ids of the aspects on which its evidence says something; an aspect that no evidence answers stands
  nowhere and gets no section.
- "evidence": ids, the best first: what answers with figures or dates before what only speaks of the subject,
  trials and surveys before opinions, several sources. Pieces that contradict or confirm each other go together. An
  id stands in one section only.
Give in "left_out" the ids of evidence that does not answer the request: another subject, mere praise.
Give in "missing" the parts of the request that no piece answers, even partly: each in the request's own words, two
to ten of them in a row, in {language}. Nothing finer than what was asked; none if every part has some answer.

Example. The request asks for costs, safety, and whether disabled children can join: aspects a1 "costs", a2
"safety"; e1 and e2 give costs, e3 counts falls, e4 is about lorries.
{{"sections": [{{"heading": "Costs for a year", "question": "What does it cost in a year?", "aspects": ["a1"],
"evidence": ["e2", "e1"]}}, {{"heading": "Safety on the way", "question": "Was anybody hurt?", "aspects": ["a2"],
"evidence": ["e3"]}}], "left_out": ["e4"], "missing": ["whether disabled children can join"]}}"""

#: Rules for sentences and their words; parameter `language`.
_SENTENCES = """\
- "text": one sentence of plain prose in {language}, without markers, brackets, links or lists. It says only what
  its words say. Say who says it where that matters: "A trial at 22 schools found …", "The firm itself claims …".
- "evidence": for each piece that carries the sentence its "id" and "words", 3 to 40 words in a row, copied
  character by character from that piece, never from a line "before". Every number and date of the sentence stands
  in these words, as it is and not computed; every name stands there or in the title of their source."""

#: Parameters `language` and `most`: sentences of the section.
SECTION_SYSTEM = (
    """\
You write one section of a report for a programme officer. You get the request, the section's heading and question,
the headings of the other sections, and """
    + _EVIDENCE_FORMAT
    + """

Give "sentences", at most {most}. The first one answers the question. No figure or date that answers is left out:
take piece after piece, figures before generalities. Where pieces contradict each other, say so in one sentence
with words of both; where they confirm each other, say that. For each sentence:
"""
    + _SENTENCES
    + """
- "new_paragraph": true where another thought begins.
Without evidence that answers, give no sentences.

Example. e1 (trial) is "Late marks fell from 6.8% to 5.1%.", e2 (provider) is "Nobody is late any more!"
{{"sentences": [{{"text": "In a trial late marks fell from 6.8% to 5.1%, while a provider claims that nobody is
late any more.", "evidence": [{{"id": "e1", "words": "Late marks fell from 6.8% to 5.1%"}}, {{"id": "e2",
"words": "Nobody is late any more"}}], "new_paragraph": false}}]}}"""
)

#: Parameters `language` and `most`.
SUMMARY_SYSTEM = (
    """\
You write the summary of a report for a programme officer who may read nothing else. You get the request, what the
report holds, and its best """
    + _EVIDENCE_FORMAT
    + """

Give "sentences", at most {most}, of at most 35 words. The first one is the answer, in the words of the request and
with the strongest figure for it. Its shape follows the request:
- whether: "Yes, a little: …", "No: …", "It is not settled whether …: …";
- why, how: "Fewer people ride at night mostly because …: …";
- how much, how many: "A walking bus costs about … a year: …";
- which: "Of the …, … do most for …: …".
If the request asks several things, the first sentence answers the one asked first or most, and each other one is
answered in a sentence of its own, in the order of the request; what no piece answers is passed over. Give the
figure that speaks against the answer, too. For each sentence:
"""
    + _SENTENCES
    + """
- "new_paragraph": false.

Example. The request is "Does it cut lateness, and what does it cost?"; e1 (trial) is "Late marks fell from 6.8% to
5.1%.", e2 is "The bus cost £612 this year."
{{"sentences": [{{"text": "Yes, it cuts lateness a little: in a trial late marks fell from 6.8% to 5.1%.",
"evidence": [{{"id": "e1", "words": "Late marks fell from 6.8% to 5.1%"}}], "new_paragraph": false}}, {{"text":
"One bus cost £612 in a year.", "evidence": [{{"id": "e2", "words": "The bus cost £612 this year"}}],
"new_paragraph": false}}]}}"""
)

#: Parameter `language`.
MEND_SYSTEM = (
    """\
You mend sentences of a report which cannot be published as they are. Each has an id, its faults, and the ids of
the pieces that are nearest to it. Below stands """
    + _EVIDENCE_FORMAT
    + """

Give "sentences", one for each id that can be mended; leave out the others. For each its "id", and:
"""
    + _SENTENCES
    + """
Words that were not found stand in no source: never give them again. A number or name that no piece has goes.

Example. s1: "Nearly all 22 schools saw late marks fall to 5.1%." Fault: these numbers stand in none of its quotes:
22. e1 is "Late marks fell from 6.8% to 5.1%."
{{"sentences": [{{"id": "s1", "text": "Late marks fell from 6.8% to 5.1%.", "evidence": [{{"id": "e1",
"words": "Late marks fell from 6.8% to 5.1%"}}]}}]}}"""
)


# Divide evidence among all subjects of a report at once instead of subject by subject.


#: Share of its score that a piece loses for each piece of the same source that the subject already has.
_SAME_SOURCE = 0.3
#: Least score of a piece, as a share of the subject's best score.
_SHARE_OF_BEST = 0.4


def assigned(
    subjects: Sequence[str], evidence: Sequence[Evidence], meaning: Meaning, most: int
) -> list[list[Evidence]]:
    """Return for each subject its evidence, best first, at most `most`; each piece is assigned at most once.

    A piece goes to the subject where it scores best, so that an early subject takes nothing that a later one needs
    more. Pieces without a score are left out; if there are more than `most` pieces, so are those far below a
    subject's best.
    """
    texts = [Text(one.finding.quote, one.language) for one in evidence]
    scores = [_of_the_best(rank_texts(subject, texts, meaning), len(texts) > most) for subject in subjects]
    given: list[list[Evidence]] = [[] for _ in subjects]
    taken: list[Counter[str]] = [Counter() for _ in subjects]
    left = list(range(len(evidence)))

    def worth(offer: tuple[int, int]) -> float:
        place, n = offer
        return scores[n][place] * max(0.0, 1 - _SAME_SOURCE * taken[n][evidence[place].finding.source_key])

    # `max` takes the first of equal offers.
    while offers := [(place, n) for place in left for n in range(len(subjects)) if len(given[n]) < most]:
        place, n = max(offers, key=worth)
        if not worth((place, n)):
            break
        given[n].append(evidence[place])
        taken[n][evidence[place].finding.source_key] += 1
        left.remove(place)
    return given


def _of_the_best(scores: Sequence[float], many: bool) -> list[float]:
    """Return the scores as shares of the best one; if `many`, 0 for those far below it."""
    best = max(scores, default=0.0) or 1.0
    least = _SHARE_OF_BEST * best if many else 0.0
    return [score / best if score >= least else 0.0 for score in scores]
