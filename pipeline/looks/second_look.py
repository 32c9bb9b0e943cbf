"""Read fields again that the first reading left missing, weak or unclear, without a model."""

from __future__ import annotations

import io
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import lru_cache, reduce

from core.config import Settings
from core.file_store import FileStore
from core.messages import Message
from pipeline.extract_ifi import Improve, read_entry
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.extraction.readings import alone, same_value
from pipeline.extraction.reflowed_values import marked_options
from pipeline.extraction.values.names import match_school, similar_schools
from pipeline.extraction.values.text import squeezed
from pipeline.extraction.zones import read_zones
from pipeline.looks.closer_look import can_look_closer, look_closer, rectified_zone, ticked_options
from pipeline.looks.label_removal import crosses_label, is_disturbed, read_bare_header, surer
from pipeline.looks.line_look import DIGIT_KINDS, SHORT_KINDS, VOTED_KINDS, LineLook, line_votes
from pipeline.mupdf.assembly import PictureSheet, pdf_of_sheets, with_pages_pictured
from pipeline.mupdf.file import PdfFile, open_pdf
from pipeline.ocr_providers import get_provider
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box, PageContent, Source, Word
from pipeline.pages.text_trust import render
from pipeline.profiles import alike_fields, field_kind
from pipeline.profiles.form import ANY_FORM, HEADER_KINDS, ZONE_KINDS, FieldKind, Forms, FormSpec
from pipeline.reason_codes import ReadingWay
from pipeline.recognition.enhancement import RESOLUTION, SHARPEN_RESOLUTION, darkened, has_faint_ink, sharpened
from pipeline.recognition.page_contents import read_pages, render_page
from pipeline.schema import EvidenceBox, FieldReading, SubmissionRecord
from pipeline.spelling.lattice import SPELLED_KINDS

# Read missing or weak fields of a page again, and locate a model's values on the pages.


#: A value of fewer letters may occur by chance: it is located only if it occurs once.
SHORT = 3


