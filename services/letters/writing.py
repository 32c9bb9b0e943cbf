"""Write the letters to schools and families."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from html import escape
from typing import Any, Literal

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.config import Settings
from core.errors import ConflictError, InvalidInputError
from core.mail import language_of, mail_is_configured
from core.models import AddressedTo, Letter, LetterItem, LetterWay, MailKind, SecurityEventKind, Submission
from pipeline.mupdf.assembly import letter_pages
from pipeline.profiles import FieldKind, field_label, fields_of_kind
from services.audit import record_event
from services.context import Context
from services.letters.answers import LetterView
from services.letters.items import Incomplete, IncompleteGroup, find_incomplete, grouped
from services.letters.wording import LANGUAGES, OfficeTexts, texts_of, with_places_filled, word, written_name
from services.mails.mails import WrittenMail, put_mail
from services.messages.office import LetterRefused
from services.recovery.kinds import MAILS
from services.recovery.work import queue_rows
from services.runs.inputs import await_until
from services.seasons import current_season

#: Mails that are queued before the request is answered.
_QUEUED_AT_ONCE = 20
#: Limit of letters in one file, and of entries in one request.
MOST_PRINTED, MOST = 200, 500
USUAL_DAYS = 14
_LONGEST = timedelta(days=366)


@dataclass(frozen=True)
class WrittenLetters:
    #: Letters that are printed.
    printed: list[uuid.UUID]
    #: How many wait to be sent by mail.
    mailed: int
    #: Entries that no longer needed a letter, or that somebody else asked about meanwhile.
    left_out: int


def write_letters(context: Context, actor_id: uuid.UUID, request: LetterRequest) -> WrittenLetters:
    """Write the letters; if two people ask about an entry at the same time, only the first one's is written.

    Raises InvalidInputError for an invalid request, ConflictError if no entry is left of it.
    """
    with context.database.session() as session:
        # In a fixed order, so that two requests wait for each other; items are added only under these locks.
        session.execute(
            select(Submission.id)
            .where(Submission.id.in_(request.chosen))
            .order_by(Submission.id)
            .with_for_update(key_share=True)
        )
        plan = planned(session, context.settings, request)
        if not plan.letters:
            raise ConflictError(LetterRefused.NOTHING_LEFT)
        season_id = current_season(session).id
        rows = [_row(season_id, actor_id, request, letter) for letter in plan.letters]
        session.execute(insert(Letter), rows)
        pairs = list(zip(rows, plan.letters, strict=True))
        items = [
            {"letter_id": row["id"], "submission_id": one.id, "fields": list(one.missing)}
            for row, letter in pairs
            for one in letter.submissions
        ]
        session.execute(insert(LetterItem), items)
        # What a reviewer asks for stays out of the queue until the answer is late.
        overdue = datetime.combine(request.until + timedelta(days=1), time(), context.settings.office_zone)
        await_until(session, [one.id for letter in plan.letters for one in letter.submissions], overdue)
        mails = [_mail(session, season_id, row["id"], letter) for row, letter in pairs]
        record_event(session, SecurityEventKind.LETTERS_SENT, actor_id=actor_id, rows=len(plan.letters))
    waiting = [mail for mail in mails if mail is not None]
    # The reconciler queues the others, so that nobody waits for it here.
    queue_rows(context, MAILS, *waiting[:_QUEUED_AT_ONCE])
    printed = [row["id"] for row, letter in pairs if letter.recipient is None]
    return WrittenLetters(printed, len(waiting), plan.left_out)


def _row(
    season_id: uuid.UUID, actor_id: uuid.UUID, request: LetterRequest, letter: PlannedLetter
) -> dict[str, Any]:
    subject, body = letter.texts[letter.language]
    return {
        "id": uuid.uuid4(),
        "season_id": season_id,
        "way": letter.way.value,
        "addressed_to": request.by.value,
        "addressee": letter.addressee,
        "subject": subject,
        "body": body,
        "language": letter.language,
        "answer_until": request.until,
        "asked_by": actor_id,
    }


def _mail(session: Session, season_id: uuid.UUID, letter_id: uuid.UUID, letter: PlannedLetter) -> uuid.UUID | None:
    """Queue the letter's mail and return its id; None for a letter that is printed."""
    if letter.recipient is None:
        return None
    subject, body = letter.texts[letter.language]
    to, text = letter.recipient, body + "\n"
    mail = WrittenMail(MailKind.LETTER, season_id, to, subject, text, letter.language, letter_id=letter_id)
    return put_mail(session, mail)


