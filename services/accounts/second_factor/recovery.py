"""Recovery codes: each signs in once in place of a code of the authenticator. Only hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
import uuid

from sqlalchemy import delete, func, update
from sqlalchemy.orm import Session

from core.models import RecoveryCode

COUNT = 10
#: Without letters and digits that are taken for each other.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_HALF = 5


def new_codes(session: Session, profile_id: uuid.UUID) -> list[str]:
    """Replace the person's codes by new ones and return these; 49 random bits each."""
    session.execute(delete(RecoveryCode).where(RecoveryCode.profile_id == profile_id))
    codes = [f"{_letters()}-{_letters()}" for _ in range(COUNT)]
    session.add_all(RecoveryCode(profile_id=profile_id, code_hash=_hash(code)) for code in codes)
    return codes


def use_code(session: Session, profile_id: uuid.UUID, typed: str) -> bool:
    """Use up a code; return whether it was one that is left."""
    used = session.execute(
        update(RecoveryCode)
        .where(
            RecoveryCode.profile_id == profile_id,
            RecoveryCode.code_hash == _hash(typed),
            RecoveryCode.used_at.is_(None),
        )
        .values(used_at=func.now())
        .returning(RecoveryCode.id)
    )
    return used.first() is not None


def _letters() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_HALF))


def _hash(code: str) -> str:
    plain = "".join(char for char in code.lower() if char.isalnum())
    return hashlib.sha256(plain.encode()).hexdigest()
