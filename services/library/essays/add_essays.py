"""Essays of the contest as documents of the library, without the names of children."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml
from sqlalchemy import ColumnElement, delete, exists, func, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_keep
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.models import (
    COMPLETE_STATUSES,
    EssayWord,
    LibraryDocument,
    LibraryKind,
    LibraryPassage,
    LibraryStatus,
    Season,
    Submission,
    SubmissionField,
)
from core.models.leases import DOCUMENT_LEASES
from pipeline.extraction.values.text import plain_text
from pipeline.profiles import FieldKind, FieldNames
from pipeline.supabase_db import get_field_values
from research.text.language import detect_language
from services.context import Context
from services.library.essays.names import WordMark, find_names, spread
from services.library.essays.words import (
    MAIL,
    NO_NAMES,
    PHONE,
    WORD,
    WordToken,
    listed_words,
    without_contacts,
    word_tokens,
)
from services.library.media_type import MediaType
from services.library.passages import embedding_columns, passages_of_blocks
from services.seasons import current_season

_BATCH = 500
#: `error_code` of an essay removed because its entry is no longer approved; it is added again once it is.
WITHDRAWN = "entry_withdrawn"


@dataclass(frozen=True)
class Essays:
    """Numbers of essays that an update of the library changed, and of those that wait for a person."""

    written: int = 0
    removed: int = 0
    waiting: int = 0


def essay_fields() -> tuple[str, ...]:
    """Return the fields that make up an essay of the library, or whose values are taken out of it."""
    return (*NAMING_FIELDS, *REACHING_FIELDS, "grade", "essay_text")


def add_essays(context: Context) -> Essays:
    """Add every approved essay of the current season to the library, and remove those no longer approved.

    An essay that a person removed from the library stays removed. One with words that could be names waits for a
    person's decision.
    """
    with context.database.session() as session:
        season = current_season(session)
        removed = _withdraw_unapproved(session, season.id)
    written = 0
    while batch := _waiting(context, season.id):
        for submission_id, document_id in batch:
            written += _write(context, season, submission_id, document_id)
    return Essays(written, removed, waiting_essays(context))


def refresh_essays(context: Context) -> Essays:
    """Call `add_essays` if essays were brought into the library before; otherwise do nothing."""
    brought = LibraryDocument.submission_id.is_not(None)
    wanted = context.database.scalar(select(or_(exists().where(brought), exists(EssayWord.word))))
    return add_essays(context) if wanted else Essays()


def _withdraw_unapproved(session: Session, season_id: uuid.UUID) -> int:
    unapproved = select(Submission.id).where(
        Submission.season_id == season_id, Submission.status.not_in(COMPLETE_STATUSES)
    )
    return withdraw(session, LibraryDocument.submission_id.in_(unapproved))


def withdraw(session: Session, which: ColumnElement[bool]) -> int:
    """Withdraw essays until they are written again; return how many were in the library."""
    gone = session.scalars(
        update(LibraryDocument)
        .where(which, LibraryDocument.status != LibraryStatus.REMOVED.value)
        .values(status=LibraryStatus.REMOVED.value, error_code=WITHDRAWN, updated_at=utcnow())
        .returning(LibraryDocument.id)
        .execution_options(synchronize_session=False)
    ).all()
    session.execute(delete(LibraryPassage).where(LibraryPassage.document_id.in_(gone)))
    return len(gone)


def _waiting(context: Context, season_id: uuid.UUID) -> Sequence[tuple[uuid.UUID, uuid.UUID | None]]:
    """Return (entry, document) ids of approved essays whose document is missing, withdrawn or out of date.

    Leaves out those that wait for a person.
    """
    essay = select(SubmissionField.id).where(
        SubmissionField.submission_id == Submission.id,
        SubmissionField.name == "essay_text",
        SubmissionField.value != "",
    )
    # Doubtful words of the essay's present text.
    held = select(EssayWord.word).where(
        EssayWord.submission_id == Submission.id,
        EssayWord.taken_out.is_(None),
        EssayWord.created_at >= Submission.updated_at,
    )
    with context.database.reading() as session:
        rows = session.execute(
            select(Submission.id, LibraryDocument.id)
            .outerjoin(LibraryDocument, LibraryDocument.submission_id == Submission.id)
            .where(
                Submission.season_id == season_id,
                Submission.status.in_(COMPLETE_STATUSES),
                essay.exists(),
                ~held.exists(),
                or_(
                    LibraryDocument.id.is_(None),
                    LibraryDocument.error_code == WITHDRAWN,
                    (LibraryDocument.status == LibraryStatus.READY.value)
                    & (LibraryDocument.updated_at < Submission.updated_at),
                ),
            )
            .order_by(Submission.created_at, Submission.id)
            .limit(_BATCH)
        ).all()
    return [(row[0], row[1]) for row in rows]


def _write(context: Context, season: Season, submission_id: uuid.UUID, document_id: uuid.UUID | None) -> int:
    # Its readers take a tenth of a second to load.
    from services.library.reading import passage_rows, read_markdown

    seen_at = utcnow()
    with context.database.session() as session:
        # Locked until the end, to wait for an erasure of the entry and others who add the same essay. An erased
        # entry is not found.
        here = select(Submission.id).where(Submission.id == submission_id)
        if session.scalar(here.with_for_update(key_share=True)) is None:
            return 0
        written = select(LibraryDocument.id).where(LibraryDocument.submission_id == submission_id)
        if document_id is None and session.scalar(written) is not None:
            return 0
        entry = get_field_values(session, submission_id, essay_fields())
        cleaned = clean_essay(essay_of(entry), entry, decided_words(session, submission_id))
        if note_doubts(session, submission_id, cleaned.doubts, seen_at):
            withdraw(session, LibraryDocument.submission_id == submission_id)
            return 0
        title = essay_title(entry)
        data = _original(title, season, cleaned.text)
        key_id = document_id or uuid.uuid4()
        context.store.put(f"library/{key_id}", data)
        _put(session, key_id, document_id is None, _values(season, submission_id, title, data, seen_at))
        text = read_markdown(data, context.settings.file_bounds)
        passages = passages_of_blocks(text.blocks)
        language = detect_language("".join(one.text for one in passages))
        session.execute(
            update(LibraryDocument)
            .where(LibraryDocument.id == key_id)
            .values(
                language=language,
                char_count=passages[-1].end_char if passages else 0,
                **embedding_columns(context),
                # End the lease of a worker that computes vectors of the former text.
                **DOCUMENT_LEASES.ended,
            )
        )
        session.execute(delete(LibraryPassage).where(LibraryPassage.document_id == key_id))
        if passages:
            session.execute(insert(LibraryPassage), passage_rows(key_id, passages, language))
    return 1


def essay_title(entry: dict[str, str | None]) -> str:
    """ "M. Q., grade 4": the only information about the author that is kept."""
    grade = f"grade {entry['grade']}" if entry.get("grade") else ""
    return ", ".join(part for part in (initials(entry.get("student_name")), grade) if part) or "Essay"


def essay_of(entry: dict[str, str | None]) -> str:
    """Return the essay of an entry, each paragraph on one line."""
    paragraphs = (entry.get("essay_text") or "").replace("\r\n", "\n").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _original(title: str, season: Season, text: str) -> bytes:
    """Return the document as Markdown: front matter and the text without names, with no reference to the entry."""
    about = yaml.safe_dump({"title": title, "collection": season.name}, allow_unicode=True, sort_keys=False)
    return f"---\n{about}---\n{_escaped(text)}\n".encode()


def _escaped(text: str) -> str:
    """Escape the text, so that nothing in it is parsed as Markdown."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#+-.!|~&()=:" else char for char in text)


