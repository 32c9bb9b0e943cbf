"""Reading lists over strangers' pages: whether the passage that answers is among the five of its aspect.

And whether any is told twice, and whether languages stand apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rapidfuzz import fuzz

from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.research.keyed.bundled_meaning import bundled_meaning
from lab.bench.research.narratives.packs import packs
from lab.bench.research.retrieving.questions import Half, Page, pages, questions
from research.config import TIERS
from research.document import MARKER, Reference
from research.memo import ResearchMemo, WorkerResult
from research.readers.listing import passages_on
from research.readers.model.reading import open_reader
from research.readers.protocol import Asked, SourceText, WrittenReport
from research.report_type import ReportType
from research.sources.base import page_passages
from research.text.language import detect_language, phrases_for
from research.writing.checking import ReportMaterial
from research.writing.report import write_report

#: Passages of an aspect among which the answer must be.
_FIRST = 5
#: How alike two passages are that say the same (`rapidfuzz.fuzz.ratio`).
_SAME = 85
#: Words that a reprint adds or changes, and the share of the sources of a report that are reprinted.
_REPRINTED = 3
_YEAR = 2026


@dataclass(frozen=True)
class ReadingList:
    """A reading list, and for each section the passages in order."""

    #: What the request asks.
    aspects: tuple[str, ...]
    report: WrittenReport
    sections: tuple[tuple[str, ...], ...]


def measure() -> list[Measure]:
    """Questions of both halves over the pages of their subject, packs over their sources, and reprints."""
    found = [one for half in ("seen", "aside") for one in _half(half)]
    lists = [list_of(pack.asked, pack.sources) for pack in packs()]
    told = [
        any(figure.sentence in passage for section in one.sections for passage in section for figure in figures)
        for pack, one in zip(packs(), lists, strict=True)
        for aspect in pack.aspects
        if (figures := [one for one in (*pack.figures, *pack.more_figures) if one.aspect_id == aspect.aspect_id])
    ]
    reprints = [list_of(pack.asked, _reprinted(pack.sources)) for pack in packs()]
    every = [*lists, *reprints]
    pairs = [twice for one in every for twice in _told_twice(one)]
    mixed = [wrong for one in every for wrong in _mixed(one.report)]
    return [
        *found,
        measured(
            "reading_list_aspect_hit_at_5_packs",
            sum(told) / len(told),
            "of 1",
            at_least(0.75),
            f"{len(told)} aspects of {len(lists)} requests of strangers with eleven or twelve sources: a labelled "
            "figure is among the passages",
        ),
        measured(
            "reading_list_duplicates",
            sum(pairs) / len(pairs),
            "share",
            at_most(0.05),
            f"{len(pairs)} passages of {len(every)} lists, half of them with each third source reprinted: "
            "those that nearly repeat another one",
        ),
        measured(
            "reading_list_wrong_language_mixed",
            sum(mixed),
            "passages",
            exactly(0),
            f"{len(mixed)} passages of the same lists; those under the heading of another language",
        ),
    ]


def _half(half: Half) -> Iterator[Measure]:
    by_id = {page.page_id: page for page in pages(half)}
    end = "" if half == "seen" else "_aside"
    asked = questions(half)
    near: list[bool] = []
    across: list[bool] = []
    for one in asked:
        subject = one.page_id.rsplit("-", 1)[0]
        sources = {key: page for key, page in by_id.items() if key.rsplit("-", 1)[0] == subject}
        request = Asked(one.question, ReportType.NARRATIVE, one.language, _YEAR)
        read = list_of(request, {_key(page): _source(page) for page in sources.values()})
        hit = any(_holds(passage, one.passage) for section in read.sections for passage in section[:_FIRST])
        near.append(hit)
        if detect_language(by_id[one.page_id].text) != one.language:
            across.append(hit)
    of = "that the search was developed with" if half == "seen" else "kept aside"
    how = f"%d questions {of}, worded unlike their answer, each over the four pages of its subject"
    yield measured(
        f"reading_list_aspect_hit_at_5{end}", sum(near) / len(near), "of 1", at_least(0.75), how % len(near)
    )
    yield measured(
        f"reading_list_cross_language_hit_at_5{end}",
        sum(across) / len(across),
        "of 1",
        None,
        f"{how % len(across)}; the answer is in the other language",
    )


def list_of(asked: Asked, sources: Mapping[str, SourceText]) -> ReadingList:
    """Plan, read and write as a report without a model does, all sources in one round."""
    reader = open_reader(None, bundled_meaning())
    config = replace(TIERS["standard"], language=asked.language)
    plan = reader.plan(asked, config.max_questions)
    found = passages_on(plan.aspects, asked, sources, reader.meaning)
    domains = len({source.domain for source in sources.values()})
    memo = ResearchMemo(asked.query, ReportType.NARRATIVE, 1, 1, 0, len(sources), domains, domains)
    result = WorkerResult("t1", "web", asked.query, findings=found)
    report = write_report(ReportMaterial(asked, plan, config, memo, (result,), sources), reader)
    claims = {claim.claim_id: claim.quote for claim in report.claims}
    sections = tuple(
        tuple(claims[found["claim"]] for found in re.finditer(MARKER, section.body))
        for section in report.document.sections
    )
    return ReadingList(plan.aspects, report, sections)


def _holds(passage: str, answer: str) -> bool:
    return _plain(answer) in _plain(passage) or fuzz.partial_ratio(_plain(answer), _plain(passage)) >= 95


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text.casefold()).strip()


def _told_twice(one: ReadingList) -> list[bool]:
    """Return for each passage whether an earlier one of the list says nearly the same, folded ones apart."""
    claims = {claim.claim_id: claim.quote for claim in one.report.claims}
    shown = [
        claims[next(re.finditer(MARKER, line))["claim"]]
        for section in one.report.document.sections
        for line in section.body.split("\n")
        if line.startswith("> ")
    ]
    pairs = combinations(enumerate(shown), 2)
    twice = {later for (_, one), (later, other) in pairs if fuzz.ratio(one, other) >= _SAME}
    return [place in twice for place in range(len(shown))]


def _mixed(report: WrittenReport) -> list[bool]:
    """Return for each passage whether it stands under the heading of another language than its own."""
    claims = {claim.claim_id: claim.quote for claim in report.claims}
    words = phrases_for("wording", report.document.language)
    heads = {f"**{words[f'in_{language}']}**": language for language in ("en", "es")}
    found: list[bool] = []
    for section in report.document.sections:
        language: str = report.document.language
        for line in section.body.split("\n"):
            language = heads.get(line, language)
            if line.startswith("> "):
                quote = claims[next(re.finditer(MARKER, line))["claim"]]
                found.append(detect_language(quote) != language)
    return found


def _reprinted(sources: Mapping[str, SourceText]) -> dict[str, SourceText]:
    """Return the sources and, of each third, a reprint with another title whose passages begin elsewhere."""
    found = dict(sources)
    for key, source in list(sources.items())[::_REPRINTED]:
        again = f"{key}-again"
        reference = source.reference.model_copy(update={"key": again, "publisher": f"{source.domain} Reprints"})
        text = f"Reprinted with kind permission.\n\n{source.text}"
        parts: Sequence[tuple[str, None]] = [(part, None) for part in text.split("\n\n")]
        found[again] = SourceText(reference, f"{source.domain} Reprints", page_passages(parts), source.language)
    return found


def _key(page: Page) -> str:
    return re.sub(r"[^a-z0-9]+", "-", page.page_id.casefold())


def _source(page: Page) -> SourceText:
    reference = Reference(key=_key(page), kind="web", title=page.title, publisher=page.publisher, year=page.year)
    passages = page_passages([(part, None) for part in page.text.split("\n\n")])
    return SourceText(reference, page.publisher, passages, detect_language(page.text))
