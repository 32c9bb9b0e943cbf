"""Validate and normalise the e-mail addresses that identify accounts."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email

from core.errors import InvalidInputError
from services.messages.account import AccountRefused


def normal_email(email: str) -> str:
    """Return the address in its stored form, in lower case. Raises InvalidInputError if it is not valid."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError as exc:
        raise InvalidInputError(AccountRefused.NOT_AN_ADDRESS) from exc