def _values(season: Season, submission_id: uuid.UUID, title: str, data: bytes, at: datetime) -> dict[str, Any]:
    return {
        "kind": LibraryKind.ESSAY.value,
        "collection": season.name,
        "title": title,
        "year": at.year,
        "original_filename": "essay.md",
        "content_type": MediaType.MARKDOWN.value,
        "byte_size": len(data),
        # With the entry's id: two entries may have the same essay, but documents need different hashes.
        "sha256": hashlib.sha256(submission_id.bytes + data).hexdigest(),
        "submission_id": submission_id,
        "status": LibraryStatus.READY.value,
        "error_code": None,
        "updated_at": at,
    }


def _put(session: Session, document_id: uuid.UUID, is_new: bool, values: dict[str, Any]) -> None:
    if is_new:
        session.execute(
            insert(LibraryDocument).values(id=document_id, storage_key=f"library/{document_id}", **values)
        )
    else:
        session.execute(update(LibraryDocument).where(LibraryDocument.id == document_id).values(**values))


# Words of essays that could be names: noted when an essay is to enter the library, decided by a person.


_WAITS = EssayWord.taken_out.is_(None)


def decided_words(session: Session, submission_id: uuid.UUID) -> dict[str, bool]:
    """Return whether each word of an essay that was decided on is taken out."""
    rows = session.execute(
        select(EssayWord.word, EssayWord.taken_out).where(EssayWord.submission_id == submission_id, ~_WAITS)
    )
    return {word: bool(taken_out) for word, taken_out in rows}


