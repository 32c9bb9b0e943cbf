"""Single-use tokens for the links of invitations and password resets. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
import uuid
from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from core.clock import utcnow
from core.errors import LinkExpiredError
from core.models import AccountToken, Profile

Purpose = Literal["invitation", "password_reset"]

LIFETIMES: dict[Purpose, timedelta] = {
    "invitation": timedelta(days=7),
    "password_reset": timedelta(hours=4),
}


def issue_token(session: Session, profile_id: uuid.UUID, purpose: Purpose) -> str:
    """Make and return a token; an earlier token of the same purpose stops working."""
    session.execute(
        delete(AccountToken).where(AccountToken.profile_id == profile_id, AccountToken.purpose == purpose)
    )
    token = secrets.token_urlsafe(32)
    session.add(
        AccountToken(
            profile_id=profile_id,
            purpose=purpose,
            token_hash=_hash(token),
            expires_at=utcnow() + LIFETIMES[purpose],
        )
    )
    return token


def profile_of_token(session: Session, token: str, purpose: Purpose) -> Profile:
    """Return the owner of a token. Raises LinkExpiredError if it was used, has expired or is unknown."""
    profile = session.scalar(
        select(Profile)
        .join(AccountToken, AccountToken.profile_id == Profile.id)
        .where(
            AccountToken.token_hash == _hash(token),
            AccountToken.purpose == purpose,
            AccountToken.used_at.is_(None),
            AccountToken.expires_at > utcnow(),
            Profile.is_active,
        )
    )
    if profile is None:
        raise LinkExpiredError
    return profile


def use_token(session: Session, token: str) -> None:
    """Mark the token as used. Raises LinkExpiredError if it was used before."""
    used = session.execute(
        update(AccountToken)
        .where(AccountToken.token_hash == _hash(token), AccountToken.used_at.is_(None))
        .values(used_at=func.now())
        .returning(AccountToken.id)
    )
    if used.first() is None:
        raise LinkExpiredError


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
