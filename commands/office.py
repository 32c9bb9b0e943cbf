"""Commands of the office: people, tokens, seasons, schools."""

from __future__ import annotations

import sys
import uuid
from pathlib import Path
from typing import Any

import click

from commands.opened import opened_context
from core.config import get_settings
from core.folders import read_at_most
from core.messages import keys_of, label_of
from core.models import Season
from services.accounts.api_tokens import MAX_DAYS, Scope, list_tokens, make_token, revoke_api_token, scopes_of
from services.accounts.at_auth import invite_at_auth
from services.accounts.mailed_links import invite_user, request_password_reset
from services.accounts.people import create_user, every_user, person_by_email
from services.accounts.person import Role
from services.accounts.second_factor import switch_off
from services.context import Context
from services.policy import Rule, change_policy, preview_policy
from services.school_lists import MOST_BYTES, import_schools, school_text
from services.schools import ListedSchool, add_alias, add_school, list_schools, merge_schools
from services.season_admin.seasons import (
    SeasonView,
    close_season,
    list_seasons,
    open_season,
    roll_over,
    season_named,
)
from services.seasons import current_season

# `flask users …`: manage accounts from the command line, such as the first admin.


_ROLES = click.Choice([role.value for role in Role])


@click.group("users")
def users() -> None:
    """Create accounts, invite people, reset passwords."""


@users.command("create-admin")
@click.argument("email")
@click.option("--name", default="", help="Name to show.")
@click.option("--password-stdin", is_flag=True, help="Read the password from standard input instead of asking.")
def create_admin(email: str, name: str, password_stdin: bool) -> None:
    """Create an account with the role admin."""
    if password_stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    with opened_context(get_settings()) as context:
        create_user(context, email, Role.ADMIN, password, name)
    click.echo(f"{email} is now an admin.")


@users.command("invite")
@click.argument("email")
@click.option("--role", type=_ROLES, default=Role.UPLOADER.value, show_default=True)
@click.option("--name", default="", help="Name to show.")
def invite(email: str, role: str, name: str) -> None:
    """Create an invitation and print its path. Pass it on yourself: no e-mail is sent."""
    with opened_context(get_settings()) as context:
        if context.auth is None:
            path = f"/invitation/{invite_user(context, email, Role(role), name)}"
        else:
            made = invite_at_auth(context, email, Role(role), name)
            path = f"/sign-in/link?token_hash={made.token_hash}&type={made.kind}"
    click.echo(path)


@users.command("reset-password")
@click.argument("email")
def reset_password(email: str) -> None:
    """Print the path of a page where the person chooses a new password."""
    with opened_context(get_settings()) as context:
        token = request_password_reset(context, email)
    click.echo(f"/password-reset/{token}")


@users.command("reset-second-factor")
@click.argument("email")
def reset_second_factor(email: str) -> None:
    """Turn off two-step verification for a person who lost their phone and recovery codes."""
    with opened_context(get_settings()) as context:
        switch_off(context, person_by_email(context, email))
    click.echo("Two-step verification is off. An admin has to set it up again at the next sign-in.")


@users.command("list")
def list_people_command() -> None:
    """List all accounts."""
    with opened_context(get_settings()) as context:
        for user in every_user(context):
            state = "invited" if user.is_invited else "open" if user.is_active else "shut"
            click.echo(f"{user.email:<40} {user.role:<9} {state}")


# `flask tokens …`: manage tokens for the JSON API from the command line, for scripts on the server.


_SCOPES = click.Choice(keys_of(Scope))


@click.group("tokens")
def tokens() -> None:
    """Create, list, and revoke tokens for the JSON API."""


@tokens.command("create")
@click.argument("email")
@click.argument("name")
@click.option(
    "--days", type=click.IntRange(1, MAX_DAYS), default=90, show_default=True, help="How long it is valid."
)
@click.option(
    "--scope", "scopes", type=_SCOPES, multiple=True, help="A permission; repeat for more. Default: all."
)
def create(email: str, name: str, days: int, scopes: tuple[str, ...]) -> None:
    """Create a token for this person and print it. It cannot be shown again."""
    wanted = scopes_of(scopes or keys_of(Scope))
    with opened_context(get_settings()) as context:
        token = make_token(context, person_by_email(context, email), name, days, wanted)
    click.echo(token)


