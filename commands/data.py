"""Commands for data: schema, backup, exports, labels, erasure and export of a child's data, pruning."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import TextIO

import click

from commands.opened import app_at_hand, opened_context
from core.config import get_settings
from core.database import upgrade
from core.errors import AppError
from core.llm.embeddings import wanted_dimensions
from core.messages import keys_of, label_of
from core.models import ErasureReason, ExportFormat, ExportKind, SubmissionStatus
from services.backup.backup import Progress, make_backup
from services.backup.restore import is_sealed, open_backup, restore_backup
from services.backup.seal import Manifest
from services.context import Context, open_context
from services.entries.listing import SubmissionFilter
from services.erasure.erase import erase_submissions
from services.erasure.held_export import erasure_receipt, export_held, find_child, find_held
from services.erasure.purge import prunable, prune_records, purge_expired, submissions_overdue
from services.erasure.scope import HeldKind
from services.exports.labels import export_labels
from services.exports.making import export_to_path, new_file
from services.exports.request import ExportRequest

# `flask db-upgrade`: bring the database to the newest migration; `flask db-url`: where it is.


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


# `flask backup` and `flask restore`.


#: Warning for a backup without encryption, or one older than authenticated manifests.
_UNPROVEN = (
    "Nothing proves that this backup is as it was written: whoever can write to its disk decides what is restored,"
    " and what the database runs. Restore it?"
)
_NO_TEXT = "The passphrase cannot be read as text. Save its file as UTF-8, or type it."
_FOLDER = click.Path(file_okay=False, path_type=Path)
_PASSPHRASE = click.option(
    "--passphrase-file", type=click.File(), help="File whose first line is the passphrase; '-' reads it."
)


@click.command("backup")
@click.argument("folder", type=_FOLDER)
@click.option("--encrypt", is_flag=True, help="Ask for a passphrase and encrypt with it.")
@_PASSPHRASE
def backup(folder: Path, encrypt: bool, passphrase_file: TextIO | None) -> None:
    """Write the database and all files into FOLDER, which must not exist yet."""
    passphrase = _first_line(passphrase_file)
    if encrypt and passphrase is None:
        passphrase = _text(click.prompt("Passphrase", hide_input=True, confirmation_prompt=True))
    context = open_context(get_settings(), app_at_hand())
    try:
        manifest = make_backup(context, folder, passphrase, _tell("copied"))
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    finally:
        context.close()
    click.echo(f"{folder}: {_summary(manifest)}{'' if manifest.sealed else ', not encrypted'}")
    for key in manifest.missing:
        click.echo(f"missing in the file store: {key}", err=True)
    if manifest.missing:
        raise SystemExit(1)


@click.command("restore")
@click.argument("folder", type=_FOLDER)
@_PASSPHRASE
@click.option("--trust-disk", is_flag=True, help="Do not ask where no passphrase proves who wrote the backup.")
def restore(folder: Path, passphrase_file: TextIO | None, trust_disk: bool) -> None:
    """Restore the backup in FOLDER into an empty installation, and upgrade it to this version."""
    context = open_context(get_settings(), app_at_hand())
    try:
        passphrase = _first_line(passphrase_file)
        if passphrase is None and is_sealed(folder):
            passphrase = _text(click.prompt("Passphrase", hide_input=True))
        opened = open_backup(folder, passphrase)
        if not opened.authentic and not trust_disk:
            click.confirm(_UNPROVEN, abort=True)
        applied = restore_backup(context, opened, _tell("restored"))
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    finally:
        context.close()
    click.echo(f"restored {_summary(opened.manifest)}; every count is as it was")
    if applied:
        click.echo(f"migrations applied since: {', '.join(applied)}")


def _first_line(file: TextIO | None) -> str | None:
    """Return the passphrase in the file. Raises ClickException if it is not text."""
    try:
        return None if file is None else _text(file.readline().rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise click.ClickException(_NO_TEXT) from error


def _text(passphrase: str) -> str:
    """Return text from a file or a terminal. Raises ClickException for bytes that are not text."""
    try:
        passphrase.encode()
    except UnicodeEncodeError as error:
        raise click.ClickException(_NO_TEXT) from error
    return passphrase


def _summary(manifest: Manifest) -> str:
    size = manifest.database.size + sum(file.size for file in manifest.files.values())
    rows = sum(manifest.tables.values())
    return f"{len(manifest.tables)} tables with {rows} rows, {len(manifest.files)} files, {size / 1e6:.1f} MB"


def _tell(done: str) -> Progress:
    def tell(number: int, count: int) -> None:
        if number == count or number % 500 == 0:
            click.echo(f"{done} {number} of {count} files", err=True)

    return tell


# `flask export`: entries of a season as a file.


@click.command("export")
@click.option("--season", required=True, help="The name of the season.")
@click.option(
    "--kind", type=click.Choice(keys_of(ExportKind)), default=ExportKind.ENTRIES.value, show_default=True
)
@click.option("--format", "file_format", type=click.Choice(keys_of(ExportFormat)), required=True)
@click.option("--status", type=click.Choice(keys_of(SubmissionStatus)), help="Only entries with this status.")
@click.option("--school", help="Only entries from this school, spelled as in the list of entries.")
@click.option("--grade", help="Only entries in this grade.")
@click.option("--batch", type=click.UUID, help="Only entries from the upload with this id.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    help="A column to include; repeat for more, in order. Default: all columns.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file to write; it must be new.",
)
def export(
    season: str,
    kind: str,
    file_format: str,
    status: str | None,
    school: str | None,
    grade: str | None,
    batch: uuid.UUID | None,
    columns: tuple[str, ...],
    out: Path,
) -> None:
    """Write entries as a table, as a ZIP file of their pages, or as a packet for the judges.

    They are children's data: for the office's own machine. The export is recorded.
    """
    wanted = SubmissionFilter(status=status, school=school, grade=grade, batch_id=batch)
    with opened_context(get_settings()) as context:
        try:
            done = export_to_path(
                context, out, season, ExportRequest(ExportKind(kind), file_format, wanted, columns)
            )
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{out}: {done} entries; it may have names, addresses, and essays of children")


# `flask labels export`: settled and audited entries as files with labels.


@click.group("labels")
def labels() -> None:
    """Entries with labels, for the regression script."""


@labels.command("export")
@click.option("--season", required=True, help="The name of the season.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write, new or empty.",
)
def export_labels_command(season: str, out: Path) -> None:
    """Write settled and audited entries of a season. Children's data: keep it on the office's own machine."""
    with opened_context(get_settings()) as context:
        try:
            done = export_labels(context, season, out)
        except OSError as error:
            raise click.ClickException(f"{out}: {error.strerror}") from error
    click.echo(f"{out}: {done.entries} entries with labels; it has names, addresses, and essays of children")
    if done.left_out:
        click.echo(f"{done.left_out} entries were left out because their pages are gone", err=True)


# `flask prune`: remove old log rows, and checkpoints that are no longer needed.


@click.command("prune")
@click.option("--dry-run", is_flag=True, help="Only show how many rows would be removed.")
def prune(dry_run: bool) -> None:
    """Remove steps of runs and model calls older than LOG_RETENTION_DAYS, and checkpoints of settled runs."""
    with opened_context(get_settings()) as context:
        done = prunable(context) if dry_run else prune_records(context)
    what = f"{done.steps} steps, {done.calls} model calls"
    if dry_run:
        click.echo(f"{what} would be removed.")
    else:
        click.echo(f"Removed {what}, checkpoints of {done.checkpoints} runs and reports.")


# `flask erase`, `flask export-child`, `flask purge`: erase and export children's data.


#: Seconds to wait for a worker; longer than for a page.
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
        done = erasure_receipt(
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
            done = purge_expired(context)
            rest = (
                f"{done.events} events, {done.sessions} sessions, {done.tokens} tokens, {done.strays} stray files"
            )
            click.echo(f"Erased {done.entries} entries, {rest}.")


def _only_one(context: Context, child: str, season: str) -> uuid.UUID:
    """Return the only entry of this name; raise an error that lists them if there are several."""
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
