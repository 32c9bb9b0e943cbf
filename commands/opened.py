"""Open the process context for a command; application errors become one line on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from flask import Flask, current_app

from core.config import Settings
from core.database import require_upgraded
from core.errors import AppError, DatabaseNotReadyError
from core.llm.embeddings import open_embedder, require_dimensions
from services.context import Context, open_context
from services.forms.in_use import load_forms


def app_at_hand() -> Flask | None:
    """Return the app whose command line is running; None if a command is called without one."""
    return current_app._get_current_object() if current_app else None  # type: ignore[attr-defined]


@contextmanager
def opened_context(settings: Settings) -> Iterator[Context]:
    """Open the context for a block, after checking that `flask db-upgrade` was run.

    Application errors of the block are raised as click.ClickException.
    """
    context = open_context(settings, app_at_hand())
    try:
        require_upgraded(context.database.dsn)
        require_dimensions(context.database.dsn, open_embedder(settings).dimensions)
        with context.app.app_context():
            load_forms(context)
            yield context
    except DatabaseNotReadyError as error:
        raise click.ClickException(error.help_message) from error
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    finally:
        context.close()
