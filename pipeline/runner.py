"""Process one file or one entry, from the stored PDF to the validated record; load models before a fork."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from core.config import Settings
from core.confined.children import ready
from core.confined.limits import kept_for_good, return_large_blocks
from core.file_store import FileStore
from pipeline.extract_ifi import covers_values, extract_ifi_submission
from pipeline.extraction.freeform import headings
from pipeline.extraction.labelling.labeller import load_labeller, use_one_thread
from pipeline.extraction.page_roles import has_second_header, roles_of
from pipeline.extraction.readings import as_listed
from pipeline.extraction.tokens import page_lines, token_text
from pipeline.extraction.values.kinds import load_suffixes
from pipeline.extraction.values.text import tidied
from pipeline.files.content_type import FileNote
from pipeline.looks.second_look import from_nearer, with_faint_ink, with_ticks
from pipeline.mupdf.file import PARSER, forget_large_file
from pipeline.ocr_providers import get_provider
from pipeline.orchestrator.artifacts import store_reading
from pipeline.orchestrator_state import AgentState, ocr_provider_of
from pipeline.pages.page_model import PageContent, Source
from pipeline.profiles import ANY_FORM, Forms, all_profiles, fields_of_form, known_profile
from pipeline.reason_codes import ReasonCode
from pipeline.recognition.enhancement import with_own_ink
from pipeline.recognition.page_contents import each_page, read_pages
from pipeline.schema import DocClass, DocFormat, FieldReading, Report, SubmissionRecord
from pipeline.spelling.prior import all_names, school_words
from pipeline.splitting.document_analysis import Chunk, DocumentAnalysis, analyse_document
from pipeline.splitting.outlines import RangeOutlines, outline_range
from pipeline.validate import validate_record
from pipeline.validation.certainty import with_probabilities
from pipeline.validation.policy import Policy

_SILENT_ROLES = ("instructions", "blank_sheet")


def analyse(
    pdf: bytes,
    settings: Settings,
    store: FileStore,
    provider: str | None = None,
    *,
    one_entry: bool = False,
    page_counts: Sequence[int] | None = None,
    notes: Sequence[FileNote] = (),
) -> DocumentAnalysis:
    """Read a file's pages and split it, or use the split that a person gave.

    Raises DocumentError, RecognitionError.
    """
    pages = each_page(pdf, settings, store, get_provider(provider or settings.ocr_provider, settings))
    return analyse_document(pages, settings, one_entry=one_entry, page_counts=page_counts, notes=notes)


def outline_pages(
    pdf: bytes, settings: Settings, store: FileStore, pages: Sequence[int], forms: Forms = ANY_FORM
) -> RangeOutlines:
    """Read consecutive pages of a file and outline them. Raises DocumentError, RecognitionError, StorageError."""
    return outline_range(read_pages(pdf, settings, store, settings.ocr_provider, pages=pages), forms)


def process_submission(
    image_path: str,
    submission_id: str,
    artifact_dir: str,
    ocr_provider_name: str,
    original_filename: str | None = None,
    chunk_metadata: Mapping[str, Any] | None = None,
    doc_format: str | None = None,
    *,
    settings: Settings,
    store: FileStore,
    policy: Policy,
) -> tuple[SubmissionRecord, Report]:
    """Read one entry of the PDF stored under `image_path`, validate it and write its artifacts.

    `chunk_metadata` is a `Chunk` in JSON; without it the whole file is one entry. The file's name is never a
    source of values. Raises DocumentError, RecognitionError, StorageError.
    """
    started = perf_counter()
    forget_large_file()
    pdf = store.get(image_path)
    chunk = Chunk.model_validate(chunk_metadata) if chunk_metadata else None
    wanted = list(range(chunk.page_start, chunk.page_end + 1)) if chunk else None
    provider = get_provider(ocr_provider_name, settings)
    pages = read_pages(pdf, settings, store, provider, pages=wanted)
    read_at = perf_counter()
    chunk = chunk or _whole(pages, settings)
    roled = roles_of(pages, chunk.forms)
    pdf = with_own_ink(pdf, pages)
    if darker := with_faint_ink(pdf, roled, settings, store, provider, chunk.forms):
        pdf, pages = darker
        roled = roles_of(pages, chunk.forms)
    if any(map(has_second_header, roled)):
        chunk = chunk.model_copy(update={"doubts": [*chunk.doubts, ReasonCode.MORE_IN_FILE.value]})
    readings, debug = extract_ifi_submission(pages, chunk, roled, from_nearer(pdf, settings, store, provider))
    readings = with_ticks(readings, pdf, roled)
    if policy.schools and (school := readings.get("school_name")):
        readings["school_name"] = as_listed(school, policy.schools, policy.known_schools)
    partial = unvalidated_record(readings, pages, chunk, submission_id, artifact_dir, doc_format)
    record, found = validate_record(with_probabilities(partial), policy)
    report: Report = {
        "raw_text": raw_text(pages),
        "ocr_summary": _ocr_summary(pages, ocr_provider_name),
        "extraction_debug": debug,
        **found,
        "timings_ms": {
            "pages": round(1000 * (read_at - started), 1),
            "extraction": round(1000 * (perf_counter() - read_at), 1),
        },
    }
    store_reading(store, record, report)
    return record, report


def read_submission(
    state: AgentState, *, settings: Settings, store: FileStore, policy: Policy
) -> tuple[SubmissionRecord, Report]:
    """Read the entry that a run's state describes. Raises what `process_submission` raises."""
    return process_submission(
        state["image_path"],
        state["submission_id"],
        state["artifact_dir"],
        ocr_provider_of(state, settings.ocr_provider),
        state.get("original_filename"),
        state.get("chunk_metadata"),
        state.get("doc_format"),
        settings=settings,
        store=store,
        policy=policy,
    )


