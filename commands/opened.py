"""The open parts for one command, on a database that is ready; an error of ours is one line on the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from core.config import Settings
from core.errors import AppError, DatabaseNotReadyError
from core.migrations import require_upgraded
from services.context import Context, open_context


@contextmanager
def opened_context(settings: Settings) -> Iterator[Context]:
    """Open, check that `flask db-upgrade` was run, and close again."""
    context = open_context(settings)
    try:
        require_upgraded(context.database.dsn)
        yield context
    except DatabaseNotReadyError as error:
        raise click.ClickException(error.help_message) from error
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    finally:
        context.close()