@tokens.command("list")
@click.argument("email")
def list_tokens_command(email: str) -> None:
    """List this person's tokens."""
    with opened_context(get_settings()) as context:
        for row in list_tokens(context, person_by_email(context, email)):
            used = f"{row.last_used_at:%Y-%m-%d}" if row.last_used_at else "never"
            click.echo(f"{row.id}  {row.state:<7}  used {used:<10}  {row.name}")


@tokens.command("revoke")
@click.argument("email")
@click.argument("token_id", type=click.UUID)
def revoke(email: str, token_id: uuid.UUID) -> None:
    """Revoke one of this person's tokens at once."""
    with opened_context(get_settings()) as context:
        revoke_api_token(context, token_id, person_by_email(context, email))
    click.echo("The token was revoked.")


# `flask seasons …`: list, open, close and follow seasons, and change their rules.


#: Rules whose values are lists, separated by commas.
_LISTS = (Rule.DEFAULT_REQUIRED, Rule.FORM_PROFILES)
_season = click.option("--season", help="The name of the season. Default: the current one.")


@click.group("seasons")
def seasons() -> None:
    """List, open and close seasons, begin the next one, and change their rules."""


@seasons.command("list")
def list_seasons_command() -> None:
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
        seen, _ = preview_policy(context, season_id, changes)
        click.echo(
            f"Of {seen.checked} entries, {len(seen.changed)} would change: "
            f"{seen.completed_before} completed without review now, {seen.completed_after} after."
        )
        if seen.unchecked:
            click.echo(f"{seen.unchecked} more could not be checked.")
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


# `flask schools …`: manage the school list against which names on entries are checked.


@click.group("schools")
def schools() -> None:
    """Import, list, add to and merge the schools of the current season."""


@schools.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_file(file: Path) -> None:
    """Add the schools of a CSV file with the columns name, aliases (separated by ";"), city, district, email."""
    with opened_context(get_settings()) as context, file.open("rb") as opened:
        done = import_schools(context, school_text(read_at_most(opened, MOST_BYTES)))
    click.echo(f"{done.added} schools added, {done.known} already on the list, {done.aliases} aliases added.")


@schools.command("list")
def list_schools_command() -> None:
    """List the schools with their aliases."""
    with opened_context(get_settings()) as context:
        found = list_schools(context)
    for school in found:
        click.echo(_school_line(school))
    click.echo(f"{len(found)} schools, {sum(len(school.aliases) for school in found)} aliases.")


@schools.command("add")
@click.argument("name")
@click.option("--city", default=None, help="Where it is.")
@click.option("--district", default=None, help="The district it belongs to.")
def add(name: str, city: str | None, district: str | None) -> None:
    """Add one school."""
    with opened_context(get_settings()) as context:
        kept = add_school(context, name, city, district)
    click.echo(f"{kept}: added.")


@schools.command("alias")
@click.argument("school")
@click.argument("alias")
def alias(school: str, alias: str) -> None:
    """Add another spelling to a school."""
    with opened_context(get_settings()) as context:
        name = add_alias(context, school, alias)
    click.echo(f"{name}: also written “{alias}”.")


@schools.command("merge")
@click.argument("duplicate", metavar="FROM")
@click.argument("into", metavar="INTO")
def merge(duplicate: str, into: str) -> None:
    """Make FROM and its spellings other spellings of INTO, and remove FROM from the list."""
    with opened_context(get_settings()) as context:
        done = merge_schools(context, duplicate, into)
    click.echo(f"{done.merged}: merged into {done.into}, {done.aliases} aliases added.")


def _school_line(school: ListedSchool) -> str:
    where = ", ".join(part for part in (school.city, school.district) if part)
    also = "; ".join(school.aliases)
    return school.name + (f" ({where})" if where else "") + (f"  [{also}]" if also else "")