def note_doubts(session: Session, submission_id: uuid.UUID, doubts: Sequence[Doubt], at: datetime) -> bool:
    """Replace the words of an essay that wait for a person; return whether there are any."""
    session.execute(delete(EssayWord).where(EssayWord.submission_id == submission_id, _WAITS))
    if doubts:
        rows = [{"submission_id": submission_id, "word": doubt.key, "created_at": at} for doubt in doubts]
        session.execute(insert_or_keep(EssayWord).on_conflict_do_nothing(), rows)
    return bool(doubts)


def waiting_essays(context: Context) -> int:
    """Return how many essays wait for a person."""
    return context.database.scalar(select(func.count(EssayWord.submission_id.distinct())).where(_WAITS)) or 0


def decide_word(
    context: Context, actor_id: uuid.UUID, submission_id: uuid.UUID, word: str, *, taken_out: bool
) -> bool:
    """Decide whether a doubtful word is taken out of an essay; return False if it no longer waits."""
    won = context.database.scalar(
        update(EssayWord)
        .where(EssayWord.submission_id == submission_id, EssayWord.word == word, _WAITS)
        .values(taken_out=taken_out, decided_by=actor_id, decided_at=utcnow())
        .returning(EssayWord.word)
    )
    return won is not None


# Take the names out of an essay: of people, schools and places, and ways to reach somebody.
#
# Names become initials. What could be a name or an ordinary word is left for a person to decide.


#: Fields of an entry that contain names of people or schools, and fields with contact data.
NAMING_FIELDS = FieldNames(FieldKind.PERSON, FieldKind.SCHOOL)
_PHONES = FieldNames(FieldKind.PHONE)
REACHING_FIELDS = FieldNames(FieldKind.PHONE, FieldKind.EMAIL)
_OF_SCHOOLS = listed_words("school")
_LETTERS = {
    "a": "aáàâäãå",
    "e": "eéèêë",
    "i": "iíìîï",
    "o": "oóòôöõ",
    "u": "uúùûü",
    "n": "nñ",
    "c": "cç",
    "y": "yý",
}
#: Characters of the text that are shown on each side of a doubtful word.
_AROUND = 70
#: Most characters of a field's value that is searched for as one phrase.
_MOST_OF_VALUE = 200


@dataclass(frozen=True)
class Doubt:
    """A word of an essay that could be a name, with the text before and after its first mention."""

    word: str
    #: The key of its decision: in lower case, without accents.
    key: str
    before: str
    behind: str


@dataclass(frozen=True)
class Cleaned:
    """An essay without names, and the words to decide on before others may read it."""

    text: str
    doubts: tuple[Doubt, ...]


def initials(name: str | None) -> str:
    """ "M. Q." for "Marisol Quintero"; empty if no name is given."""
    words = [word for word in WORD.findall(name or "") if plain_text(word) not in NO_NAMES]
    return " ".join(f"{word[0].upper()}." for word in words)


