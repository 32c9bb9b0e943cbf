"""`flask erase`, `flask export-child`, `flask purge`: what is held of children."""

from __future__ import annotations

import uuid
from pathlib import Path

import click

from commands.opened import opened_context
from core.config import get_settings
from core.labels import label_of
from core.models import ErasureReason
from services.context import Context
from services.erasure.erase_submission import erase_submissions
from services.erasure.export_held import export_held
from services.erasure.find_child import find_child
from services.erasure.find_held import find_held
from services.erasure.held_kinds import HeldKind
from services.erasure.purge import purge as purge_now
from services.erasure.purge import submissions_overdue
from services.erasure.receipts import receipt
from services.exports.export_to_path import new_file

#: Seconds that a worker is waited for; nobody waits for a page here.
_PATIENCE = 600.0


@click.command("erase")
@click.option("--submission", "submission_id", type=click.UUID, help="The id of the entry.")
@click.option("--child", help="The child's name; it must match exactly one entry of the season.")
@click.option("--season", help="The name of the season in which to look for --child.")
@click.option(
    "--reason",
    type=click.Choice([reason.value for reason in ErasureReason]),
    default=ErasureReason.ASKED.value,
    show_default=True,
)
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(submission_id: uuid.UUID | None, child: str | None, season: str | None, reason: str, yes: bool) -> None:
    """Erase all data of one entry and print the receipt. This cannot be undone."""
    if (submission_id is None) == (child is None) or (child is None) != (season is None):
        raise click.UsageError("give --submission, or --child with --season")
    with opened_context(get_settings()) as context:
        found = submission_id or _only_one(context, str(child), str(season))
        _print_counts({kind.value: number for kind, number in find_held(context, [found]).counts.items()})
        click.echo("Cached text recognition is also removed: reading a page again takes longer the first time.")
        if not yes:
            click.confirm("Erase it? There is no way back", abort=True)
        done = receipt(
            context, erase_submissions(context, [found], None, ErasureReason(reason), patience=_PATIENCE)
        )
    click.echo(f"Receipt {done.id}, {done.created_at:%Y-%m-%d %H:%M %Z}")
    _print_counts(done.counts)
    for folder in done.not_reached:
        click.echo(f"Not reached, look there yourself: the watched folder {folder}")


@click.command("export-child")
@click.option("--submission", "submission_id", type=click.UUID, required=True, help="The id of the entry.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The ZIP file to write; it must be new.",
)
def export_child(submission_id: uuid.UUID, out: Path) -> None:
    """Write all data of one entry to a ZIP file that only you can read."""
    with opened_context(get_settings()) as context:
        try:
            with new_file(out) as file:
                size = file.write(export_held(context, submission_id, None))
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{size} bytes. The file has a child's data: keep it safe, and delete it after use.")


@click.command("purge")
@click.option("--dry-run", is_flag=True, help="Only show which entries would be erased.")
def purge(dry_run: bool) -> None:
    """Erase entries past their retention period, old events, expired sessions and tokens, and stray files."""
    with opened_context(get_settings()) as context:
        for season, number in submissions_overdue(context).items():
            click.echo(f"{season}: {number} entries are due for erasure.")
        if not dry_run:
            done = purge_now(context)
            rest = (
                f"{done.events} events, {done.sessions} sessions, {done.tokens} tokens, {done.strays} stray files"
            )
            click.echo(f"Erased {done.entries} entries, {rest}.")


def _only_one(context: Context, child: str, season: str) -> uuid.UUID:
    """Return the only entry of this name; list them where there are several."""
    found = find_child(context, child, season)
    if len(found) == 1:
        return found[0].submission_id
    for entry in found:
        about = ", ".join(part for part in (entry.student_name, entry.school_name, entry.grade) if part)
        click.echo(f"{entry.submission_id}  {entry.created_at:%Y-%m-%d}  {about}")
    raise click.ClickException("choose one by --submission" if found else "no entry of this name")


def _print_counts(counts: dict[str, int]) -> None:
    for kind, number in counts.items():
        click.echo(f"{number:>8}  {label_of(HeldKind, kind)}")
