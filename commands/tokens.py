"""`flask tokens …`: manage tokens for the JSON API from the command line, for scripts on the server."""

from __future__ import annotations

import uuid

import click

from commands.opened import opened_context
from core.config import get_settings
from core.labels import keys_of
from services.accounts.find_person import person_by_email
from services.accounts.tokens.api_tokens import MAX_DAYS, list_tokens, make_token, revoke_token
from services.accounts.tokens.scopes import Scope, scopes_of

_SCOPES = click.Choice(keys_of(Scope))


@click.group("tokens")
def tokens() -> None:
    """Create, list, and revoke tokens for the JSON API."""


@tokens.command("create")
@click.argument("email")
@click.argument("name")
@click.option(
    "--days", type=click.IntRange(1, MAX_DAYS), default=90, show_default=True, help="How long it is valid."
)
@click.option(
    "--scope", "scopes", type=_SCOPES, multiple=True, help="A permission; repeat for more. Default: all."
)
def create(email: str, name: str, days: int, scopes: tuple[str, ...]) -> None:
    """Create a token for this person and print it. It cannot be shown again."""
    wanted = scopes_of(scopes or keys_of(Scope))
    with opened_context(get_settings()) as context:
        token = make_token(context, person_by_email(context, email), name, days, wanted)
    click.echo(token)


@tokens.command("list")
@click.argument("email")
def list_all(email: str) -> None:
    """List this person's tokens."""
    with opened_context(get_settings()) as context:
        for row in list_tokens(context, person_by_email(context, email)):
            used = f"{row.last_used_at:%Y-%m-%d}" if row.last_used_at else "never"
            click.echo(f"{row.id}  {row.state:<7}  used {used:<10}  {row.name}")


@tokens.command("revoke")
@click.argument("email")
@click.argument("token_id", type=click.UUID)
def revoke(email: str, token_id: uuid.UUID) -> None:
    """Revoke one of this person's tokens at once."""
    with opened_context(get_settings()) as context:
        revoke_token(context, token_id, person_by_email(context, email))
    click.echo("The token was revoked.")
