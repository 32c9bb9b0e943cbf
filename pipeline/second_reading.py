"""Second readings without a model: other ways to read a field that the first reading left missing or weak.

Each way is its own witness and is named in `FieldReading.method`: a crop of the field's zone recognised at a
higher resolution, the header of another page of the entry, the season's school list.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.config import Settings
from core.file_store import FileStore
from pipeline.extraction.combine import same_value
from pipeline.extraction.entry import kind_of, read_entry
from pipeline.extraction.fields import reading_of
from pipeline.extraction.page_reading import PageReading
from pipeline.extraction.printed import LineText, find_text, find_word
from pipeline.extraction.schools import match_school
from pipeline.extraction.tokens import PAGE_HEIGHT, PAGE_WIDTH, Token, recognised_lines, tokens_of, visual_lines
from pipeline.ocr import ocr_region
from pipeline.ocr_providers import get_provider
from pipeline.page_model import Box, PageContent, Source, Word
from pipeline.page_roles import roles_of
from pipeline.profiles import FieldKind, PrintedRole, Profile
from pipeline.schema import FieldReading, SubmissionRecord

#: Dots per inch of the closer look.
CLOSER_DPI = 300
#: How far (points) around a zone the closer look reaches: values ride over their line.
MARGIN_X, MARGIN_Y = 10.0, 9.0
#: From this likeness on a known school is proposed.
SCHOOL_LIKENESS = 78.0
_SMALL = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.EMAIL, FieldKind.PHONE)


def propose(
    field: str,
    pdf: bytes,
    record: SubmissionRecord,
    pages: Sequence[PageContent],
    settings: Settings,
    store: FileStore,
    schools: Sequence[str],
) -> list[FieldReading]:
    """Other readings of one field, surest first; empty where nothing else can be read.

    Raises RecognitionError where the closer look fails.
    """
    if kind_of(field) not in _SMALL:
        return []
    readings = other_pages(field, pages)
    readings += closer_look(field, pdf, pages, settings, store)
    if kind_of(field) is FieldKind.SCHOOL:
        readings += from_school_list(record, readings, schools)
    return sorted((r for r in readings if r.value), key=lambda r: -r.confidence)


def other_pages(field: str, pages: Sequence[PageContent]) -> list[FieldReading]:
    """What each page of the entry says by itself, where several do."""
    if len(pages) < 2:
        return []
    found = []
    for page in pages:
        reading = read_entry([page])[0].get(field)
        if reading is not None and reading.value:
            found.append(reading.model_copy(update={"method": f"page {page.number} by itself"}))
    return found if len(found) > 1 else []


def closer_look(
    field: str, pdf: bytes, pages: Sequence[PageContent], settings: Settings, store: FileStore
) -> list[FieldReading]:
    """The field's zone recognised once more, at a higher resolution."""
    provider = get_provider(settings.ocr_provider, settings)
    found = []
    for roled in roles_of(pages):
        clip = zone_on_page(field, roled.reading)
        if clip is None or roled.page.source is not Source.OCR or roled.profile is None:
            continue
        words = ocr_region(pdf, roled.page.number, clip, CLOSER_DPI, settings, store, provider)
        reading = _read_crop(field, roled.profile, roled.page.number, words)
        if reading is not None and reading.value:
            found.append(reading)
    return found


def zone_on_page(field: str, reading: PageReading) -> Box | None:
    """Where the field's value stands on the page, as a share of it; None where the layout does not say."""
    if reading.profile is None or reading.placement is None or not reading.fixed:
        return None
    spec = reading.profile.fields.get(field)
    if spec is None or spec.zone is None:
        return None
    zone = spec.zone
    around = Box(zone.x0 - MARGIN_X, zone.y0 - MARGIN_Y, zone.x1 + MARGIN_X, zone.y1 + MARGIN_Y)
    box = reading.placement.box_to_page(around)
    return Box(
        max(box.x0 / PAGE_WIDTH, 0.0),
        max(box.y0 / PAGE_HEIGHT, 0.0),
        min(box.x1 / PAGE_WIDTH, 1.0),
        min(box.y1 / PAGE_HEIGHT, 1.0),
    )


def _read_crop(field: str, profile: Profile, page: int, words: Sequence[Word]) -> FieldReading | None:
    tokens = [t for line in _without_print(profile, page, words) for t in line]
    rows = visual_lines(tokens)
    # The middle of the crop is the field; above and below are the margins.
    middle = max(rows, key=lambda row: sum(t.box.width for t in row), default=None)
    if middle is None:
        return None
    return reading_of(kind_of(field), middle, f"closer look at {CLOSER_DPI} dpi")


def _without_print(profile: Profile, page: int, words: Sequence[Word]) -> list[list[Token]]:
    content = PageContent(page, PAGE_WIDTH, PAGE_HEIGHT, list(words))
    lines = [LineText(line) for line in recognised_lines(tokens_of(content))]
    roles = (PrintedRole.LABEL, PrintedRole.OPTION, PrintedRole.PROMPT, PrintedRole.DEADLINE)
    for text in (t for p in profile.printed if p.role in roles for t in p.texts):
        for found in find_text(lines, text) or find_word(enumerate(lines), text):
            lines[found.line].take(found.start, found.end)
    return [run for line in lines for run in line.left()]


def from_school_list(
    record: SubmissionRecord, readings: Sequence[FieldReading], schools: Sequence[str]
) -> list[FieldReading]:
    """Known schools that what was read comes near to."""
    known: dict[str, list[str]] = {name: [] for name in schools}
    read = [record.school_name, *(r.value for r in readings)]
    found: dict[str, FieldReading] = {}
    first = record.readings.get("school_name", FieldReading())
    for value in filter(None, read):
        hit = match_school(value, known, SCHOOL_LIKENESS)
        if hit and hit[0] not in found and hit[0] != record.school_name:
            agreed = sum(same_value(FieldKind.SCHOOL, hit[0], v) for v in read if v)
            found[hit[0]] = FieldReading(
                value=hit[0],
                confidence=round(min(hit[1] / 100, 0.9 if agreed > 1 else 0.85), 4),
                source=Source.SCHOOL_LIST,
                evidence=first.evidence,
                method="school list",
            )
    return list(found.values())
