"""Second readings without a model: other ways to read a field that the first reading left missing or weak.

Each way is its own witness and is named in `FieldReading.way`: the field's zone straightened and enlarged, each
page of the entry by itself, the page without its blur, many pictures of its line, the season's school list.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.config import Settings
from core.file_store import FileStore
from core.messages import Message
from pipeline.extraction.combine import alone, same_value
from pipeline.extraction.entry import read_entry
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.extraction.values.schools import likely_schools, match_school
from pipeline.looks.closer_look import can_look_closer, look_closer
from pipeline.looks.line_look import LineLook
from pipeline.looks.line_votes import line_votes
from pipeline.looks.second_look import from_nearer
from pipeline.messages import ReadingWay
from pipeline.mupdf.file import PdfFile, open_pdf
from pipeline.mupdf.pictured import Sheet, pdf_of_sheets
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import PageContent, Source
from pipeline.pages.render import render
from pipeline.profiles import ANY_FORM, HEADER_KINDS, FieldKind, Forms
from pipeline.profiles.declared import kind_of
from pipeline.recognition.page_contents import read_pages
from pipeline.recognition.sharpen import RESOLUTION, sharpened
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.spelling.spelled import SPELLED_KINDS

#: Scales of the zone; the first reading used 1. Below 0.75 and above 1.3 letters at the ends are lost.
ENLARGEMENTS = (1.25, 0.8)
#: Minimum confidence of a reading from a sharpened page.
CLEAR = 0.7
#: Minimum similarity (0-100) of a known school that is proposed.
SCHOOL_LIKENESS = 78.0
#: Kinds of values of one line, which many pictures of it can vote on.
LINE_KINDS = SPELLED_KINDS | {FieldKind.GRADE}
#: Confidence of a listed name, with and without a second reading that matches it too.
LISTED_TWICE, LISTED = 0.9, 0.85
#: Minimum similarity (0-100, a part of a name is enough) and confidence of the name that a list ranks first for a
#: value that is clearly like none of its names: it is proposed, and preferred to nothing but a doubtful reading.
RANKED_LIKENESS, RANKED = 70.0, 0.4


def propose(
    field: str,
    pdf: bytes,
    record: SubmissionRecord,
    pages: Sequence[PageContent],
    settings: Settings,
    store: FileStore,
    schools: Mapping[str, Sequence[str]],
    looked: Sequence[FieldReading] = (),
    forms: Forms = ANY_FORM,
) -> list[FieldReading]:
    """Return other readings of one field, surest first; empty where there are none.

    `looked` are those of each page by itself and of its enlarged zone (see `by_page`, `enlarged`).

    Raises RecognitionError where recognition fails.
    """
    if kind_of(field) not in HEADER_KINDS:
        return []
    roled_pages = roles_of(pages, forms)
    readings = list(looked)
    if getattr(record, field) is None:
        readings += from_sharpened_pages(field, pdf, roled_pages, settings, store)
    readings += from_votes(field, pdf, record, readings, roled_pages, settings, store)
    if kind_of(field) is FieldKind.SCHOOL:
        readings += from_school_list(record, readings, schools)
    return sorted((r for r in readings if r.value), key=lambda r: -r.confidence)


def by_page(
    fields: Sequence[str], pages: Sequence[PageContent], forms: Forms = ANY_FORM
) -> dict[str, list[FieldReading]]:
    """Return the readings of each page by itself, of those header fields that several pages have."""
    asked = {name for name in fields if kind_of(name) in HEADER_KINDS}
    found: dict[str, list[FieldReading]] = {name: [] for name in asked}
    for roled in roles_of(pages, forms) if asked and len(pages) > 1 else ():
        way = Message.of(ReadingWay.PAGE_BY_ITSELF, page=roled.page.number).to_json()
        for name, reading in read_entry([roled.page], [roled])[0].items():
            if name in asked and reading.value:
                found[name].append(reading.model_copy(update={"way": way}))
    return {name: readings for name, readings in found.items() if len(readings) > 1}


def enlarged(
    fields: Sequence[str],
    pdf: bytes,
    pages: Sequence[PageContent],
    settings: Settings,
    store: FileStore,
    forms: Forms = ANY_FORM,
) -> dict[str, list[FieldReading]]:
    """Return readings of the fields' zones at the scales of ENLARGEMENTS, all fields of a page in one picture.

    Raises RecognitionError where recognition fails.
    """
    provider = get_provider(settings.ocr_provider, settings)
    found: dict[str, list[FieldReading]] = {}
    for roled in filter(can_look_closer, roles_of(pages, forms)):
        for enlarge in ENLARGEMENTS:
            way = Message.of(ReadingWay.CLOSER_LOOK, page=roled.page.number, times=enlarge).to_json()
            for name, readings in look_closer(pdf, roled, fields, settings, store, provider, enlarge).items():
                found.setdefault(name, []).extend(alone(r).model_copy(update={"way": way}) for r in readings)
    return found


def from_sharpened_pages(
    field: str, pdf: bytes, roled_pages: Sequence[RoledPage], settings: Settings, store: FileStore
) -> list[FieldReading]:
    """Return readings of the deblurred pages with at least the confidence CLEAR."""
    numbers = tuple(roled.page.number for roled in roled_pages if roled.page.source is Source.OCR)
    if not numbers:
        return []
    sharp = _sharpened(pdf, numbers)
    provider = get_provider(settings.ocr_provider, settings)
    pages = read_pages(sharp, settings, store, provider)
    reading = read_entry(pages, improve=from_nearer(sharp, settings, store, provider))[0].get(field)
    if reading is None or not reading.value or reading.confidence < CLEAR:
        return []
    evidence = [at.model_copy(update={"page": numbers[at.page - 1]}) for at in reading.evidence]
    way = Message.of(ReadingWay.SHARPENED).to_json()
    return [alone(reading).model_copy(update={"way": way, "evidence": evidence})]


@lru_cache(maxsize=1)
def _sharpened(pdf: bytes, numbers: tuple[int, ...]) -> bytes:
    """Return a PDF of these pages as deblurred pictures of the same size; cached for the fields that follow."""
    with open_pdf(pdf) as file:
        return pdf_of_sheets(_sharpened_page(file, number) for number in numbers)


def _sharpened_page(file: PdfFile, number: int) -> Sheet:
    png = io.BytesIO()
    sharpened(render(file, number, RESOLUTION)).save(png, "PNG", compress_level=1)
    shape = file.shape(number)
    return Sheet(png.getvalue(), shape.width, shape.height)


def from_votes(
    field: str,
    pdf: bytes,
    record: SubmissionRecord,
    readings: Sequence[FieldReading],
    roled_pages: Sequence[RoledPage],
    settings: Settings,
    store: FileStore,
) -> list[FieldReading]:
    """Return the share that each reading, the first one included, has of the votes of its line.

    Empty for kinds that are read as no single line, and where no page keeps its form's layout.
    """
    kind, first = kind_of(field), record.readings.get(field)
    pages = [roled for roled in roled_pages if can_look_closer(roled) and _zone_is_known(roled, field)]
    if kind not in LINE_KINDS or not pages:
        return []
    lying = {at.page for at in first.evidence} if first is not None else set()
    roled = next((roled for roled in pages if roled.page.number in lying), pages[0])
    provider = get_provider(settings.ocr_provider, settings)
    asked = [value for value in (record.value_of(field), *(r.value for r in readings)) if value]
    return line_votes(field, kind, first, asked, LineLook(pdf, roled, provider, store), provider, store)


def _zone_is_known(roled: RoledPage, field: str) -> bool:
    spec = roled.profile.fields.get(field) if roled.profile is not None else None
    return spec is not None and spec.zone is not None


def from_school_list(
    record: SubmissionRecord, readings: Sequence[FieldReading], schools: Mapping[str, Sequence[str]]
) -> list[FieldReading]:
    """Return the known schools that readings which are none of them may mean; `schools` gives each its aliases.

    A school that a reading is clearly like comes with the confidence of its likeness. Where there is none, the one
    that the list ranks first for the value as read comes as a candidate, for a person to judge.
    """
    read = [value for value in (record.school_name, *(r.value for r in readings)) if value]
    hits = [hit for value in read if (hit := match_school(value, schools, SCHOOL_LIKENESS))]
    first = record.readings.get("school_name", FieldReading())
    found: dict[str, FieldReading] = {}
    for name, likeness in hits:
        if name not in found and name != record.school_name:
            agreed = sum(same_value(FieldKind.SCHOOL, name, other) for other in read)
            found[name] = _listed(name, min(likeness / 100, LISTED_TWICE if agreed > 1 else LISTED), first)
    if not hits and record.school_name:
        for name, likeness in likely_schools(record.school_name, schools, 1):
            if likeness >= RANKED_LIKENESS and name != record.school_name:
                found[name] = _listed(name, RANKED, first)
    return list(found.values())


def _listed(name: str, confidence: float, first: FieldReading) -> FieldReading:
    return FieldReading(
        value=name,
        confidence=round(confidence, 4),
        source=Source.SCHOOL_LIST,
        evidence=first.evidence,
        method="school list",
        way=Message.of(ReadingWay.SCHOOL_LIST).to_json(),
    )
