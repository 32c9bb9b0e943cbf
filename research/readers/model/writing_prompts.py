"""Prompts about evidence: outline, sections, summary, mended sentences."""

#: What a request shows of evidence.
_EVIDENCE = """\
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
    + _EVIDENCE
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
    + _EVIDENCE
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
    + _EVIDENCE
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
