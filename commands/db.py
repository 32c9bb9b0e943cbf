"""`flask db-upgrade`: bring the database to the newest migration; `flask db-url`: where it is."""

from __future__ import annotations

import click

from commands.opened import app_at_hand
from core.config import get_settings
from core.embeddings import wanted_dimensions
from core.errors import AppError
from core.migrations import upgrade
from services.context import open_context


@click.command("db-url")
def db_url() -> None:
    """Print the database's address with its password, for `pg_dump` and `psql` while the product runs."""
    context = open_context(get_settings(), app_at_hand())
    try:
        click.echo(context.database.dsn)
    finally:
        context.close()


@click.command("db-upgrade")
def db_upgrade() -> None:
    """Apply the migrations that are not applied yet, and make LangGraph's tables.

    Locks and paths last as long as a connection there, which a pooler in transaction mode does not keep.
    """
    if get_settings().database_transaction_pooler:
        raise click.ClickException(
            "run db-upgrade with DATABASE_URL at the session pooler or at the server itself, and without "
            "DATABASE_TRANSACTION_POOLER"
        )
    context = open_context(get_settings(), app_at_hand())
    try:
        applied = upgrade(context.database.dsn, dimensions=wanted_dimensions(context.settings))
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    finally:
        context.close()
    click.echo(f"applied: {', '.join(applied)}" if applied else "nothing to apply")
