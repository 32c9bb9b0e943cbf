"""`flask research …`: request reports from the command line."""

from __future__ import annotations

import threading
import time
import uuid

import click

from commands.opened import opened_context
from core.config import get_settings
from core.messages import Message
from core.models import Report, ReportVersion
from core.saying import say
from research.config import TIERS
from research.document import ReportDocument
from research.exports import to_markdown
from services.accounts.find_person import person_by_email
from services.context import Context
from services.health import living_workers
from services.reports.request_report import ReportRequest, request_report

_OPEN = ("queued", "running")
_LOOK_SECONDS = 0.5


@click.group("research")
def research() -> None:
    """Request reports."""


@research.command("ask")
@click.argument("query")
@click.option("--as", "email", required=True, help="E-mail address of the person who requests it.")
@click.option(
    "--type",
    "report_type",
    type=click.Choice(["narrative", "catalog"]),
    help="Type of report. Default: from the question.",
)
@click.option("--items", type=int, help="Number of items in a catalog. Default: from the question.")
@click.option("--field", "fields", multiple=True, help="A field of each item; may be repeated.")
@click.option("--tier", type=click.Choice(list(TIERS)), default="standard", show_default=True)
@click.option("--allocation", help='Researchers: web, academic, book, as in "210"; or "2" for two on the web.')
@click.option(
    "--language", type=click.Choice(["en", "es"]), help="Language of the report. Default: that of the question."
)
@click.option(
    "--supervise/--no-supervise",
    default=None,
    help="Deepen it once it is written; each revision waits for a person.  [default: comprehensive, high_quality]",
)
@click.option("--wait", is_flag=True, help="Show progress, then print the report.")
def ask(
    query: str,
    email: str,
    report_type: str | None,
    items: int | None,
    fields: tuple[str, ...],
    tier: str,
    allocation: str | None,
    language: str | None,
    supervise: bool | None,
    wait: bool,
) -> None:
    """Request a report and print its id; with --wait, print the report in Markdown."""
    with opened_context(get_settings()) as context:
        person = person_by_email(context, email)
        request = ReportRequest(
            query,
            report_type=report_type,
            target_items=items,
            fields=fields,
            tier=tier,
            allocation=allocation,
            language=language,
            supervise=supervise,
        )
        report_id = request_report(context, person, request)
        click.echo(f"Report {report_id}", err=wait)
        if wait:
            _follow(context, report_id)


def _follow(context: Context, report_id: uuid.UUID) -> None:
    """Print each step as it begins; without a worker, do the research in this process."""
    # Loads LangGraph, which no other command needs.
    from services.reports.run_report import run_report

    helper = threading.Thread(target=run_report, args=(context, report_id))
    if living_workers(context) == 0:
        helper.start()
    shown = ""
    while (report := _report(context, report_id)).status in _OPEN:
        if report.phase != shown:
            shown = report.phase
            click.echo(f"… {shown.replace('_', ' ')}", err=True)
        if helper.ident is not None and not helper.is_alive():
            break
        time.sleep(_LOOK_SECONDS)
    if helper.ident is not None:
        helper.join()
    _print(context, _report(context, report_id))


def _print(context: Context, report: Report) -> None:
    if report.current_version is None:
        why = say(Message(report.error_code)) if report.error_code else f"the report is {report.status}"
        raise click.ClickException(why)
    with context.database.session() as session:
        row = session.get_one(ReportVersion, (report.id, report.current_version))
    click.echo(to_markdown(ReportDocument.model_validate(row.document)))
    spent = report.spent
    click.echo(
        f"{report.ended_because}: {spent['calls']} model calls, {spent['tokens']} tokens, "
        f"US$ {spent['usd']:.4f}, {spent['minutes']:.1f} minutes",
        err=True,
    )


def _report(context: Context, report_id: uuid.UUID) -> Report:
    with context.database.session() as session:
        return session.get_one(Report, report_id)
