"""The page of a personal link, on which a person chooses a password."""

from __future__ import annotations

from collections.abc import Callable

from flask import render_template, request

from core.errors import InvalidInputError, LinkExpiredError
from services.accounts.display_name import MAX_LENGTH
from services.accounts.passwords import MIN_LENGTH
from services.accounts.person import Person
from services.context import Context
from web.context import get_context
from web.i18n import show_in
from web.security.attempts import Attempts


def counted(choose: Callable[[], Person]) -> Person:
    """Return the person of a link, as `choose` finds them or sets their password.

    A wrong link, or a password that is refused, counts as a failed attempt. Raises TooManyRequests after many.
    """
    attempts = Attempts("link")
    attempts.require_some_left()
    try:
        return choose()
    except (InvalidInputError, LinkExpiredError):
        attempts.count_failure()
        raise


def choose_password_page(
    person_of_link: Callable[[Context, str], Person], token: str, *, is_invitation: bool, problem: str = ""
) -> str:
    """Return the form for the owner of a link. Raises LinkExpiredError and TooManyRequests, as `counted` does."""
    person = counted(lambda: person_of_link(get_context(), token))
    show_in(person.language)
    return render_template(
        "auth/choose_password.html",
        person_of_link=person,
        is_invitation=is_invitation,
        problem=problem,
        min_length=MIN_LENGTH,
        display_name=request.form.get("display_name", person.display_name)[:MAX_LENGTH],
    )
