"""Supabase Auth as the settings name it."""

from __future__ import annotations

from dataclasses import dataclass

from core.auth.access_token import TokenCheck
from core.auth.admin import AuthAdmin
from core.auth.connection import Connection
from core.auth.people import AuthPeople
from core.auth.signing_keys import SigningKeys
from core.config import Settings


@dataclass(frozen=True)
class AuthProvider:
    """The Auth of one project."""

    people: AuthPeople
    admin: AuthAdmin


def open_auth(settings: Settings) -> AuthProvider | None:
    """Supabase Auth where AUTH_PROVIDER names it, else None. Connects to nothing yet."""
    url, key, secret = settings.supabase_url, settings.supabase_publishable_key, settings.supabase_service_role_key
    if not (settings.supabase_auth and url and key and secret):
        return None
    connection = Connection(url, settings.auth_timeout_seconds)
    check = TokenCheck(connection.address, SigningKeys(connection.signing_keys))
    return AuthProvider(
        AuthPeople(connection, key.get_secret_value(), check), AuthAdmin(connection, secret.get_secret_value())
    )
