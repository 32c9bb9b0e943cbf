"""The words of letters, in the languages of the office."""

from __future__ import annotations

import re
import tomllib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import ConflictError, InvalidInputError
from core.messages import LabelledEnum
from core.models import LetterTexts, SecurityEventKind
from services.accounts.person import name_by_id
from services.audit import record_change
from services.context import Context
from services.messages.office import LetterRefused
from services.seasons import current_season

LANGUAGES = ("en", "es")
MAX_SUBJECT, MAX_BODY, MAX_OFFICE = 150, 6000, 200
_FILE = Path(__file__).with_name("texts.toml")
#: What lists and models write if there is no name.
_NOBODY = frozenset({"null", "none", "nil", "n/a", "undefined", "unknown", "not given", "desconocido", "ninguno"})
_PLACE = re.compile(r"\{(\w+)\}")


class TextPart(LabelledEnum, places=("letter_part",)):
    """The texts of a letter."""

    SUBJECT = "subject", "Subject"
    BODY = "body", "Letter"
    REMINDER = "reminder", "Sentence for a second letter"
    OFFICE = "office", "Name of the office"
    CONTACT = "contact", "How to reach the office"


#: The places that a text may have, and those that it needs.
PLACES: Mapping[TextPart, tuple[str, ...]] = {
    TextPart.SUBJECT: ("season", "office"),
    TextPart.BODY: ("greeting", "addressee", "missing", "until", "contact", "reminder", "office", "season"),
    TextPart.REMINDER: ("asked_on",),
}
NEEDED: Mapping[TextPart, tuple[str, ...]] = {
    TextPart.SUBJECT: ("season",),
    TextPart.BODY: ("missing", "until", "contact"),
    TextPart.REMINDER: (),
}


@dataclass(frozen=True)
class LanguageTexts:
    subject: str
    body: str
    reminder: str


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def usual_wording(language: str) -> LanguageTexts:
    """Return the texts of letters for an office that has written none."""
    found = _file()[language]
    return LanguageTexts(found["subject"], found["body"].strip(), found["reminder"])


def word(language: str, key: str, **places: str) -> str:
    """Return a word of letters in a language, with its places filled."""
    return with_places_filled(str(_file()["words"][language][key]), places)


def written_name(text: str | None) -> str | None:
    """Return a name on one line, for addressing a person in a letter; None for what names nobody."""
    name = " ".join((text or "").split())
    if not any(char.isalpha() for char in name) or name.lower() in _NOBODY:
        return None
    return name


def checked_wording(subject: str, body: str, reminder: str) -> LanguageTexts:
    """Return texts in their stored form. Raises InvalidInputError for one that cannot be filled in."""
    return LanguageTexts(
        _checked(TextPart.SUBJECT, subject, MAX_SUBJECT),
        _checked(TextPart.BODY, body, MAX_BODY),
        _checked(TextPart.REMINDER, reminder, MAX_BODY),
    )


def checked_line(part: TextPart, text: str) -> str:
    """Return a text of one line in its stored form. Raises InvalidInputError."""
    kept = " ".join(text.split())
    if len(kept) > MAX_OFFICE:
        raise InvalidInputError(LetterRefused.TEXT_LONG, letter_part=part.value, limit=MAX_OFFICE)
    return kept


def _checked(part: TextPart, text: str, limit: int) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > limit:
        raise InvalidInputError(LetterRefused.TEXT_LONG, letter_part=part.value, limit=limit)
    if part is TextPart.SUBJECT and not text.isprintable():
        raise InvalidInputError(LetterRefused.ONE_LINE, letter_part=part.value)
    found = set(_PLACE.findall(text))
    if unknown := sorted(found - set(PLACES[part])):
        names, choices = _braced(unknown), _braced(PLACES[part])
        raise InvalidInputError(LetterRefused.PLACE_UNKNOWN, letter_part=part.value, names=names, choices=choices)
    if re.search(r"[{}]", _PLACE.sub("", text)):
        raise InvalidInputError(LetterRefused.BRACES, letter_part=part.value)
    if wanting := [name for name in NEEDED[part] if name not in found]:
        raise InvalidInputError(LetterRefused.PLACE_WANTING, letter_part=part.value, names=_braced(wanting))
    return text


