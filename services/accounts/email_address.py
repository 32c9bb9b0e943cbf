"""E-mail addresses as accounts are known by."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email

from core.errors import InvalidInputError
from services.messages.account import AccountRefused


def normal_email(email: str) -> str:
    """Return the address in the form it is stored in. Raises InvalidInputError for what is none."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError as exc:
        raise InvalidInputError(AccountRefused.NOT_AN_ADDRESS) from exc
