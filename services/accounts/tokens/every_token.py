"""The tokens of all people, for admins."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select

from core.models import ApiToken, Profile
from services.accounts.person_name import name_of
from services.accounts.tokens.api_tokens import TokenRow, token_columns
from services.context import Context
from services.keyset import Page, fetch_page

PAGE_SIZE = 50


@dataclass(frozen=True)
class OwnedToken(TokenRow):
    """One token and its owner."""

    owner: str
    owner_email: str


def list_every_token(context: Context, cursor: str | None = None, limit: int = PAGE_SIZE) -> Page[OwnedToken]:
    """Return one page of all tokens, newest first. Raises InvalidInputError for a bad cursor."""
    query = select(*token_columns(), name_of(Profile).label("owner"), Profile.email.label("owner_email")).join(
        Profile, Profile.id == ApiToken.profile_id
    )
    with context.database.session() as session:
        rows, after, before = fetch_page(session, query, ApiToken.created_at, ApiToken.id, cursor, limit)
    return Page([OwnedToken(**row._asdict()) for row in rows], after, before)
