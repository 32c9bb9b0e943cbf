"""Ask a model which sentences of the sources answer the questions, and how statements of two sources relate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import Field

from research.material import SourceText
from research.memo.worker_result import Finding
from research.readers.model.asking import Asking, Reply, or_passages
from research.readers.model.passages import plain, window_of
from research.readers.model.reading_prompts import AGREEMENT_SYSTEM, DATA, FIND_SYSTEM
from research.readers.protocol import Agreement, Asked, Evidence
from research.readers.quoted import in_whole_sentences, located
from research.readers.shown import shown
from research.report_type import ReportType

#: Most tokens of passages for one question, and for all together.
_OF_A_QUESTION, _OF_ALL = 2000, 6000
#: Most findings in one window, and least bound for one question.
_MOST, _FOR_A_QUESTION = 36, 6
#: Fewest and most words of a finding.
_SHORTEST, _LONGEST = 4, 120
#: How much the score falls from one finding to the next, and the least score.
_STEP, _LEAST = 0.04, 0.3


class FoundWords(Reply):
    """A finding as a model gives it, not yet verified."""

    question: str
    passage: str
    words: str


class FoundInWindow(Reply):
    """The findings of a window, best first."""

    found: list[FoundWords] = Field(default_factory=list)


class PairGiven(Reply):
    """How the pair of an id relates."""

    id: str
    how: Agreement


class PairsGiven(Reply):
    """Pairs in any order, possibly not all."""

    pairs: list[PairGiven] = Field(default_factory=list)


class Reading(Asking):
    """Reads findings, and compares statements."""

    @or_passages
    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """See `Reader.findings`; nothing that the model gives and no source has.

        For a catalog the model reads the items, whose values are evidence too; the rest is near the questions.
        """
        if asked.report_type is ReportType.CATALOG:
            return super().findings(asked, questions, sources)
        most_tokens = min(_OF_ALL, _OF_A_QUESTION * len(questions))
        window = window_of(questions, sources, self.meaning, most_tokens)
        if not window.key_of:
            return {question: [] for question in questions}
        by_id = {f"q{number}": question for number, question in enumerate(questions, start=1)}
        listed = "\n".join(f"{short}: {' '.join(question.split())}" for short, question in by_id.items())
        most = max(_FOR_A_QUESTION, _MOST // len(by_id))
        user = f"Report: {asked.query}\n\nQuestions:\n{listed}\n\n{window.text}"
        reply = self.ask("findings", f"{FIND_SYSTEM.format(most=most)}\n\n{DATA}", user, FoundInWindow)
        found: dict[str, list[Finding]] = {question: [] for question in questions}
        unproven = 0
        for given in reply.found:
            question, key = by_id.get(given.question), window.key_of.get(given.passage)
            finding = _finding(given.words, key, window.sources) if question and key else None
            if question is None or finding is None:
                unproven += 1
            elif len(found[question]) < most:
                found[question].append(finding)
        self.log.unproven += unproven
        if unproven and not any(found.values()):
            raise self.unusable("findings", "nothing_proven")
        return {question: _ranked(of_one) for question, of_one in found.items()}

    @or_passages
    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """See `Reader.agreement`; unrelated where the reply says nothing, or two things, of a pair."""
        if not pairs:
            return []
        listed = "\n".join(
            f"<a{n}>1 {_stated(one)}\n2 {_stated(other)}</a{n}>" for n, (one, other) in enumerate(pairs, start=1)
        )
        reply = self.ask("agreement", f"{AGREEMENT_SYSTEM}\n\n{DATA}", listed, PairsGiven)
        said: dict[str, Agreement] = {}
        for pair in reply.pairs:
            said[pair.id] = pair.how if said.get(pair.id, pair.how) == pair.how else "unrelated"
        return [said.get(f"a{n}", "unrelated") for n in range(1, len(pairs) + 1)]


def _stated(one: Evidence) -> str:
    source = " ".join(map(str, filter(None, (f"{one.title},", one.publisher, one.year))))
    return f"({plain(source)}): {plain(shown(one.finding.quote))}"


def _finding(words: str, key: str, sources: Mapping[str, SourceText]) -> Finding | None:
    place = located(words, key, sources)
    if place is None or not _SHORTEST <= len(place.quote.split()) <= _LONGEST:
        return None
    return in_whole_sentences(place, sources)


def _ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings without overlaps, their scores falling with their rank."""
    kept: list[Finding] = []
    for one in findings:
        if not any(
            one.source_key == other.source_key
            and one.start_char < other.end_char
            and other.start_char < one.end_char
            for other in kept
        ):
            kept.append(one)
    return [replace(one, score=round(max(_LEAST, 1 - _STEP * n), 4)) for n, one in enumerate(kept)]