def letter_pdf(letters: Sequence[LetterView]) -> bytes:
    """Return the letters as a PDF. Raises ConflictError for one whose text was removed."""
    if any(not letter.body for letter in letters):
        raise ConflictError(LetterRefused.ERASED)
    return letter_pages([as_html(letter.subject, letter.body) for letter in letters[:MOST_PRINTED]])


def as_html(subject: str, body: str) -> str:
    """Return a plain text as HTML: paragraphs and lines are kept, markup is escaped."""
    paragraphs = (escape(part).replace("\n", "<br>") for part in body.split("\n\n"))
    return f"<h3>{escape(subject)}</h3>" + "".join(f"<p>{part}</p>" for part in paragraphs)


@dataclass(frozen=True)
class LetterRequest:
    by: AddressedTo
    #: How often each entry had been asked about when the page was made.
    chosen: Mapping[uuid.UUID, int]
    until: date
    #: "own": of the entries, English where they differ.
    language: Literal["own", "en", "es"] = "own"
    #: Print all of them, even with an address.
    print_all: bool = False


@dataclass(frozen=True)
class PlannedLetter:
    """One letter, with its text in both languages."""

    addressee: str
    #: None: it is printed.
    recipient: str | None
    #: The language that is sent.
    language: str
    submissions: tuple[Incomplete, ...]
    #: {language: (subject, text)}.
    texts: Mapping[str, tuple[str, str]]

    @property
    def way(self) -> LetterWay:
        return LetterWay.PRINT if self.recipient is None else LetterWay.MAIL


@dataclass(frozen=True)
class LetterPlan:
    letters: list[PlannedLetter]
    #: Chosen entries that need no letter any more, or were asked about meanwhile.
    left_out: int


def plan_letters(context: Context, request: LetterRequest) -> LetterPlan:
    """Return the letters that the request would write now. Raises InvalidInputError for an invalid request."""
    with context.database.session() as session:
        return planned(session, context.settings, request)


def planned(session: Session, settings: Settings, request: LetterRequest) -> LetterPlan:
    """As `plan_letters`, in the caller's transaction."""
    texts = texts_of(session, settings)
    _check(request, texts, settings.office_day(utcnow()))
    season = current_season(session)
    chosen = list(request.chosen)
    found = find_incomplete(session, settings, Submission.season_id == season.id, Submission.id.in_(chosen))
    still = [one for one in found if len(one.asked) == request.chosen[one.id]]
    groups = _letters(grouped(session, season.id, request.by, still), request.by)
    by_mail = mail_is_configured(settings) and not request.print_all
    letters = [_planned(group, request, texts, by_mail) for group in groups]
    return LetterPlan(letters, len(request.chosen) - len(still))


def _check(request: LetterRequest, texts: OfficeTexts, today: date) -> None:
    if not request.chosen:
        raise InvalidInputError(LetterRefused.NOTHING_CHOSEN)
    if len(request.chosen) > MOST:
        raise InvalidInputError(LetterRefused.TOO_MANY, limit=MOST)
    if not today <= request.until <= today + _LONGEST:
        raise InvalidInputError(LetterRefused.UNTIL)
    if not texts.contact:
        raise InvalidInputError(LetterRefused.NO_CONTACT)


