"""Commands of research: reports and their supervision."""

from __future__ import annotations

import threading
import time
import uuid
from pathlib import Path

import click
from sqlalchemy import select

from commands.opened import opened_context
from core.config import get_settings
from core.errors import AppError
from core.folders import read_at_most
from core.messages import Message, say, say_all
from core.models import OPEN_SUPERVISIONS, Report, ReportRevision, ReportSupervision, RevisionStatus
from core.models.leases import SUPERVISION_LEASES
from research.config import TIERS
from research.document import ReportDocument
from research.exports.markdown import to_markdown
from research.supervision.types import TIERS as SUPERVISION_TIERS
from research.supervision.types import Issue
from services.accounts.people import person_by_email, terminal_person
from services.context import Context
from services.doctor.health import living_workers
from services.exports.making import new_file, require_new
from services.reports.request import ReportRequest, request_report
from services.reports.versions import report_document
from services.supervision.documents import upload_document
from services.supervision.request import MODES, start_supervision
from services.supervision.revisions import decide_revision

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
    from services.reports.run import run_report

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
    click.echo(to_markdown(report_document(context, report.id)))
    spent = report.spent
    click.echo(
        f"{report.ended_because}: {spent['calls']} model calls, {spent['tokens']} tokens, "
        f"US$ {spent['usd']:.4f}, {spent['minutes']:.1f} minutes",
        err=True,
    )


def _report(context: Context, report_id: uuid.UUID) -> Report:
    return context.database.get_one(Report, report_id)


# `flask supervise FILE`: supervise a document on disk in this process.


_SUPERVISION_LOOK_SECONDS = 0.2
_DOING = {
    "analyze_review": "looking for a gap",
    "expand_topic": "researching it",
    "integrate_content": "adding the findings",
}
_CAME = {
    "integrated": "integrated",
    "no_evidence": "nothing was found",
    "refused_by_guard": "the revision did not pass the safety check",
    "already_explored": "already researched",
    "failed": "failed",
}


@click.command("supervise")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--tier", type=click.Choice(list(SUPERVISION_TIERS)), default="standard", show_default=True)
@click.option("--mode", type=click.Choice(list(MODES)), default="automatic", show_default=True)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write. Default: FILE.revised.md next to it.",
)
@click.option("--library-only", is_flag=True, help="Search the library only.")
@click.option("--as", "email", help="E-mail address of the document's owner.")
def supervise(file: Path, tier: str, mode: str, out: Path | None, library_only: bool, email: str | None) -> None:
    """Close gaps in the theory of FILE (Markdown, Word, PDF, text); write the revised Markdown next to it.

    The document and each of its versions are also kept as a report. In supervised mode each revision is
    shown, and accepted or rejected here.
    """
    written = out or file.with_name(f"{file.stem}.revised.md")
    try:
        # Checked before the supervision, which costs money.
        require_new(written)
    except FileExistsError as error:
        problem = f"{written} is there already. Move it away, or name another file with --out."
        raise click.ClickException(problem) from error
    except OSError as error:
        raise click.ClickException(f"{written}: {error.strerror}") from error
    with opened_context(get_settings()) as context:
        person = person_by_email(context, email) if email else terminal_person(context)
        with file.open("rb") as opened:
            data = read_at_most(opened, context.settings.max_upload_bytes)
        report_id = upload_document(context, person, file.name, data, library_only=library_only)
        supervision_id = start_supervision(context, person, report_id, tier, mode, queue=False)
        _follow_supervision(context, supervision_id, person)
        _write(context, report_id, supervision_id, written)