def _braced(names: tuple[str, ...] | list[str]) -> list[str]:
    return [f"{{{name}}}" for name in names]


def with_places_filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its places filled, once each; paragraphs that become empty are left out."""
    filled = _PLACE.sub(lambda found: values.get(found[1], found[0]), text)
    return re.sub(r"\n{3,}", "\n\n", filled).strip()


@dataclass(frozen=True)
class OfficeTexts:
    season: str
    #: As the office has written it; "" for the usual word.
    office: str
    #: As the office has written it, else the sender's address of mails; "" if neither is known.
    contact: str
    wording: Mapping[str, LanguageTexts]
    #: Languages whose texts the office has written itself.
    own: frozenset[str]
    #: 0 if the office never wrote any.
    version: int
    changed_by: str | None
    changed_at: datetime | None
    #: Returns the day of a moment in the office's time zone.
    day_of: Callable[[datetime], date]


def office_texts(context: Context) -> OfficeTexts:
    """Return the texts of the current season."""
    with context.database.session() as session:
        return texts_of(session, context.settings)


def texts_of(session: Session, settings: Settings) -> OfficeTexts:
    """Return the texts of the current season, in the caller's transaction."""
    season = current_season(session)
    row = session.get(LetterTexts, season.id)
    row = row or LetterTexts(office="", contact="", texts={}, version=0)
    own = {language: LanguageTexts(**texts) for language, texts in row.texts.items()}
    return OfficeTexts(
        season=season.name,
        office=row.office,
        contact=row.contact or parseaddr(settings.mail_from or "")[1],
        wording={language: own.get(language) or usual_wording(language) for language in LANGUAGES},
        own=frozenset(own),
        version=row.version,
        changed_by=name_by_id(session, row.changed_by),
        changed_at=row.changed_at,
        day_of=settings.office_day,
    )


def change_texts(
    context: Context,
    actor_id: uuid.UUID,
    version: int,
    office: str,
    contact: str,
    wording: Mapping[str, tuple[str, str, str]],
) -> None:
    """Give the letters of the current season these texts: subject, letter and reminder by language.

    A text that equals the usual one follows that from then on. Raises InvalidInputError for a text that cannot be
    filled in, ConflictError if somebody has changed the texts since `version`.
    """
    checked = {language: checked_wording(*wording[language]) for language in LANGUAGES}
    values: dict[str, Any] = {
        "office": checked_line(TextPart.OFFICE, office),
        "contact": checked_line(TextPart.CONTACT, contact),
        "texts": {key: asdict(text) for key, text in checked.items() if text != usual_wording(key)},
        "changed_by": actor_id,
    }
    with context.database.session() as session:
        season_id = current_season(session).id
        row = session.get(LetterTexts, season_id)
        before = _told(row.office, row.contact, row.texts) if row else {}
        if version == 0:
            new = insert(LetterTexts).values(season_id=season_id, **values).on_conflict_do_nothing()
            won = session.scalar(new.returning(LetterTexts.season_id))
        else:
            won = session.scalar(
                update(LetterTexts)
                .where(LetterTexts.season_id == season_id, LetterTexts.version == version)
                .values(**values, version=LetterTexts.version + 1, changed_at=func.now())
                .returning(LetterTexts.season_id)
            )
        if won is None:
            by = session.scalar(select(LetterTexts.changed_by).where(LetterTexts.season_id == season_id))
            raise ConflictError(LetterRefused.TEXTS_CHANGED, who=name_by_id(session, by))
        after = _told(values["office"], values["contact"], values["texts"])
        record_change(session, SecurityEventKind.LETTER_TEXTS_CHANGED, before, after, actor_id=actor_id)


def _told(office: str, contact: str, texts: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return what the record of events keeps: a letter may bring a link to anybody's page."""
    written = [f"{key}: {text}" for key in sorted(texts) for text in texts[key].values()]
    return {"office": office or None, "contact": contact or None, "texts": written or None}
