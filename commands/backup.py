"""`flask backup` and `flask restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from commands.opened import app_at_hand
from core.config import get_settings
from core.errors import AppError
from services.backup.make_backup import Progress, make_backup
from services.backup.manifest import Manifest
from services.backup.open_backup import is_sealed, open_backup
from services.backup.restore_backup import restore_backup
from services.context import open_context

#: Of a backup without encryption, or one that was made before manifests were authenticated.
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
    """Return the passphrase of the file. Raises ClickException where it is no text."""
    try:
        return None if file is None else _text(file.readline().rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise click.ClickException(_NO_TEXT) from error


def _text(passphrase: str) -> str:
    """Return what was read from a file or a terminal. Raises ClickException for bytes that were no text."""
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
