"""Data of the page on which an essay is corrected beside its scanned pages."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.errors import NotFoundError
from core.models import Submission
from pipeline.extraction.values.text import word_count
from pipeline.profiles.declared import fields_of_form
from pipeline.validation.characters import character_count
from services.accounts.person import Person
from services.context import Context
from services.entries.essay_lines import EssayLine, Row, essay_lines, place_lines
from services.entries.essay_text import EssayLimits, joined
from services.entries.submission_detail import SubmissionDetail, submission_detail
from services.pages.document_pages import Document, Place
from services.pages.page_words import PlacedWord, page_words
from services.seasons import season_policy

_ESSAY = "essay_text"
#: Pages that hold nothing but the essay.
_ESSAY_PAGES = ("essay_page", "continuation")


@dataclass(frozen=True)
class EssayPage:
    """One essay with its lines; `text` is the stored value."""

    entry: SubmissionDetail
    text: str
    lines: list[EssayLine]
    rows: list[Row]
    limits: EssayLimits

    @property
    def document(self) -> Document:
        return self.entry.document

    @property
    def words(self) -> int:
        return word_count(self._joined)

    @property
    def characters(self) -> int:
        return character_count(self._joined)

    @property
    def form_limit(self) -> int | None:
        """The most characters that its form allows, None where it says nothing."""
        return next((field.limit for field in self.entry.fields if field.name == _ESSAY), None)

    @property
    def _joined(self) -> str:
        return joined([line.text for line in self.lines], self.text)

    def typed(self, lines: Sequence[str]) -> EssayPage:
        """Return a copy with lines as a person has typed them."""
        return replace(self, lines=place_lines(lines, self.rows))


def essay_page(context: Context, person: Person, submission_id: uuid.UUID) -> EssayPage:
    """Return the data for one entry.

    Raises NotFoundError if it does not exist, this person may not see it, or its form has no essay.
    """
    entry = submission_detail(context, person, submission_id)
    with context.database.session() as session:
        submission = session.get_one(Submission, submission_id)
        if _ESSAY not in fields_of_form(submission.profile, submission.profile_version):
            raise NotFoundError("the form has no essay")
        season_id = submission.season_id
        limits = EssayLimits.of(season_policy(session, season_id, context.settings))
    field = next((field for field in entry.fields if field.name == _ESSAY), None)
    text = (field.value if field else None) or ""
    places = field.places if field else []
    rows = list(_rows_at(context, entry.document, places) if places else _rows_of_pages(context, entry.document))
    return EssayPage(entry, text, essay_lines(text, rows), rows, limits)


def _rows_at(context: Context, document: Document, places: Sequence[Place]) -> Iterator[Row]:
    """Yield the places that the essay was read from, with the words recognised in each."""
    words = {
        number: [word for line in page_words(context, document.upload_id, number).lines for word in line]
        for number in {place.page for place in places}
        if document.page(number)
    }
    for place in places:
        inside = (word for word in words.get(place.page, []) if _within(word, place))
        yield Row(place, " ".join(word.text for word in inside))


def _within(word: PlacedWord, place: Place) -> bool:
    across, down = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return place.x0 <= across <= place.x1 and place.y0 <= down <= place.y1


def _rows_of_pages(context: Context, document: Document) -> Iterator[Row]:
    """Yield the lines of the pages that hold only the essay, for an essay without recorded places."""
    for page in document.pages:
        if page.role not in _ESSAY_PAGES:
            continue
        for line in page_words(context, document.upload_id, page.number).lines:
            place = Place(
                page.number,
                min(word.x0 for word in line),
                min(word.y0 for word in line),
                max(word.x1 for word in line),
                max(word.y1 for word in line),
            )
            yield Row(place, " ".join(word.text for word in line))
