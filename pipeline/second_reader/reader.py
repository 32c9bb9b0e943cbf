"""Have the second reader look at an entry once, and compare what it read with the first reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.config import Settings
from core.file_store import FileStore
from core.llm.ledger import Model
from pipeline.extraction.page_roles import roles_of
from pipeline.extraction.values.text import plain_text
from pipeline.looks.second_look import submission_pages
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import Source
from pipeline.profiles import FormSpec, field_kind
from pipeline.profiles.form import ANY_FORM
from pipeline.schema import Agreement, FieldReading, SubmissionRecord
from pipeline.second_reader.comparison import (
    LIKELY,
    agreement_of,
    is_beside_print,
    likelihood_of,
    with_second,
    without_impossible,
)
from pipeline.second_reader.header_picture import header_picture
from pipeline.second_reader.line_views import LineViews
from pipeline.second_reader.question import Dropped, ask
from pipeline.spelling.lattice import unpacked, written_forms


@dataclass(frozen=True, slots=True)
class HeaderReading:
    """What came of one question: the readings with what the second reader read, by field."""

    page: int
    readings: Mapping[str, FieldReading]
    #: Fields whose value in the reply was not used, and why.
    dropped: Mapping[str, Dropped] = field(default_factory=dict)

    def fields_with(self, *agreements: Agreement) -> list[str]:
        """Return the fields with one of these agreements."""
        return [name for name, one in self.readings.items() if one.second and one.second.agreement in agreements]


def ask_second_reader(
    wanted: Collection[str],
    pdf_key: str,
    ocr_provider_name: str,
    record: SubmissionRecord,
    *,
    model: Model,
    settings: Settings,
    store: FileStore,
    schools: Mapping[str, Sequence[str]],
    others: Collection[str] = (),
) -> HeaderReading | None:
    """Show the header of the page that asks for the wanted fields to the model, once.

    `record` is as read, with its lattices; its values do not change. `others` are the names of the other children
    of the file. None if no recognised page asks for a wanted field, and where the recogniser is such a model: it
    only estimates where the essay is, and two readers of one kind make the same mistakes. Raises ModelError,
    DocumentError and RecognitionError.
    """
    provider = get_provider(ocr_provider_name, settings)
    if not provider.places_known:
        return None
    pdf = store.get(pdf_key)
    pages = submission_pages(pdf, ocr_provider_name, record, settings, store)
    roled_pages = roles_of(pages, (record.profile,) if record.profile else ANY_FORM)
    picture = header_picture(pdf, roled_pages, wanted)
    if picture is None:
        return None
    said = without_impossible(ask(picture, model=model, settings=settings, store=store), record, schools, others)
    roled = next(one for one in roled_pages if one.page.number == picture.page)
    views = LineViews(pdf, roled, provider, store)
    readings = {}
    for name in picture.fields:
        reading = record.readings.get(name, FieldReading())
        if reading.is_decided or reading.source not in (Source.OCR, None):
            continue
        value, first = said.values.get(name), record.value_of(name)
        agreement = agreement_of(name, first, value, schools)
        asked = value if agreement in (Agreement.DIFFER, Agreement.ONLY_SECOND) else None
        likelihood = _likelihood(name, asked, first, reading, picture.form, views) if asked else None
        if agreement is Agreement.AGREE and reading.signals.get("line", 0.0) < 0:
            # What another look at the same line had, unclearly (`LineLook.grade`).
            reading = reading.model_copy(update={"disagrees_with": None})
        readings[name] = with_second(reading, value, agreement, likelihood, picture.places.get(name))
    return HeaderReading(picture.page, readings, said.dropped)


def _words_beside(form: FormSpec, name: str) -> set[str]:
    """Return the words that a form prints for its other fields, as plain text."""
    texts = (text for one in form.printed if one.field not in (None, name) for text in one.texts)
    return {word for text in texts for word in plain_text(text).replace("/", " ").replace(":", " ").split()}


def _likelihood(
    name: str, value: str, first: str | None, reading: FieldReading, form: FormSpec, views: LineViews
) -> float | None:
    """Return how likely the recogniser finds a value on the lines of the first reading, or in the field's place.

    `first` is what it read: all of the value where only print of other fields stands beside it. The lines may lack
    a part that the first reading lacks, or have words of their neighbours. None without a view.
    """
    if first is not None and is_beside_print(value, first, _words_beside(form, name)):
        return 0.0
    forms = written_forms(field_kind(name), value)
    found = likelihood_of(forms, [unpacked(one) for one in reading.considered])
    if found is None or found < LIKELY:
        there = likelihood_of(forms, views.of(name, reading))
        found = max((one for one in (found, there) if one is not None), default=None)
    return found
