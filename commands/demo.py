"""`flask demo`: run everything on this machine, with invented entries."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import click
from flask.cli import with_appcontext
from sqlalchemy import select

from commands.library import sample_files
from commands.opened import app_at_hand
from commands.serving import WebServer, browser_url, end_on_signals, ignore_signals, listening, run_alone
from commands.workforce import Workforce
from core.config import ROOT, Settings, get_settings
from core.database import upgrade
from core.embedded.account import drop_root
from core.llm.embeddings import wanted_dimensions
from core.models import Profile, Upload
from core.tracing.log import configure_logging
from services.accounts.people import DEMO_ACCOUNTS, create_demo_accounts
from services.context import Context, open_context
from services.library.documents import add_document
from services.school_lists import import_schools
from services.supervision.recorded import add_recorded
from services.uploads.submit import IncomingFile, submit_files

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
        _serve(listener, browser_url(settings, listener))
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
    officer = context.database.one(select(Profile.id).where(Profile.is_demo, Profile.role == "officer"))
    (uploaded,) = (SAMPLES / "reports").glob("*.md")
    for path in sorted((SAMPLES / "reports").glob("*.json")):
        rows = json.loads(path.read_text(encoding="utf-8"))
        is_uploaded = rows["reports"][0]["origin"] == "uploaded"
        add_recorded(context, officer, rows, uploaded.read_bytes() if is_uploaded else None)


def _sample_files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.is_file() and path.suffix not in (".json", ".csv", ".md")
    )


def _serve(listener: socket.socket, address: str) -> None:
    server = WebServer(app_at_hand(), listener, get_settings().max_request_bytes)
    click.echo(f"\nSecond Reader is open at {address}\n")
    for account in DEMO_ACCOUNTS:
        click.echo(f"  {account.role:<9} {account.email:<28} {account.password}")
    click.echo("\nPress Ctrl-C to stop; the next `make demo` keeps its data.\n")
    run_alone(server)
