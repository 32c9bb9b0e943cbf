"""The essay of an entry: its text, its lines on the page, and corrections."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from rapidfuzz import fuzz

from core.errors import InvalidInputError, NotFoundError, existing
from core.models import Submission
from pipeline.extraction.values.text import word_count
from pipeline.profiles import fields_of_form
from pipeline.supabase_db import get_field_values
from pipeline.validation.policy import Policy, character_count
from services.accounts.person import Person
from services.context import Context
from services.entries.change import MAX_TEXT, Edited, edit_record
from services.entries.detail import SubmissionDetail, submission_detail
from services.messages.entries import Refused
from services.pages import Document, PagePlace, PlacedWord, page_words
from services.seasons import season_rules


def correct_essay(
    context: Context,
    actor_id: uuid.UUID,
    submission_id: uuid.UUID,
    version: int,
    lines: Sequence[str],
    reason: str | None = None,
) -> Edited:
    """Replace the essay's text by the lines, and update its number of words.

    Raises NotFoundError, InvalidInputError for an essay beyond the season's limits, and ConflictError if the entry
    has changed since `version`.
    """
    with context.database.session() as session:
        submission = existing(session.get(Submission, submission_id), "no such entry")
        limits = EssayLimits.of(season_rules(session, submission.season_id, context.settings))
        essay = get_field_values(session, submission_id, ["essay_text"]).get("essay_text")
        text = joined_lines(lines, essay or "")
    check_limits(text, limits)
    return edit_record(context, actor_id, submission_id, version, {"essay_text": text or None}, reason)


#: Lines that an essay may have.
MOST_LINES = 2000
#: Rows of the page that lines are matched with, and characters of a line that are compared with a row.
_MOST_ROWS, _COMPARED = 300, 200
#: Pairs of equal words, one of a text and one of the page, up to which a text is broken into the page's rows.
_MOST_PAIRS = 100_000
#: Least similarity (0-1) at which a line can be matched with a row of the page.
_ALIKE = 0.45
#: Least share of a text's words that must be found on the page for it to be broken into the page's rows.
_FOUND = 0.5


@dataclass(frozen=True)
class WrittenRow:
    """One row of writing on the page; the text is empty if none was recognised."""

    place: PagePlace
    text: str = ""


@dataclass(frozen=True)
class EssayLine:
    """One line of the transcription; `place` is None if it matches no row of the page."""

    text: str
    place: PagePlace | None = None


def essay_lines(text: str, rows: Sequence[WrittenRow]) -> list[EssayLine]:
    """Return the lines of the text with their places among the rows of the page.

    A text without line ends is broken where the rows end. For an empty text the rows' own text is returned.
    """
    if not text.strip():
        return [EssayLine(row.text, row.place) for row in rows[:MOST_LINES]]
    return place_lines([text] if is_broken(text) else _broken(text, rows), rows)


def is_broken(text: str) -> bool:
    """Return whether the text contains line ends."""
    return "\n" in text


def place_lines(lines: Sequence[str], rows: Sequence[WrittenRow]) -> list[EssayLine]:
    """Match lines with rows, in order.

    Unmatched lines and rows between two matches are paired as well if they are equal in number. Of more than
    MOST_LINES lines, the last one returned holds all that remain, so that nothing typed is lost.
    """
    lines = "\n".join(lines).split("\n", MOST_LINES - 1)
    found = _fitting(lines, rows[:_MOST_ROWS])
    fixed = [(-1, -1), *sorted(found.items()), (len(lines), len(rows))]
    for (line, row), (next_line, next_row) in pairwise(fixed):
        between = [index for index in range(line + 1, next_line) if lines[index].strip()]
        if len(between) == next_row - row - 1:
            found.update(zip(between, range(row + 1, next_row), strict=True))
    return [
        EssayLine(text, rows[found[index]].place if index in found else None) for index, text in enumerate(lines)
    ]


def _fitting(lines: Sequence[str], rows: Sequence[WrittenRow]) -> dict[int, int]:
    """Return {line: row}: the alignment in order with the highest total similarity."""
    written = [row.text[:_COMPARED].casefold() for row in rows]
    gain = [[_gain(line, row) for row in written] for line in (line[:_COMPARED].casefold() for line in lines)]
    best = [[0.0] * (len(rows) + 1) for _ in range(len(lines) + 1)]
    for i in reversed(range(len(lines))):
        for j in reversed(range(len(rows))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + gain[i][j])
    found, i, j = {}, 0, 0
    while i < len(lines) and j < len(rows):
        if gain[i][j] > 0 and best[i][j] == best[i + 1][j + 1] + gain[i][j]:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _gain(line: str, row: str) -> float:
    if not line.strip() or not row:
        return 0.0
    return max(0.0, fuzz.ratio(line, row) / 100 - _ALIKE)


def _broken(text: str, rows: Sequence[WrittenRow]) -> list[str]:
    """Break a text into lines where the page's rows end; leave it unbroken if too few of its words are found."""
    words = text.split()
    read = [(word.casefold(), index) for index, row in enumerate(rows) for word in row.text.split()]
    typed, often = [word.casefold() for word in words], Counter(word for word, _ in read)
    if sum(often[word] for word in typed) > _MOST_PAIRS:
        return [text]
    matcher = SequenceMatcher(None, typed, [word for word, _ in read], autojunk=False)
    row_of = {
        block.a + step: read[block.b + step][1]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }
    if len(row_of) < _FOUND * len(words):
        return [text]
    row, numbered = 0, []
    for index, word in enumerate(words):
        row = row_of.get(index, row)
        numbered.append((row, word))
    return [" ".join(word for _, word in line) for _, line in groupby(numbered, key=lambda pair: pair[0])]


