"""Prompts of the supervision, one named constant each."""

from research.readers.model.reading_prompts import DATA

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