def _letters(groups: Iterable[IncompleteGroup], by: AddressedTo) -> list[IncompleteGroup]:
    """Divide the group without a known addressee: each of its entries gets its own letter."""
    found: list[IncompleteGroup] = []
    for group in groups:
        if group.key:
            found.append(group)
        else:
            found += [IncompleteGroup("", None, (one,)) for one in group.submissions]
    return found


def _planned(group: IncompleteGroup, request: LetterRequest, texts: OfficeTexts, by_mail: bool) -> PlannedLetter:
    own = {one.language for one in group.submissions}
    language = next(iter(own)) if len(own) == 1 else "en"
    if request.language != "own":
        language = request.language
    return PlannedLetter(
        group.key,
        group.address if by_mail else None,
        language if language in LANGUAGES else "en",
        group.submissions,
        {
            key: letter_text(key, texts, request.by, group.key, group.submissions, request.until)
            for key in LANGUAGES
        },
    )


def letter_text(
    language: str, texts: OfficeTexts, by: AddressedTo, key: str, submissions: Iterable[Incomplete], until: date
) -> tuple[str, str]:
    """Return subject and text of a letter to a school, or a family, of this key."""
    wording, say = texts.wording[language], language_of(language)
    entries = list(submissions)
    before = [one.asked[0].asked_at for one in entries if one.asked]
    all_before, reminder = len(before) == len(entries), ""
    if all_before:
        asked_on = say.day(texts.day_of(max(before)).isoformat())
        reminder = with_places_filled(wording.reminder, {"asked_on": asked_on})
    values = {
        **_addressed(language, by, key, entries),
        "missing": "\n".join(_line(language, texts, key, one, tell_asked=not all_before) for one in entries),
        "until": say.day(until.isoformat()),
        "contact": texts.contact,
        "reminder": reminder,
        "office": texts.office or word(language, "office"),
        "season": texts.season,
    }
    return with_places_filled(wording.subject, values), with_places_filled(wording.body, values)


def _addressed(language: str, by: AddressedTo, key: str, entries: Sequence[Incomplete]) -> dict[str, str]:
    """Return the addressee and the greeting, by what is known of teacher, school and family."""
    if by is AddressedTo.PARENT:
        children = [name for one in entries if (name := written_name(one.student_name))]
        alone = len(entries) == len(children) == 1
        names = {"name": children[0]} if alone else {}
        way = "family_of" if alone else "family"
        return {"addressee": word(language, way, **names), "greeting": word(language, f"dear_{way}", **names)}
    school = written_name(key)
    teachers = {written_name(one.teacher) for one in entries}
    teacher = next(iter(teachers)) if len(teachers) == 1 else None
    return {
        "addressee": school or teacher or word(language, "anybody"),
        "greeting": word(language, "dear_name", name=teacher or school or word(language, "anybody")),
    }


def _line(language: str, texts: OfficeTexts, key: str, one: Incomplete, tell_asked: bool) -> str:
    """Return what is missing of one entry and, in a letter that asks again, when it was asked for before.

    A letter to a school does not list the school's name.
    """
    grade = one.grade and word(language, "grade", grade=one.grade)
    school = None if one.school_name == key else one.school_name
    who = ", ".join(part for part in (one.student_name or word(language, "nameless"), grade, school) if part)
    what = ", ".join(_asked_for(language, one, name) for name in one.missing)
    if one.asked and tell_asked:
        day = language_of(language).day(texts.day_of(one.asked[0].asked_at).isoformat())
        what += f" ({word(language, 'asked', asked_on=day)})"
    # A value may have been read from two lines.
    return f"– {' '.join(who.split())}: {what}"


def _asked_for(language: str, one: Incomplete, name: str) -> str:
    """Return what a field is called; of an essay that is there, the rest is asked for."""
    if one.words and name in fields_of_kind(FieldKind.ESSAY):
        return word(language, "rest" if one.words > 1 else "rest_of_one", words=str(one.words))
    return field_label(name, language)
