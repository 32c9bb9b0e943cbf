"""`flask watch`: a folder that a scanner writes into."""

from __future__ import annotations

import signal
import threading
from datetime import datetime
from pathlib import Path

import click

from commands.opened import opened_context
from core.config import get_settings
from core.labels import keys_of
from core.log import configure_logging
from services.batches.given import EssayLanguage
from services.batches.said import SaidOfBatch
from services.watching.folder import WatchedFolder
from services.watching.settling import Pace
from services.watching.watch_folder import check_said, uploader_of, watch_folder

_seconds = click.FloatRange(min=0.1, max=3600)


@click.command("watch")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--user", required=True, help="E-mail address of the account that uploads the files.")
@click.option("--school", default="", help="School for entries whose page has none.")
@click.option("--grade", default="", help="Grade for entries whose page has none.")
@click.option("--teacher", default="", help="Teacher for entries whose page has none.")
@click.option(
    "--language", type=click.Choice(keys_of(EssayLanguage)), help="Language to use if it cannot be recognized."
)
@click.option(
    "--settle", type=_seconds, default=Pace.settle, show_default=True, help="Seconds a file must be unchanged."
)
@click.option(
    "--quiet",
    type=_seconds,
    default=Pace.quiet,
    show_default=True,
    help="Seconds without new files that end an upload.",
)
def watch(
    folder: Path,
    user: str,
    school: str,
    grade: str,
    teacher: str,
    language: str | None,
    settle: float,
    quiet: float,
) -> None:
    """Upload the files that arrive in FOLDER until stopped.

    A file is taken when it has not changed for a while; files that arrive together become one upload. Files
    that were taken are moved to taken/<date>/ in the folder; files that are not documents are moved to refused/,
    with a text file that says why. Subfolders are ignored.
    """
    settings = get_settings()
    configure_logging(settings)
    stop = _stopped_by_signals()
    given = {"school_name": school, "grade": grade, "teacher_name": teacher, "language": language or ""}
    said = SaidOfBatch({key: value for key, value in given.items() if value.strip()})
    with opened_context(settings) as context:
        watched = WatchedFolder(folder.resolve())
        with watched.locked():
            uploader_of(context, user)
            check_said(context, said)
            _tell(f"Watching {watched.path} for {user}. Press Ctrl-C to stop.")
            watch_folder(context, watched, user, said, Pace(settle, quiet), stop, _tell)
    _tell("Stopped.")


def _tell(sentence: str) -> None:
    # Names of files may hold line breaks, or bytes that are no characters.
    sentence = "".join(char if char.isprintable() else "?" for char in sentence)
    click.echo(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S} {sentence}")


def _stopped_by_signals() -> threading.Event:
    """Return an event that the signals to end set, so that a round that was begun is ended."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: stop.set())
    # What the system sends when somebody opens a file just as it is asked whether anybody has.
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    return stop
