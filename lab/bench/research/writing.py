"""Whole reports over the keyed corpus: reading lists, and what a lying model gets published, in every format."""

from __future__ import annotations

import re
from statistics import mean

from lab.bench.measure import Measure, at_least, at_most, exactly, measured
from lab.bench.research.keyed.bundled_meaning import bundled_meaning
from lab.bench.research.keyed.claims import claim_coverage, numeric_support
from lab.bench.research.keyed.corpus import topics
from lab.bench.research.keyed.domains import effective_domains, top_domain_share
from lab.bench.research.keyed.marks import problems
from lab.bench.research.keyed.material import material_of
from lab.bench.research.keyed.untrue_model import FABRICATED, UNKNOWN, UntrueModel
from research.document import MARKER, CheckedClaim
from research.readers.model.reading import open_reader
from research.readers.protocol import WrittenReport
from research.writing.checking import ReportMaterial
from research.writing.report import write_report

_HOW = "8 queries of 8 fields in two languages, 20 sources each, as a reading list and with a model that lies"


def measure() -> list[Measure]:
    """Every figure of the writers and the exports."""
    told = [(topic, material_of(topic), material_of(topic, bundled_meaning())) for topic in topics()]
    lists = [(topic, listed, _written(listed, None)) for topic, _, listed in told]
    every = [*lists, *((topic, material, _written(material, UntrueModel())) for topic, material, _ in told)]
    carried = [stands for _, material, report in every for stands in _carried(material, report)]
    formats = [not problems(report.document) for _, _, report in every]
    covered = [claim_coverage(report.document) for _, _, report in every]
    numbers = [numeric_support(report.document, report.claims) for _, _, report in every]
    domains = [_domains(material, report) for _, material, report in every]
    on_topic = [topic.answers(claim.quote) for topic, _, report in lists for claim in report.claims]
    return [
        measured("published_quotes_verified", _share(carried), "share", exactly(1), f"{_HOW}; of the markers"),
        measured(
            "marker_integrity", _share(formats), "share", exactly(1), f"{_HOW}; numbers read back from 7 formats"
        ),
        measured(
            "claim_coverage",
            sum(share.covered for share in covered) / sum(share.wanted for share in covered),
            "share",
            at_least(0.95),
            f"{_HOW}; sentences with a number, date or name",
        ),
        measured(
            "numeric_support",
            sum(share.covered for share in numbers) / sum(share.wanted for share in numbers),
            "share",
            at_least(0.98),
            f"{_HOW}; numbers found in their quotations",
        ),
        measured(
            "effective_domains", mean(map(effective_domains, domains)), "domains", at_least(8), f"{_HOW}; mean"
        ),
        measured(
            "effective_domains_least",
            min(map(effective_domains, domains)),
            "domains",
            None,
            f"{_HOW}; of any report",
        ),
        measured(
            "top_domain_share", max(map(top_domain_share, domains)), "share", at_most(0.25), f"{_HOW}; the largest"
        ),
        measured(
            "reading_list_on_topic",
            _share(on_topic),
            "share",
            at_least(0.8),
            f"{len(on_topic)} passages of 8 reading lists that hold an answering sentence; half of "
            "the sentences of twelve sources answer, and three more sources of each topic only share its words",
        ),
    ]


def _written(material: ReportMaterial, model: UntrueModel | None) -> WrittenReport:
    return write_report(material, open_reader(model, bundled_meaning()))


def _carried(material: ReportMaterial, report: WrittenReport) -> list[bool]:
    """Return for each marker whether its claim's quotation is at the stated place; False for published lies."""
    claims = {claim.claim_id: claim for claim in report.claims}
    text = "\n".join(section.body for section in report.document.sections)
    lies = text.count(FABRICATED) + text.count(UNKNOWN) + text.count("4711")
    found = [_stands(claims.get(m["claim"] or ""), m["key"], material) for m in re.finditer(MARKER, text)]
    return found + [False] * lies


def _stands(claim: CheckedClaim | None, key: str, material: ReportMaterial) -> bool:
    if claim is None or claim.source_key != key or claim.status == "fabricated":
        return False
    return bool(claim.quote) and material.sources[key].text[claim.start_char : claim.end_char] == claim.quote


def _domains(material: ReportMaterial, report: WrittenReport) -> list[str]:
    """Of the sources cited, each once."""
    return [material.sources[reference.key].domain for reference in report.document.references]


def _share(hits: list[bool]) -> float:
    return sum(hits) / len(hits) if hits else 0.0
