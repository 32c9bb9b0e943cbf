"""Commands that run and check the product: site, workers, watched folder, demo, doctor, counts."""

from __future__ import annotations

import json
import signal
import socket
import threading
from datetime import datetime
from pathlib import Path

import click
from flask import Flask, current_app
from flask.cli import with_appcontext
from sqlalchemy import select

from commands.library import sample_files
from commands.opened import app_at_hand, opened_context
from commands.serving import (
    WebServer,
    Workforce,
    bound,
    browser_url,
    end_on_signals,
    ignore_signals,
    listening,
    run_alone,
)
from core.config import ROOT, Settings, get_settings
from core.database import upgrade
from core.embedded.account import drop_root
from core.errors import AppError
from core.llm.embeddings import wanted_dimensions
from core.messages import keys_of, label_of, say
from core.models import Profile, Upload
from core.tracing.log import configure_logging
from services.accounts.people import DEMO_ACCOUNTS, create_demo_accounts
from services.batches.default_values import EssayLanguage, SaidOfBatch
from services.context import Context, open_context
from services.doctor.checks import examine, something_wrong
from services.doctor.findings import DoctorFinding, DoctorSeverity
from services.library.documents import add_document
from services.school_lists import import_schools
from services.stats.counts import recompute_counts, wrong_counts
from services.supervision.recorded import add_recorded
from services.uploads.submit import IncomingFile, submit_files
from services.watching.intake import Pace
from services.watching.places import WatchedFolder
from services.watching.watch_folder import check_said, uploader_of, watch_folder


@click.command("serve")
@with_appcontext
def serve() -> None:
    """Serve requests until stopped; any number of processes can run, each on its own port."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    with bound(settings) as listener:
        drop_root(settings)
        with opened_context(settings):
            server = WebServer(current_app.wsgi_app, listener, settings.max_request_bytes)
            click.echo(f"Second Reader is open at {browser_url(settings, listener)}. Press Ctrl-C to stop.")
            run_alone(server)


# `flask worker`: run the worker processes of this machine, with scheduler and reconciler.


@click.command("worker")
def worker() -> None:
    """Run WORKERS worker processes until stopped; any number of machines may do so."""
    settings = get_settings()
    configure_logging(settings)
    end_on_signals()
    drop_root(settings)
    with opened_context(settings) as context:
        workforce = Workforce(settings, context)
        try:
            workforce.start()
            click.echo(f"{settings.workers} workers are waiting for entries. Press Ctrl-C to stop.")
            threading.Event().wait()
        except KeyboardInterrupt:
            click.echo("Stopping the workers…")
        finally:
            ignore_signals()
            workforce.stop()


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


# `flask demo`: run everything on this machine, with invented entries.


SAMPLES = ROOT / "samples"


@click.command("demo")
@with_appcontext
def demo() -> None:
    """Set up, read the sample entries through the real queue, and serve the app (`make demo`)."""
    settings = get_settings()
    if not settings.demo_accounts:
        raise click.UsageError("set DEMO_ACCOUNTS=true, or run `make demo`")
    configure_logging(settings)
    end_on_signals()
    with listening(settings) as listener:
        drop_root(settings)
        _run(settings, listener)


def _run(settings: Settings, listener: socket.socket) -> None:
    context = open_context(settings, app_at_hand())
    workforce = Workforce(settings, context)
    try:
        upgrade(context.database.dsn, dimensions=wanted_dimensions(context.settings))
        create_demo_accounts(context)
        workforce.start()
        _submit_samples(context)
        workforce.wait_for_one()
        _add_library(context)
        _add_reports(context)
        _serve(current_app, listener, browser_url(settings, listener))
    except KeyboardInterrupt:
        click.echo("\nStopping…")
    finally:
        ignore_signals()
        workforce.stop()
        context.close()


def _submit_samples(context: Context) -> None:
    """Upload the sample files as the demo's uploader, unless the database has uploads already."""
    with context.database.session() as session:
        if session.scalar(select(Upload.id).limit(1)) is not None:
            return
        uploader = session.scalars(select(Profile.id).where(Profile.is_demo, Profile.role == "uploader")).one()
    import_schools(context, (SAMPLES / "schools.csv").read_text(encoding="utf-8"))
    files = [IncomingFile(path.name, path.read_bytes()) for path in _sample_files(SAMPLES)]
    submit_files(context, uploader, files)
    click.echo(f"{len(files)} sample files are being read.")


def _add_library(context: Context) -> None:
    """Queue the library's samples after the entries; documents of an earlier demo are kept."""
    files, most = sample_files(), context.settings.max_upload_bytes
    for path, shelf in files:
        add_document(context, None, IncomingFile(path.name, path.read_bytes(most)), shelf)
    click.echo(f"{len(files)} documents are in the library.")


def _add_reports(context: Context) -> None:
    """Add the sample reports and the supervised report, each once, as the demo's officer.

    They were made with a recorded model and are loaded as rows (`lab/cassettes/sample_reports`), without a model.
    """
    with context.database.session() as session:
        officer = session.scalars(select(Profile.id).where(Profile.is_demo, Profile.role == "officer")).one()
    (uploaded,) = (SAMPLES / "reports").glob("*.md")
    for path in sorted((SAMPLES / "reports").glob("*.json")):
        rows = json.loads(path.read_text(encoding="utf-8"))
        is_uploaded = rows["reports"][0]["origin"] == "uploaded"
        add_recorded(context, officer, rows, uploaded.read_bytes() if is_uploaded else None)


def _sample_files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.is_file() and path.suffix not in (".json", ".csv", ".md")
    )


def _serve(app: Flask, listener: socket.socket, address: str) -> None:
    server = WebServer(app.wsgi_app, listener, get_settings().max_request_bytes)
    click.echo(f"\nSecond Reader is open at {address}\n")
    for account in DEMO_ACCOUNTS:
        click.echo(f"  {account.role:<9} {account.email:<28} {account.password}")
    click.echo("\nPress Ctrl-C to stop; the next `make demo` keeps its data.\n")
    run_alone(server)


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