def _whole(pages: list[PageContent], settings: Settings) -> Chunk:
    analysis = analyse_document(pages, settings, one_entry=True)
    if analysis.chunks:
        return analysis.chunks[0]
    return Chunk(index=0, page_start=1, page_end=len(pages), doc_class=DocClass.SINGLE_SCANNED, profile="freeform")


def unvalidated_record(
    readings: Mapping[str, FieldReading],
    pages: list[PageContent],
    chunk: Chunk,
    submission_id: str,
    artifact_dir: str = "",
    doc_format: str | None = None,
) -> SubmissionRecord:
    """Return the record before validation: values as attributes, each with its reading."""
    form = known_profile(chunk.profile)
    if form is not None and form.version is not None:
        # Values that the form does not ask for, such as an essay, are not fields of the entry.
        asked = fields_of_form(form.key, form.version)
        readings = {name: reading for name, reading in readings.items() if name in asked}
    values: dict[str, Any] = {name: reading.value for name, reading in readings.items()}
    values["word_count"] = int(values["word_count"]) if values.get("word_count") else None
    blank = all(role.value in (*_SILENT_ROLES, "blank_form") for role in chunk.roles) and bool(chunk.roles)
    doubts = [ReasonCode.TEMPLATE_ONLY.value] if blank else []
    doubts += [*chunk.doubts, *(doubt for page in pages for doubt in page.doubts)]
    if any(covers_values(page) or any(field.other is not None for field in page.widgets) for page in pages):
        doubts.append(ReasonCode.NOT_AS_SHOWN.value)
    return SubmissionRecord(
        submission_id=submission_id,
        artifact_dir=artifact_dir,
        doc_class=chunk.doc_class,
        doc_format=DocFormat(doc_format) if doc_format else None,
        profile=chunk.profile,
        profile_version=form.version if form else None,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        readings=dict(readings),
        review_reason_codes=list(dict.fromkeys(doubts)),
        ocr_confidence_avg=_ocr_average(pages),
        **values,
    )


def _ocr_average(pages: list[PageContent]) -> float | None:
    scores = [p.ocr_confidence for p in pages if p.source is Source.OCR and p.ocr_confidence is not None]
    return round(sum(scores) / len(scores), 4) if scores else None


def _ocr_summary(pages: list[PageContent], provider: str) -> dict[str, Any]:
    recognised = [p.number for p in pages if p.source is Source.OCR]
    return {
        "confidence_avg": _ocr_average(pages),
        "pages_recognised": recognised,
        "provider": provider if recognised else None,
        "distrust": {str(p.number): p.distrust for p in pages if p.distrust},
    }


def raw_text(pages: list[PageContent]) -> str:
    """All text in reading order, widget values included, a blank line between pages."""
    return "\n\n".join(_page_text(page) for page in pages)


def _page_text(page: PageContent) -> str:
    lines = [tidied(token_text(line)) for line in page_lines(page)]
    values = [f"{w.name}: {w.value}" for w in page.widgets if w.value and w.kind == "text"]
    return "\n".join([*lines, *values])


# Load models and data in a worker before it forks, so that no job loads them again.


def bound_process() -> None:
    """Have this process, and what it forks, return freed memory and compute small matrices in one thread."""
    return_large_blocks()
    use_one_thread()


def preload_pipeline(settings: Settings) -> None:
    """Load what a job would load: models (nothing is recognised), profiles, lists of words and of suffixes.

    The nursery of the processes that parse files is started as well.
    """
    bound_process()
    with kept_for_good():
        ready(PARSER)
        get_provider(settings.ocr_provider, settings).preload()
        all_profiles()
        load_labeller()
        load_suffixes()
        for prior in (all_names(), school_words()):
            prior.index()


def share_derived() -> None:
    """Make what takes long to derive from the forms in use, unless it was made of the same forms before."""
    headings()
