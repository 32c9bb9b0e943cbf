"""A sample as its page shows it: the pages with boxes, and the fields with what was read."""

from __future__ import annotations

from dataclasses import dataclass

from services.form_studio.draft import DraftView
from services.form_studio.sample_result import ReadField, ReadForm, ReadPage
from services.form_studio.samples import SampleView
from services.pages.document_pages import Document, PageView, Place
from web.evidence import Crop, crop_of
from web.i18n import chosen_language
from web.labels import field_label


@dataclass(frozen=True)
class ShownField:
    """One field of a filled form."""

    name: str
    label: str
    required: bool
    value: str | None
    confidence: float
    places: list[Place]
    #: The part of the page with the value, None where there is none or it is too large.
    crop: Crop | None


@dataclass(frozen=True)
class ShownForm:
    """One filled form of a sample."""

    #: Whether its page was recognised as the form of the draft; `profile` is what it was recognised as.
    recognised: bool
    profile: str
    pages: list[ReadPage]
    fields: list[ShownField]
    #: Numbers of the fields that are required, and of those with a value.
    required: int
    given: int


@dataclass(frozen=True)
class ShownSample:
    """One sample."""

    row: SampleView
    forms: list[ShownForm]
    #: Whether the draft was changed since it was read.
    outdated: bool


def shown_sample(draft: DraftView, row: SampleView) -> ShownSample:
    """Return what the page shows of a sample."""
    forms = [] if row.result is None else [_form(draft, row, one) for one in row.result.forms]
    return ShownSample(row, forms, row.result is not None and row.draft_version != draft.version)


def _form(draft: DraftView, row: SampleView, form: ReadForm) -> ShownForm:
    assert row.result is not None
    pages = [page for page in row.result.pages if form.page_start <= page.number <= form.page_end]
    document = Document(
        row.id, row.filename, [PageView(page.number, page.width, page.height, "") for page in pages]
    )
    labels = _labels(draft)
    must = {field.key for field in draft.marks.fields if field.required} if draft.marks else set()
    fields = [_field(one, labels, must, document) for one in form.fields]
    return ShownForm(
        recognised=bool(draft.marks) and form.profile == (draft.marks.key if draft.marks else ""),
        profile=form.profile,
        pages=pages,
        fields=fields,
        required=sum(one.required for one in fields),
        given=sum(one.required and bool(one.value) for one in fields),
    )


def _field(one: ReadField, labels: dict[str, str], required: set[str], document: Document) -> ShownField:
    places = [Place(place.page, *place.box) for place in one.places]
    return ShownField(
        name=one.name,
        label=labels.get(one.name) or field_label(one.name),
        required=one.name in required,
        value=one.value,
        confidence=one.confidence,
        places=places,
        crop=crop_of(document, places),
    )


def _labels(draft: DraftView) -> dict[str, str]:
    """Return {key: what the draft calls the field} in the language of the request."""
    if draft.marks is None:
        return {}
    spanish = chosen_language() == "es"
    return {one.key: (one.label_es if spanish else "") or one.label_en for one in draft.marks.fields}
