"""`flask seasons …`: list, open, close and follow seasons, and change their rules."""

from __future__ import annotations

import uuid
from typing import Any

import click

from commands.opened import opened_context
from core.config import get_settings
from core.labels import label_of
from core.models import Season
from services.context import Context
from services.policy.change_policy import change_policy
from services.policy.preview import preview
from services.policy.rules import Rule
from services.season_admin.list_seasons import SeasonView, list_seasons, season_named
from services.season_admin.open_and_close import close_season, open_season
from services.season_admin.roll_over import roll_over
from services.seasons import current_season

#: Rules whose values are lists, by commas.
_LISTS = (Rule.DEFAULT_REQUIRED, Rule.FORM_PROFILES)
_season = click.option("--season", help="The name of the season. Default: the current one.")


@click.group("seasons")
def seasons() -> None:
    """List, open and close seasons, begin the next one, and change their rules."""


@seasons.command("list")
def list_all() -> None:
    """List the seasons and their custom rules."""
    with opened_context(get_settings()) as context:
        for season in list_seasons(context):
            click.echo(_line(season))
            for key, value in season.rules.items():
                click.echo(f"    {key} = {value}")


@seasons.command("open")
@click.argument("name")
def open_one(name: str) -> None:
    """Open the season NAME; the season that is open now is closed."""
    with opened_context(get_settings()) as context:
        open_season(context, None, _id_of(context, name))
    click.echo(f"{name}: open.")


@seasons.command("close")
@_season
def close_one(season: str | None) -> None:
    """Close a season: nothing more can be uploaded."""
    with opened_context(get_settings()) as context:
        close_season(context, None, _id_of(context, season))
    click.echo("Closed.")


@seasons.command("roll-over")
@click.argument("name")
@_season
def begin_next(name: str, season: str | None) -> None:
    """Begin the season NAME with the schools and rules of another, which is closed; its entries stay with it."""
    with opened_context(get_settings()) as context:
        roll_over(context, None, _id_of(context, season), name)
    click.echo(f"{name}: open, with the schools and rules of the previous season.")


@seasons.command("set")
@click.argument("rules", nargs=-1, required=True, metavar="RULE=VALUE…")
@_season
@click.option(
    "--dry-run", is_flag=True, help="Only show what the change would have done to the most recent entries."
)
def set_rules(rules: tuple[str, ...], season: str | None, dry_run: bool) -> None:
    """Change rules of a season; an empty VALUE uses the value from the settings.

    Lists are written with commas; `required.SINGLE_SCANNED=grade` is for one kind of files and replaces those of
    all kinds.
    """
    changes = _changes(rules)
    with opened_context(get_settings()) as context:
        season_id = _id_of(context, season)
        seen, _ = preview(context, season_id, changes)
        click.echo(
            f"Of {seen.told} entries, {len(seen.changed)} would change: "
            f"{seen.completed_before} completed without review now, {seen.completed_after} after."
        )
        if seen.untold:
            click.echo(f"{seen.untold} more could not be checked.")
        if dry_run:
            return
        change = change_policy(context, None, season_id, changes)
    for key, value in change.after.items():
        click.echo(f"{label_of(Rule, key)}: {change.before[key]} -> {value}")


def _changes(rules: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in rules:
        key, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f"{text}: write RULE=VALUE")
        rule, dot, kind = key.partition(".")
        if dot:
            found.setdefault(rule, {})[kind] = _names(value)
        else:
            found[key] = (_names(value) if key in _LISTS else value) or None
    return found


def _names(value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _id_of(context: Context, name: str | None) -> uuid.UUID:
    with context.database.session() as session:
        season: Season = season_named(session, name) if name else current_season(session)
        return season.id


def _line(season: SeasonView) -> str:
    state = "open" if season.is_open else "closed"
    dates = f"{season.starts_on or '…'} to {season.ends_on or '…'}"
    return f"{season.name}  [{state}{', current' if season.is_current else ''}]  {dates}  {season.schools} schools"
