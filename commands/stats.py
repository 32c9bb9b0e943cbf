"""`flask stats …`: the counts that statistics are read from."""

from __future__ import annotations

import click

from commands.opened import opened_context
from core.config import get_settings
from services.stats.recompute import recompute as recompute_now
from services.stats.recompute import wrong_counts


@click.group("stats")
def stats() -> None:
    """Check or rebuild the counts behind the supervisor's statistics."""


@stats.command("check")
def check() -> None:
    """Show how many counts differ from a recount of the rows; exit code 1 if any do."""
    with opened_context(get_settings()) as context:
        wrong = wrong_counts(context.database)
    click.echo(f"{wrong} counts differ." if wrong else "All counts agree with the rows.")
    if wrong:
        raise click.exceptions.Exit(1)


@stats.command("recompute")
def recompute() -> None:
    """Rebuild all counts from the rows. Counts of pruned log rows are kept."""
    with opened_context(get_settings()) as context:
        wrong = recompute_now(context.database)
    click.echo(f"{wrong} counts were corrected.")