def clean_essay(text: str, entry: Mapping[str, str | None], decided: Mapping[str, bool]) -> Cleaned:
    """Return the text without the names in `entry` (values by field) and without other names in it.

    `decided`: by key of doubtful words, whether each is taken out.
    """
    text = without_contacts(unicodedata.normalize("NFC", text))
    for field in _PHONES:
        text = _without_phone(text, entry.get(field))
    for field in NAMING_FIELDS:
        text = _without_value(text, entry.get(field))
    tokens = word_tokens(text)
    marks = find_names(tokens)
    for index, token in enumerate(tokens):
        if marks[index] is WordMark.DOUBT and token.plain in decided:
            marks[index] = WordMark.NAME if decided[token.plain] else None
    spread(
        tokens,
        marks,
        {plain_text(word) for field in NAMING_FIELDS for word in _telling_words(entry.get(field), field)},
    )
    doubts: dict[str, Doubt] = {}
    for token, mark in zip(tokens, marks, strict=True):
        if mark is WordMark.DOUBT and token.plain not in doubts:
            doubts[token.plain] = _doubt(text, token)
    text = _rendered(text, tokens, marks)
    # Finally the literal values, for those that no rule above matches.
    for field in (*NAMING_FIELDS, *REACHING_FIELDS):
        text = _literally_without(text, entry.get(field))
    return Cleaned(text, tuple(doubts.values()))


def without_names(text: str, entry: Mapping[str, str | None]) -> str:
    """Return the text with initials for the names that are certain."""
    return clean_essay(text, entry, {}).text


def _doubt(text: str, token: WordToken) -> Doubt:
    before, behind = text[max(0, token.start - _AROUND) : token.start], text[token.end : token.end + _AROUND]
    return Doubt(token.text, token.plain, before, behind)


def _rendered(text: str, tokens: list[WordToken], marks: list[WordMark | None]) -> str:
    pieces: list[str] = []
    end = 0
    for token, mark in zip(tokens, marks, strict=True):
        if mark is WordMark.NAME:
            ends = text[token.end : token.end + 1] == "."
            pieces += [text[end : token.start], token.text[0].upper(), "" if ends else "."]
            end = token.end
    return "".join([*pieces, text[end:]])


def _without_phone(text: str, value: str | None) -> str:
    digits = re.sub(r"\D", "", value or "")[:20]
    if len(digits) < 4:
        return text
    return re.sub(r"(?<!\d)" + r"[\s().-]{0,3}".join(digits) + r"(?!\d)", PHONE, text)


def _without_value(text: str, value: str | None) -> str:
    """Replace the value where all of it occurs, ignoring differences in spacing, accents and capitals."""
    words = WORD.findall(unicodedata.normalize("NFC", value or "")[:_MOST_OF_VALUE])
    if not words or all(plain_text(word) in NO_NAMES for word in words):
        return text
    pattern = r"\b" + r"[\W_]{1,4}".join(map(_any_accents, words)) + r"(?:['’]?s)?\b"
    return _replace(text, pattern, initials(" ".join(words)) if len(words) > 1 else "")


def _telling_words(value: str | None, field: str) -> Iterator[str]:
    """Yield the words of a value that can identify a person or school on their own."""
    for word in WORD.findall(unicodedata.normalize("NFC", value or "")):
        known = plain_text(word)
        if len(known) > 1 and known not in NO_NAMES and not (field == "school_name" and known in _OF_SCHOOLS):
            yield word


def _literally_without(text: str, value: str | None) -> str:
    value = unicodedata.normalize("NFC", value or "").strip()[:_MOST_OF_VALUE]
    words = [plain_text(word) for word in WORD.findall(value)]
    if len(value) < 2 or (words and all(word in NO_NAMES for word in words)):
        return text
    pattern = rf"(?<!\w){re.escape(value)}(?!\w)"
    mask = MAIL if "@" in value else initials(value) or "[…]"
    return re.sub(pattern, lambda _: mask, text, flags=re.IGNORECASE)


def _replace(text: str, pattern: str, mask: str) -> str:
    """Replace matches by the mask, without doubling the full stop at the end of a sentence."""

    def masked(found: re.Match[str]) -> str:
        ends = found.string[found.end() : found.end() + 1] == "."
        return mask.removesuffix(".") if ends else mask

    return re.sub(pattern, masked, text, flags=re.IGNORECASE) if mask else text


def _any_accents(word: str) -> str:
    return "".join(_letter(char) for char in word)


def _letter(char: str) -> str:
    bare = plain_text(char)
    return f"[{_LETTERS[bare]}{_LETTERS[bare].upper()}]" if bare in _LETTERS else re.escape(char)
