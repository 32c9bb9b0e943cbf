"""`flask doctor`: look for what keeps this installation from working."""

from __future__ import annotations

import click

from commands.opened import app_at_hand
from core.config import get_settings
from core.errors import AppError
from core.labels import label_of
from core.saying import say
from services.context import open_context
from services.doctor.examine import examine, something_wrong
from services.doctor.findings import Finding, Severity


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


def _line(finding: Finding) -> str:
    took = "" if finding.seconds is None else f" ({finding.seconds * 1000:.0f} ms)"
    return f"{label_of(Severity, finding.severity):<12} {say(finding.message)}{took}"