def _follow_supervision(context: Context, supervision_id: uuid.UUID, person: uuid.UUID) -> None:
    shown: set[int] = set()
    while (row := _supervision(context, supervision_id)).status in OPEN_SUPERVISIONS:
        _run(context, supervision_id)
        waiting = _tell(context, supervision_id, shown)
        if waiting is not None:
            accepted = click.confirm("Accept this revision?", default=True)
            decide_revision(context, person, waiting.id, waiting.version, "accepted" if accepted else "rejected")
    _tell(context, supervision_id, shown)
    row = _supervision(context, supervision_id)
    spent = f"{row.spent.get('calls', 0)} model calls, US$ {row.spent.get('usd', 0.0):.4f}"
    click.echo(f"Ended: {row.ended_because}; {row.iterations} iterations, {row.integrations} integrated, {spent}.")
    if row.ended_note:
        click.echo(say(row.ended_note))
    if row.reasoning:
        click.echo(f"   {row.reasoning} ({_percent(row.confidence)} sure)")
    if row.error_code:
        click.echo(say(Message(row.error_code)))


def _run(context: Context, supervision_id: uuid.UUID) -> None:
    """Run the supervision once and print each step as it begins; pause if a worker has leased it."""
    # Loads LangGraph, which no other command needs.
    from services.supervision.run import fail_supervision, run_supervision

    failed: list[AppError] = []

    def work() -> None:
        try:
            run_supervision(context, supervision_id)
        except AppError as error:
            failed.append(error)

    helper = threading.Thread(target=work)
    helper.start()
    phase = ""
    while helper.is_alive():
        helper.join(_SUPERVISION_LOOK_SECONDS)
        now = _supervision(context, supervision_id).phase
        if now != phase and now in _DOING:
            click.echo(f"… {_DOING[now]}", err=True)
        phase = now
    if failed:
        fail_supervision(context, supervision_id, failed[0])
    with context.database.session() as session:
        held = SUPERVISION_LEASES.current(session, supervision_id)
    if held is not None:
        time.sleep(_SUPERVISION_LOOK_SECONDS)


def _tell(context: Context, supervision_id: uuid.UUID, shown: set[int]) -> ReportRevision | None:
    """Print the new attempts; return the revision that waits for a decision, if any."""
    rows = context.database.scalars(
        select(ReportRevision)
        .where(ReportRevision.supervision_id == supervision_id)
        .order_by(ReportRevision.iteration)
    )
    for row in rows:
        if row.iteration not in shown:
            shown.add(row.iteration)
            issue = Issue.model_validate(row.issue) if row.issue else None
            topic = issue.topic if issue else "(no issue was named)"
            why = f" ({say_all(row.reasons)})" if row.reasons else ""
            click.echo(f"{row.iteration}. {topic}: {_CAME[row.outcome]}{why}")
            if issue:
                click.echo(f"   {issue.rationale}")
            if row.reasoning:
                click.echo(f"   {row.reasoning} ({_percent(row.confidence)} sure)")
            if row.status == RevisionStatus.PENDING:
                _show_change(context, row)
    return next((row for row in rows if row.status == RevisionStatus.PENDING), None)


def _percent(confidence: float | None) -> str:
    return "not" if confidence is None else f"{confidence:.0%}"


def _show_change(context: Context, row: ReportRevision) -> None:
    """Print the new and changed sections."""
    before = report_document(context, row.report_id, row.base_version)
    stood = {section.key: section.body for section in before.sections}
    for section in ReportDocument.model_validate(row.document).sections:
        if stood.get(section.key) != section.body:
            click.echo(f"\n## {section.heading}\n\n{section.body}\n")


def _write(context: Context, report_id: uuid.UUID, supervision_id: uuid.UUID, written: Path) -> None:
    number = _report(context, report_id).current_version
    text = to_markdown(report_document(context, report_id, number))
    with new_file(written) as file:
        # Written as bytes, so that line ends are not changed.
        file.write(text.encode())
    click.echo(f"Version {number} is in {written}")
    if _supervision(context, supervision_id).status == "failed":
        raise click.exceptions.Exit(1)


def _supervision(context: Context, supervision_id: uuid.UUID) -> ReportSupervision:
    return context.database.get_one(ReportSupervision, supervision_id)
