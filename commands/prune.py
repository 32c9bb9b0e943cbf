"""`flask prune`: remove rows of the log by age, and checkpoints that are no longer needed."""

from __future__ import annotations

import click

from commands.opened import opened_context
from core.config import get_settings
from services.pruning.prune import prunable
from services.pruning.prune import prune as prune_now


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Only show how many rows would be removed.")
def prune(dry_run: bool) -> None:
    """Remove steps of runs and model calls older than LOG_RETENTION_DAYS, and checkpoints of settled runs."""
    with opened_context(get_settings()) as context:
        done = prunable(context) if dry_run else prune_now(context)
    what = f"{done.steps} steps, {done.calls} model calls"
    if dry_run:
        click.echo(f"{what} would be removed.")
    else:
        click.echo(f"Removed {what}, checkpoints of {done.checkpoints} runs and reports.")
