"""Prompts of the supervision, and the document as an outline in them."""

from __future__ import annotations

import re
from collections.abc import Collection
from statistics import median

from pydantic import BaseModel, ConfigDict
from rapidfuzz import fuzz

from core.plain_data import token_count as count_tokens
from research.document import MARKER, ReportDocument, Section
from research.readers.model.asking import DATA, as_data
from research.text.language import rank_sentences

ANALYZE_SYSTEM = f"""\
You examine a document for the one gap that weighs most. You get its outline (of each section the key, heading,
numbers of words and sources, and its text or first words), what sources of the library say and the document does
not, the gaps that were looked into before, and how many looks are left.

A gap is a theory or concept that the argument rests on and does not explain (underlying_theory,
foundational_concepts), a method whose foundation is missing (methodological_foundation), a thread that sections
share and nothing names (unifying_threads), a section that says far less than the others (thin_section), or a
weighty claim without a source (unsupported_claim). Style, length and layout are no gaps.

Give "reasoning", one or two sentences on why you decide so; "confidence" from 0 to 1; and "gap", null if what is
missing would not change what a reader may conclude:
- "topic": two to six words. Of two gaps that weigh alike, name the one that the library can close.
- "section": the key of the section where it shows.
- "kind", and "severity": significant if a conclusion of the document may change, moderate if one is harder to
  judge, minor if only an aside is.
- "concepts": up to four concepts, of one to four words each, that the section should name once the gap is closed.
- "why": why it matters, in one or two sentences.
- "searches": two or three queries of a few words that would find sources on it.
- "guidance": what to add and where, in one sentence.
Do not name again what was looked into before, in other words either. Write in the language of the document.

Example of a reply on a document about walking buses:
{{"reasoning": "The safety of the walk rests on how children learn to judge traffic, which is never explained.",
"confidence": 0.8, "gap": {{"topic": "gap judgement of children", "section": "safety",
"kind": "foundational_concepts", "severity": "significant", "concepts": ["gap judgement", "age of crossing"],
"why": "Without it a reader cannot tell from which age a child may lead.",
"searches": ["children road crossing gap judgement age", "gap selection child pedestrians"],
"guidance": "Explain it in the section on safety, before the accidents are reported."}}}}

{DATA}"""

ANALYZE_USER = """\
Subject: {title}
Question: {query}
Language: {language}
Look {iteration} of {max_iterations}.

Looked into before:
{explored}

<outline>
{outline}
</outline>

<library>
{known}
</library>"""

INTEGRATE_SYSTEM = f"""\
You close a gap in one section of a document by inserting sentences from excerpts of sources. You get the gap, the
section with its sentences numbered, the headings of the other sections, and the excerpts, each with its id, its
source, and sometimes the sentence before it, which tells what it speaks of and is not quoted.

Give "insertions", each with:
- "after": the number of the sentence that it follows; 0 for a new short section after this one, which needs a
  "heading".
- "sentences", in order, each with "text" and "quotes". A quote has the id of an "excerpt" and the "words" of it
  that carry the sentence, six or more in a row, copied character by character. Every number, date and name of a
  sentence stands in its quotes.
- A sentence that only joins or explains may have no quotes, after one that has some, if it holds no number, date
  or name.

Use every excerpt that helps to close the gap, from different sources if you can, in two to six sentences. Do not
repeat what the section says, and write no markers, brackets, footnotes or Markdown. Write in the language of the
document. If no excerpt closes the gap, give no insertions.

Example. Sentence (2) of the section is "Children lead the walk from the age of nine."; excerpt e1, from a study of
2016, reads "Below the age of ten, children chose gaps that were too short in one of three trials."
{{"insertions": [{{"after": 2, "sentences": [{{"text": "Whether they can judge a gap in traffic at that age is
doubtful: below ten, children chose gaps that were too short in one of three trials.", "quotes": [{{"excerpt":
"e1", "words": "children chose gaps that were too short in one of three trials"}}]}}, {{"text": "Leading the
walk thus asks for more than knowing the way.", "quotes": []}}]}}]}}

{DATA}"""

INTEGRATE_USER = """\
Document: {title}
Language: {language}
The gap: {topic}. {why}
How to close it: {guidance}
Other sections: {others}

<section heading="{heading}">
{section}
</section>

<excerpts>
{excerpts}
</excerpts>
{refused}"""

REFUSED = """
Your last reply was refused:
{problems}
Give other insertions: new sentences with quotes that are copied exactly."""


