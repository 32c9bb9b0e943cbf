"""Have the second reader look at an entry once, and compare what it read with the first reading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.config import Settings
from core.file_store import FileStore
from core.llm.ledger import Model
from pipeline.extraction.page_roles import RoledPage, roles_of
from pipeline.looks.closer_look import can_look_closer
from pipeline.looks.line_look import LineLook
from pipeline.looks.second_look import submission_pages
from pipeline.ocr_providers import get_provider
from pipeline.pages.page_model import Source
from pipeline.profiles import FieldKind
from pipeline.profiles.form import ANY_FORM
from pipeline.schema import Agreement, FieldReading, SubmissionRecord
from pipeline.second_reader.comparison import LIKELY, agreement_of, likelihood_of, with_second, without_impossible
from pipeline.second_reader.header_picture import header_picture
from pipeline.second_reader.question import Dropped, ask
from pipeline.spelling.lattice import unpacked
from pipeline.spelling.prior import fold_text


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
    of the file. None if no recognised page asks for a wanted field. Raises ModelError, DocumentError and
    RecognitionError.
    """
    pdf = store.get(pdf_key)
    provider = get_provider(ocr_provider_name, settings)
    pages = submission_pages(pdf, ocr_provider_name, record, settings, store)
    roled_pages = roles_of(pages, (record.profile,) if record.profile else ANY_FORM)
    picture = header_picture(pdf, roled_pages, wanted)
    if picture is None:
        return None
    said = without_impossible(ask(picture, model=model, settings=settings, store=store), record, schools, others)
    roled = next(one for one in roled_pages if one.page.number == picture.page)
    look = LineLook(pdf, roled, provider, store) if can_look_closer(roled) else None
    readings = {}
    for name in picture.fields:
        reading = record.readings.get(name, FieldReading())
        if reading.is_decided or reading.source not in (Source.OCR, None):
            continue
        value, first = said.values.get(name), record.value_of(name)
        agreement = agreement_of(name, first, value, schools)
        asked = value if agreement in (Agreement.DIFFER, Agreement.ONLY_SECOND) else None
        likelihood = _likelihood(asked, look, roled, name, reading) if asked else None
        if agreement is Agreement.AGREE and reading.signals.get("line", 0.0) < 0:
            # What another look at the same line had, unclearly (`LineLook.grade`).
            reading = reading.model_copy(update={"disagrees_with": None})
        readings[name] = with_second(reading, value, agreement, likelihood, picture.places.get(name))
    return HeaderReading(picture.page, readings, said.dropped)


def _likelihood(
    value: str, look: LineLook | None, roled: RoledPage, name: str, reading: FieldReading
) -> float | None:
    """Return how likely the recogniser finds a value on the lines of the first reading, or in the field's place.

    The lines may lack a part that the first reading lacks, or have words of their neighbours. None without a view.
    """
    spec = roled.profile.fields.get(name) if roled.profile else None
    placed = look is not None and spec is not None and spec.zone is not None and spec.kind is not FieldKind.CHOICE
    found = likelihood_of(fold_text(value), [unpacked(one) for one in reading.considered])
    if look is not None and spec is not None and placed and (found is None or found < LIKELY):
        of_place = likelihood_of(fold_text(value), look.views(name, spec.kind, None))
        found = max((one for one in (found, of_place) if one is not None), default=None)
    return found