def second_readings(
    fields: Sequence[str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
    schools: Mapping[str, Sequence[str]],
) -> dict[str, list[FieldReading]]:
    """Return further readings by field, by the form of the first; `method` says how each was made.

    Raises DocumentError, RecognitionError."""
    pdf = store.get(pdf_key)
    pages = submission_pages(pdf, ocr_provider_name, record, settings, store)
    # The run's provider may differ from the configured one; all readings of a run must use the same.
    own = settings.model_copy(update={"ocr_provider": ocr_provider_name})
    forms = (record.profile,) if record.profile else ANY_FORM
    alone, looked = by_page(fields, pages, forms), enlarged(fields, pdf, pages, own, store, forms)
    seen = {name: [*alone.get(name, ()), *looked.get(name, ())] for name in fields}
    return {name: propose(name, pdf, record, pages, own, store, schools, seen[name], forms) for name in fields}


def places_of(
    values: Mapping[str, str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    settings: Settings,
    store: FileStore,
) -> dict[str, list[EvidenceBox]]:
    """Locate values on the entry's pages, one box per line; values not found word for word are omitted."""
    pages = submission_pages(store.get(pdf_key), ocr_provider_name, record, settings, store)
    found = {name: place_on(pages, value) for name, value in values.items()}
    return {name: place for name, place in found.items() if place}


def place_on(pages: Sequence[PageContent], value: str) -> list[EvidenceBox]:
    """Return the boxes of the first place where the words of `value` follow each other on a page.

    Empty if there is none, and for a short value that occurs more than once."""
    wanted = [part for part in map(squeezed, value.split()) if part]
    places = list(_places(pages, wanted)) if wanted else []
    if not places or (len("".join(wanted)) < SHORT and len(places) > 1):
        return []
    return places[0]


def _places(pages: Sequence[PageContent], wanted: list[str]) -> Iterator[list[EvidenceBox]]:
    for page in pages:
        parts = [(part, word) for word in page.words for part in map(squeezed, word.text.split()) if part]
        for start in range(len(parts) - len(wanted) + 1):
            run = parts[start : start + len(wanted)]
            if [part for part, _ in run] == wanted:
                yield _boxes(page.number, [word for _, word in run])


def _boxes(page: int, words: list[Word]) -> list[EvidenceBox]:
    lines: dict[int, list[Box]] = {}
    for word in words:
        lines.setdefault(word.line, []).append(word.box)
    return [EvidenceBox(page=page, box=reduce(Box.union, boxes)) for boxes in lines.values()]


def submission_pages(
    pdf: bytes, ocr_provider_name: str, record: SubmissionRecord, settings: Settings, store: FileStore
) -> list[PageContent]:
    """Return the entry's pages; recognition comes from the cache, which the first reading filled."""
    wanted = list(range(record.page_start, record.page_end + 1))
    return read_pages(pdf, settings, store, get_provider(ocr_provider_name, settings), pages=wanted)


# Read pages whose ink is too light for recognition again, with all ink darkened.
#
# The entire page is replaced, so that all later code sees the same picture.


#: Kinds of fields that an entry needs.
_NEEDED = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE)
#: A field read with less confidence may be written in faint ink.
_CLEAR = 0.9
#: Points inside a field's edges beyond the reach of its printed box.
_INSIDE = (5.0, 4.0, 6.0, 3.0)


def with_faint_ink(
    pdf: bytes,
    roled_pages: Sequence[RoledPage],
    settings: Settings,
    store: FileStore | None,
    provider: OcrProvider,
    forms: Forms = ANY_FORM,
) -> tuple[bytes, list[PageContent]] | None:
    """Return a PDF in which the faint pages are darkened, numbers unchanged, and all pages read again.

    None if no page is faint, or none is read better. Raises DamagedDocumentError, RecognitionError.
    """
    pictures_only = (roled for roled in _in_parts(roled_pages, provider) if not _has_type(roled.page))
    faint = [roled for roled in pictures_only if _is_faint(pdf, roled)]
    if not faint:
        return None
    numbers = [roled.page.number for roled in roled_pages]
    pictures = {roled.page.number: _darkened_page(pdf, roled.page.number) for roled in faint}
    darker = with_pages_pictured(pdf, numbers, pictures)
    again = read_pages(darker, settings, store, provider, pages=numbers)
    before = {roled.page.number: roled for roled in faint}
    after = {roled.page.number: roled for roled in roles_of(again, forms)}
    if any(_read(after[number]) <= _read(roled) for number, roled in before.items()):
        return None
    return darker, again


def _in_parts(roled_pages: Sequence[RoledPage], provider: OcrProvider) -> list[RoledPage]:
    """Return the pages of which the provider can read single fields and lines again."""
    return [roled for roled in roled_pages if provider.places_known and can_look_closer(roled)]


def _has_type(page: PageContent) -> bool:
    """Whether some of its words are text, which a darkened picture of the page would lose."""
    return any(word.source is Source.TEXT_LAYER for word in page.words)


def _is_faint(pdf: bytes, roled: RoledPage) -> bool:
    """Whether a field that was not read clearly has writing in faint ink."""
    placement, profile = roled.reading.placed, roled.form
    readings = read_zones(roled.reading)
    zones = [
        spec.zone
        for name, spec in profile.fields.items()
        if spec.kind in _NEEDED and spec.zone and _confidence(readings.get(name)) < _CLEAR
    ]
    if not zones:
        return False
    picture = render_page(pdf, roled.page.number, RESOLUTION, turned=roled.page.turned)
    return any(has_faint_ink(rectified_zone(picture, placement, _inner(z), RESOLUTION / 72)) for z in zones)


def _inner(zone: Box) -> Box:
    left, top, right, bottom = _INSIDE
    return Box(zone.x0 + left, zone.y0 + top, zone.x1 - right, zone.y1 - bottom)


def _confidence(reading: FieldReading | None) -> float:
    return reading.confidence if reading is not None and reading.value else 0.0


def _read(roled: RoledPage) -> float:
    """Return the sum of the confidences of the needed fields."""
    if not can_look_closer(roled) or roled.profile is None:
        return 0.0
    readings, fields = read_zones(roled.reading), roled.profile.fields
    return sum(_confidence(readings.get(name)) for name, spec in fields.items() if spec.kind in _NEEDED)


def _darkened_page(pdf: bytes, number: int) -> bytes:
    png = io.BytesIO()
    darkened(render_page(pdf, number, RESOLUTION)).save(png, "PNG", compress_level=1)
    return png.getvalue()


# Second readings without a model: other ways to read a field that the first reading left missing or weak.
#
# Each way is independent evidence and is named in `FieldReading.way`: the field's zone straightened and enlarged,
# each page of the entry alone, the page without blur, many pictures of its line, the season's school list.


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
#: Minimum similarity (0-100, a part of a name is enough) of the name that a list ranks first for a value that
#: clearly resembles none of its names, and its confidence: it is proposed but preferred only to doubtful readings.
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
    """Return other readings of one field, surest first; empty if there are none.

    `looked` are those of each page by itself and of its enlarged zone (see `by_page`, `enlarged`).

    Raises RecognitionError where recognition fails.
    """
    if field_kind(field) not in HEADER_KINDS:
        return []
    roled_pages = roles_of(pages, forms)
    readings = list(looked)
    if getattr(record, field) is None:
        readings += from_sharpened_pages(field, pdf, roled_pages, settings, store)
    readings += from_votes(field, pdf, record, readings, roled_pages, settings, store)
    if field_kind(field) is FieldKind.SCHOOL:
        readings += from_school_list(record, readings, schools)
    return sorted((r for r in readings if r.value), key=lambda r: -r.confidence)


def by_page(
    fields: Sequence[str], pages: Sequence[PageContent], forms: Forms = ANY_FORM
) -> dict[str, list[FieldReading]]:
    """Return the readings of each page alone, for the header fields that several pages have."""
    asked = {name for name in fields if field_kind(name) in HEADER_KINDS}
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
    for roled in _in_parts(roles_of(pages, forms), provider):
        for enlarge in ENLARGEMENTS:
            way = Message.of(ReadingWay.CLOSER_LOOK, page=roled.page.number, times=enlarge).to_json()
            for name, readings in look_closer(pdf, roled, fields, settings, store, provider, enlarge).items():
                found.setdefault(name, []).extend(alone(r).model_copy(update={"way": way}) for r in readings)
    return found


def from_sharpened_pages(
    field: str, pdf: bytes, roled_pages: Sequence[RoledPage], settings: Settings, store: FileStore
) -> list[FieldReading]:
    """Return readings of the deblurred pages with at least the confidence CLEAR."""
    provider = get_provider(settings.ocr_provider, settings)
    numbers = tuple(roled.page.number for roled in roled_pages if roled.page.source is Source.OCR)
    if not numbers or not provider.places_known:
        return []
    sharp = _sharpened(pdf, numbers)
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


def _sharpened_page(file: PdfFile, number: int) -> PictureSheet:
    png = io.BytesIO()
    sharpened(render(file, number, SHARPEN_RESOLUTION)).save(png, "PNG", compress_level=1)
    shape = file.shape(number)
    return PictureSheet(png.getvalue(), shape.width, shape.height)


def from_votes(
    field: str,
    pdf: bytes,
    record: SubmissionRecord,
    readings: Sequence[FieldReading],
    roled_pages: Sequence[RoledPage],
    settings: Settings,
    store: FileStore,
) -> list[FieldReading]:
    """Return each reading, including the first, with its share of the votes of its line.

    Empty for kinds that are not on a single line, and if no page keeps its form's layout.
    """
    kind, first = field_kind(field), record.readings.get(field)
    provider = get_provider(settings.ocr_provider, settings)
    pages = [roled for roled in _in_parts(roled_pages, provider) if _zone_is_known(roled, field)]
    if kind not in LINE_KINDS or not pages:
        return []
    lying = {at.page for at in first.evidence} if first is not None else set()
    roled = next((roled for roled in pages if roled.page.number in lying), pages[0])
    asked = [value for value in (record.value_of(field), *(r.value for r in readings)) if value]
    return line_votes(field, kind, first, asked, LineLook(pdf, roled, provider, store), provider, store)


def _zone_is_known(roled: RoledPage, field: str) -> bool:
    spec = roled.profile.fields.get(field) if roled.profile is not None else None
    return spec is not None and spec.zone is not None


def from_school_list(
    record: SubmissionRecord, readings: Sequence[FieldReading], schools: Mapping[str, Sequence[str]]
) -> list[FieldReading]:
    """Return the known schools that unlisted readings may mean; `schools` gives the aliases of each.

    A school that clearly resembles a reading has the confidence of the likeness. Without one, the school that the
    list ranks first for the value as read is returned as a candidate for a person to judge.
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
        for name, likeness in similar_schools(record.school_name, schools, 1):
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


# Read fields of a recognised form again that the first reading left missing or unclear.


#: A first reading below this confidence is repeated. Words have a higher limit: print is read with 0.99 and more,
#: and of two readings of handwriting the more confident is right more often (29 of 44, against 23 with one).
UNCLEAR = 0.75
UNCLEAR_WORDS = 0.985
_WORTH_MORE = SPELLED_KINDS | {FieldKind.GRADE, FieldKind.TEXT}


def from_nearer(pdf: bytes, settings: Settings, store: FileStore | None, provider: OcrProvider) -> Improve:
    """Return an `Improve` that reads fields of `pdf` again. It raises RecognitionError, DamagedDocumentError."""

    def improve(roled: RoledPage, readings: dict[str, FieldReading]) -> dict[str, FieldReading]:
        if roled.profile is None or not _in_parts([roled], provider):
            return readings
        better, plain = dict(readings), LineLook(pdf, roled, provider, store)
        looks: dict[str, LineLook] = {}
        if is_disturbed(roled, readings):
            header = read_bare_header(pdf, roled, settings, store, provider)
            better |= surer(roled, header, readings)
            over = [name for name, reading in better.items() if crosses_label(roled, reading)]
            looks = dict.fromkeys(over, LineLook(pdf, roled, provider, store, header.bare))
        # A field that is cropped alone ends where the next label begins.
        unclear = [name for name in _unclear(roled.profile, better, _WORTH_MORE) if name not in looks]
        for name, found in look_closer(pdf, roled, unclear, settings, store, provider).items():
            if (best := _best(found)) and _is_better(best, better.get(name)):
                better[name] = best
        doubtful = _unclear(roled.profile, better, _WORTH_MORE | VOTED_KINDS | DIGIT_KINDS)
        better |= _by_lines(lambda name: looks.get(name, plain), roled.profile, better, doubtful)
        clear = [name for name in _compared(roled.profile, better) if name not in doubtful]
        return better | {name: looks.get(name, plain).weighed(name, better[name]) for name in clear}

    return improve


def _by_lines(
    reader_of: Callable[[str], LineLook],
    profile: FormSpec,
    readings: Mapping[str, FieldReading],
    wanted: Sequence[str],
) -> dict[str, FieldReading]:
    """Read unclear values, and short ones that are still missing, as single lines."""
    found: dict[str, FieldReading] = {}
    for name in wanted:
        kind, known, look = profile.fields[name].kind, readings.get(name), reader_of(name)
        if kind in DIGIT_KINDS:
            if (digits := look.digits(name, kind, known)) is not None:
                found[name] = digits
        elif kind in SPELLED_KINDS and known is not None:
            found[name] = look.spelled(name, kind, known)
        elif kind is FieldKind.GRADE and known is not None and known.value:
            found[name] = look.grade(name, known)
        elif kind in VOTED_KINDS and known is not None and known.evidence:
            found[name] = look.voted(name, kind, known)
        elif kind in SHORT_KINDS and not (known and known.value) and (short := look.missing(name, kind)):
            found[name] = short
    return found


def with_ticks(
    readings: Mapping[str, FieldReading], pdf: bytes, roled_pages: Sequence[RoledPage]
) -> dict[str, FieldReading]:
    """Return the readings with the options that were ticked or marked added. Raises DamagedDocumentError."""
    complete = dict(readings)
    for name, marked in marked_options([roled.reading for roled in roled_pages]).items():
        complete.setdefault(name, marked)
    for roled in roled_pages:
        complete |= ticked_options(pdf, roled, complete)
    return complete


def _unclear(
    profile: FormSpec, readings: Mapping[str, FieldReading], worth_more: Container[FieldKind]
) -> list[str]:
    return [
        name
        for name, spec in profile.fields.items()
        if spec.kind in ZONE_KINDS
        and spec.zone
        and _confidence(readings.get(name)) < (UNCLEAR_WORDS if spec.kind in worth_more else UNCLEAR)
    ]


def _compared(profile: FormSpec, readings: Mapping[str, FieldReading]) -> list[str]:
    """Return the fields with a recognised value that is compared with those of other entries."""
    return [
        name
        for name in alike_fields()
        if name in profile.fields
        and profile.fields[name].zone
        and profile.fields[name].kind in SPELLED_KINDS
        and (known := readings.get(name)) is not None
        and known.value
        and known.source is Source.OCR
    ]


def _is_better(found: FieldReading, first: FieldReading | None) -> bool:
    """Whether a reading is surer and not merely part of the first: a zone cuts off text that crosses its edge."""
    if first is None or not first.value or not found.value:
        return True
    return found.confidence > first.confidence and squeezed(found.value) not in squeezed(first.value)


def _best(readings: Sequence[FieldReading]) -> FieldReading | None:
    """Return the surest reading; its confidence is at most half when two crops of the field differ."""
    given = [r for r in readings if r.value]
    if not given:
        return None
    best = max(given, key=lambda r: r.confidence)
    if any(r.value != best.value for r in given):
        return best.model_copy(update={"confidence": round(best.confidence / 2, 4)})
    return best