class StrictReply(BaseModel):
    """A part of a model's reply, with the keys that were asked for alone."""

    model_config = ConfigDict(extra="forbid")


# Show a document as plain text, and to a model as an outline with the relevant sections in full.


_MARKER = re.compile(MARKER)
_MARKER_AND_SPACE = re.compile(rf"(?>(?:(?<!\s)\s++)?){MARKER}")
_MARKDOWN = re.compile(r"^[>#\s|*-]+|[*_`|]+", re.MULTILINE)
#: Least `rapidfuzz.fuzz.partial_ratio` at which a text already has a sentence.
_SAID = 90
#: Most tokens of the sections in full, and of headings and first words of the others.
BODY_TOKENS, OUTLINE_TOKENS = 4000, 4000
#: A section with fewer words than this share of the median is thin; one with LEAST_WORDS is never too short.
_THIN, LEAST_WORDS = 0.3, 40
#: Least number of sections for a meaningful median.
_LEAST_SECTIONS = 3
#: Most characters of a heading, and words of the beginning of a section.
_HEADING, _BEGINNING = 160, 25


def plain_of(document: ReportDocument) -> str:
    """Return headings and bodies, with a blank line between sections."""
    return "\n\n".join(f"{section.heading}\n\n{without_markdown(section.body)}" for section in document.sections)


def without_markdown(body: str) -> str:
    """Return a body without markers and Markdown."""
    return _MARKDOWN.sub(" ", _MARKER_AND_SPACE.sub("", body))


def is_in_text(sentence: str, text: str) -> bool:
    """Return whether a text has a sentence nearly word for word."""
    return fuzz.partial_ratio(sentence, text) >= _SAID


def cited_in(text: str) -> set[str]:
    """Return the citation keys of the markers in a text."""
    return {found["key"] for found in _MARKER.finditer(text)}


def is_too_short(document: ReportDocument) -> bool:
    """Return whether no section has enough words to be examined."""
    return not any(len(without_markdown(section.body).split()) >= LEAST_WORDS for section in document.sections)


def thin_sections(document: ReportDocument) -> list[str]:
    """Return the keys of sections with too little text or too few citations, shortest first, not empty ones."""
    measured = [
        (len(without_markdown(section.body).split()), len(cited_in(section.body)), section.key)
        for section in document.sections
        if section.required and section.body.strip()
    ]
    if len(measured) < _LEAST_SECTIONS:
        return []
    usual, cited = median(words for words, _, _ in measured), median(keys for _, keys, _ in measured)
    return [
        key
        for words, keys, key in sorted(measured, key=lambda one: one[0])
        if (keys == 0 and cited >= 2 and words >= LEAST_WORDS) or words < min(_THIN * usual, LEAST_WORDS)
    ]


def document_outline(document: ReportDocument, question: str, first: Collection[str] = ()) -> str:
    """Return the sections in order: key, heading, numbers of words and sources, and text.

    The sections of the keys `first`, then those nearest to the question, are in full up to `BODY_TOKENS`. The
    others have their headings, then their first words, higher levels first, up to `OUTLINE_TOKENS`.
    """
    sections, bodies = document.sections, [without_markdown(section.body).strip() for section in document.sections]
    written = [at for at, body in enumerate(bodies) if body]
    texts = [f"{sections[at].heading} {bodies[at]}" for at in written]
    near = dict(zip(written, rank_sentences(question, texts, document.language), strict=True))
    whole, left = dict[int, str](), BODY_TOKENS
    for at in sorted(near, key=lambda at: (sections[at].key not in first, -near[at], at)):
        if (cost := count_tokens(sections[at].body)) <= left:
            whole[at], left = _shown(sections[at], bodies[at]), left - cost
    others, left = dict[int, str](), OUTLINE_TOKENS
    for words in (0, _BEGINNING):
        for at in sorted({*range(len(sections))} - whole.keys(), key=lambda at: (sections[at].level, at)):
            beginning = " ".join(bodies[at].split()[:words])
            text = _shown(sections[at], f"{beginning} …" if beginning else "")
            if (cost := count_tokens(text) - count_tokens(others.get(at, ""))) <= left:
                others[at], left = text, left - cost
    return "\n".join(text for _, text in sorted({**whole, **others}.items()))


def _shown(section: Section, text: str) -> str:
    words, sources = len(without_markdown(section.body).split()), len(cited_in(section.body))
    head = f"[{section.key}] {section.heading[:_HEADING]} ({words} words, {sources} sources)"
    return as_data(f"{head}\n{text}".rstrip())
