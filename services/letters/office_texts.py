"""The texts of a season's letters, as the office has written them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from email.utils import parseaddr

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from core.config import Settings
from core.errors import ConflictError
from core.models import LetterTexts, Profile
from services.accounts.person_name import name_by_id, name_of
from services.context import Context
from services.letters.wording import LANGUAGES, TextPart, Wording, checked_wording, one_line, usual_wording
from services.messages.letter import LetterRefused
from services.seasons import current_season


@dataclass(frozen=True)
class OfficeTexts:
    """What letters of a season say now."""

    season: str
    #: As written; "" where the usual word stands.
    office: str
    #: As written, else the address that mails come from; "" where neither is known.
    contact: str
    wording: Mapping[str, Wording]
    #: Languages whose texts the office has written itself.
    own: frozenset[str]
    #: 0 where nothing was ever written.
    version: int
    changed_by: str | None
    changed_at: datetime | None
    #: Returns the day that a moment belongs to where the office is.
    day_of: Callable[[datetime], date]


def office_texts(context: Context) -> OfficeTexts:
    """Return the texts of the current season."""
    with context.database.session() as session:
        return texts_of(session, context.settings)


def texts_of(session: Session, settings: Settings) -> OfficeTexts:
    """Return the texts of the current season, in the caller's transaction."""
    season = current_season(session)
    row = session.get(LetterTexts, season.id)
    sender = parseaddr(settings.mail_from or "")[1]
    if row is None:
        usual = {language: usual_wording(language) for language in LANGUAGES}
        return OfficeTexts(season.name, "", sender, usual, frozenset(), 0, None, None, settings.office_day)
    wording = {
        language: Wording(**row.texts[language]) if language in row.texts else usual_wording(language)
        for language in LANGUAGES
    }
    who = name_by_id(session, row.changed_by)
    return OfficeTexts(
        season.name,
        row.office,
        row.contact or sender,
        wording,
        frozenset(row.texts),
        row.version,
        who,
        row.changed_at,
        settings.office_day,
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

    Texts that are the usual ones follow those from then on. Raises InvalidInputError for a text that cannot be
    filled in, ConflictError if somebody has changed the texts since `version`.
    """
    checked = {language: checked_wording(*wording[language]) for language in LANGUAGES}
    values = {
        "office": one_line(TextPart.OFFICE, office),
        "contact": one_line(TextPart.CONTACT, contact),
        "texts": {key: asdict(text) for key, text in checked.items() if text != usual_wording(key)},
        "changed_by": actor_id,
    }
    with context.database.session() as session:
        season_id = current_season(session).id
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
            who = session.scalar(
                select(name_of(Profile))
                .join(LetterTexts, LetterTexts.changed_by == Profile.id)
                .where(LetterTexts.season_id == season_id)
            )
            raise ConflictError(LetterRefused.TEXTS_CHANGED, who=who)
