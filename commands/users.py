"""`flask users …`: manage accounts from the command line, such as the first admin."""

from __future__ import annotations

import sys

import click

from commands.opened import opened_context
from core.config import get_settings
from services.accounts.at_auth.invite import invite_at_auth
from services.accounts.create_user import create_user
from services.accounts.find_person import person_by_email
from services.accounts.invite_user import invite_user
from services.accounts.list_users import list_users
from services.accounts.request_password_reset import request_password_reset
from services.accounts.roles import Role
from services.accounts.second_factor.switch_off import switch_off

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
def list_all() -> None:
    """List all accounts."""
    with opened_context(get_settings()) as context:
        for user in list_users(context):
            state = "invited" if user.is_invited else "open" if user.is_active else "shut"
            click.echo(f"{user.email:<40} {user.role:<9} {state}")