@dataclass(frozen=True)
class EssayLimits:
    """Limits of an essay in words and characters."""

    min_words: int
    max_words: int | None
    max_characters: int

    @classmethod
    def of(cls, policy: Policy) -> EssayLimits:
        return cls(policy.min_essay_words, policy.max_essay_words, policy.max_essay_characters or MAX_TEXT)


def joined_lines(lines: Sequence[str], before: str) -> str:
    """Return the lines as one text, without line ends if the text `before` had none."""
    kept = [line.strip() for line in lines]
    if before.strip() and not is_broken(before):
        return " ".join(line for line in kept if line)
    return "\n".join(kept).strip()


def check_limits(text: str, limits: EssayLimits) -> None:
    """Raise InvalidInputError for an essay that is too long. A short one is accepted and waits for a person."""
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        raise InvalidInputError(Refused.ESSAY_TOO_MANY_LINES, field="essay_text", count=lines, limit=MOST_LINES)
    words = word_count(text)
    if limits.max_words is not None and words > limits.max_words:
        raise InvalidInputError(
            Refused.ESSAY_TOO_MANY_WORDS, field="essay_text", count=words, limit=limits.max_words
        )
    characters = character_count(text)
    if characters > limits.max_characters:
        raise InvalidInputError(
            Refused.ESSAY_TOO_LONG, field="essay_text", count=characters, limit=limits.max_characters
        )


_ESSAY = "essay_text"
#: Pages that hold nothing but the essay.
_ESSAY_PAGES = ("essay_page", "continuation")


@dataclass(frozen=True)
class EssayPage:
    """One essay with its lines; `text` is the stored value."""

    entry: SubmissionDetail
    text: str
    lines: list[EssayLine]
    rows: list[WrittenRow]
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
        """The most characters that its form allows, None without a limit."""
        return next((field.limit for field in self.entry.fields if field.name == _ESSAY), None)

    @property
    def _joined(self) -> str:
        return joined_lines([line.text for line in self.lines], self.text)

    def typed(self, lines: Sequence[str]) -> EssayPage:
        """Return a copy with lines as a person has typed them."""
        return replace(self, lines=place_lines(lines, self.rows))


def essay_page(context: Context, person: Person, submission_id: uuid.UUID) -> EssayPage:
    """Return the data for one entry.

    Raises NotFoundError if it does not exist, this person may not see it, or its form has no essay.
    """
    entry = submission_detail(context, person, submission_id)
    with context.database.reading() as session:
        submission = session.get_one(Submission, submission_id)
        if _ESSAY not in fields_of_form(submission.profile, submission.profile_version):
            raise NotFoundError("the form has no essay")
        season_id = submission.season_id
        limits = EssayLimits.of(season_rules(session, season_id, context.settings))
    field = next((field for field in entry.fields if field.name == _ESSAY), None)
    text = (field.value if field else None) or ""
    places = field.places if field else []
    rows = list(_rows_at(context, entry.document, places) if places else _rows_of_pages(context, entry.document))
    return EssayPage(entry, text, essay_lines(text, rows), rows, limits)


def _rows_at(context: Context, document: Document, places: Sequence[PagePlace]) -> Iterator[WrittenRow]:
    """Yield the places that the essay was read from, with the words recognised in each."""
    words = {
        number: [word for line in page_words(context, document.upload_id, number).lines for word in line]
        for number in {place.page for place in places}
        if document.page(number)
    }
    for place in places:
        inside = (word for word in words.get(place.page, []) if _within(word, place))
        yield WrittenRow(place, " ".join(word.text for word in inside))


def _within(word: PlacedWord, place: PagePlace) -> bool:
    across, down = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return place.x0 <= across <= place.x1 and place.y0 <= down <= place.y1


def _rows_of_pages(context: Context, document: Document) -> Iterator[WrittenRow]:
    """Yield the lines of the pages that hold only the essay, for an essay without recorded places."""
    for page in document.pages:
        if page.role not in _ESSAY_PAGES:
            continue
        for line in page_words(context, document.upload_id, page.number).lines:
            place = PagePlace(
                page.number,
                min(word.x0 for word in line),
                min(word.y0 for word in line),
                max(word.x1 for word in line),
                max(word.y1 for word in line),
            )
            yield WrittenRow(place, " ".join(word.text for word in line))
