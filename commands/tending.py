"""Commands that look after an installation: watched folder, doctor, counts."""

from __future__ import annotations

import signal
import threading
from datetime import datetime
from pathlib import Path

import click

from commands.opened import app_at_hand, opened_context
from core.config import get_settings
from core.errors import AppError
from core.messages import keys_of, label_of, say
from core.tracing.log import configure_logging
from services.batches.default_values import EssayLanguage, SaidOfBatch
from services.context import open_context
from services.doctor.checks import examine, something_wrong
from services.doctor.findings import DoctorFinding, DoctorSeverity
from services.stats.counts import recompute_counts, wrong_counts
from services.watching.intake import Pace
from services.watching.places import WatchedFolder
from services.watching.watch_folder import check_said, uploader_of, watch_folder

# `flask watch`: upload from a folder that a scanner writes into.


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
    # File names may contain line breaks, or bytes that are not characters.
    sentence = "".join(char if char.isprintable() else "?" for char in sentence)
    click.echo(f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S} {sentence}")


def _stopped_by_signals() -> threading.Event:
    """Return an event that termination signals set, so that the current round is finished."""
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: stop.set())
    # Sent when another program opens a file while this one checks whether it is in use.
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    return stop


# `flask doctor`: find out why this installation does not work.


@click.command("doctor")
@click.option("--here", is_flag=True, help="Skip the language model and the trace endpoint.")
def doctor(here: bool) -> None:
    """Test database, queue, file store, language model, and trace endpoint; check settings, lists, and clocks.

    Exits with 1 when something is wrong.
    """
    try:
        context = open_context(get_settings(), app_at_hand())
    except AppError as error:
        raise click.ClickException(error.detail or error.help_message) from error
    try:
        with context.app.app_context():
            found = examine(context, elsewhere=not here)
    finally:
        context.close()
    for finding in found:
        click.echo(_line(finding))
    if something_wrong(found):
        raise SystemExit(1)


def _line(finding: DoctorFinding) -> str:
    took = "" if finding.seconds is None else f" ({finding.seconds * 1000:.0f} ms)"
    return f"{label_of(DoctorSeverity, finding.severity):<12} {say(finding.message)}{took}"


# `flask stats …`: the counts behind the statistics.


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
        wrong = recompute_counts(context.database)
    click.echo(f"{wrong} counts were corrected.")
