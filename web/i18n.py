"""English and Spanish: the language of a request, messages in it, and texts of enums for translators."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from flask import Flask, flash, g, has_request_context, request
from flask.typing import ResponseReturnValue
from flask_babel import Babel, format_date, format_decimal, get_domain, get_locale, gettext, refresh
from flask_login import current_user
from sqlalchemy.exc import SQLAlchemyError

from core import messages
from core.config import Settings
from core.errors import AppError, ConflictError, InvalidInputError
from core.messages import Message
from web.access import wants_json

View = TypeVar("View", bound=Callable[..., Any])

#: Names of the languages by code, each in the language itself. The source texts are English.
LANGUAGES = {"en": "English", "es": "Español"}
#: Locales for dates and numbers.
_LOCALES = {"en": "en", "es": "es_MX"}
COOKIE = "language"
TRANSLATIONS = Path(__file__).resolve().parent.parent / "translations"
#: Attributes of `g`: the language of a personal link, and the language chosen in this request.
_OF_LINK, _JUST_CHOSEN = "language_of_link", "language_just_chosen"


def configure_languages(app: Flask, settings: Settings) -> None:
    """Set up Flask-Babel: the language of the request, and the time zone of the office."""
    app.config.update(BABEL_DEFAULT_TIMEZONE=settings.office_timezone)
    app.config.update(BABEL_DEFAULT_LOCALE="en", BABEL_TRANSLATION_DIRECTORIES=str(TRANSLATIONS))
    Babel(app, locale_selector=lambda: _LOCALES[chosen_language()])
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: _catalog().ugettext(text), lambda *texts: _catalog().ungettext(*texts), newstyle=True
    )
    app.jinja_env.filters["say"] = say
    app.jinja_env.filters["what_failed"] = what_failed
    app.jinja_env.filters["heading"] = heading_of_code
    app.jinja_env.filters["translated"] = translated
    app.context_processor(_language)


def _catalog() -> Any:
    """Return the messages in the language of the request.

    They are looked up once; Flask-Babel does so for each text, which takes a tenth of the time of a page. They are
    kept where it forgets them when the language changes.
    """
    known = g.get("_flask_babel")
    found = getattr(known, "babel_translations", None)
    if found is None:
        found = get_domain().get_translations()
        g.get("_flask_babel").babel_translations = found
    return found


def chosen_language() -> str:
    """Return the language of the signed-in account, else the one chosen in this browser, else that of the open
    personal link, else the first supported one that the browser accepts."""
    for chosen in (g.get(_JUST_CHOSEN), _of_account(), request.cookies.get(COOKIE), g.get(_OF_LINK)):
        if chosen in LANGUAGES:
            return str(chosen)
    # In the browser's order of preference; regions are ignored.
    asked = (tag.lower().partition("-")[0] for tag in request.accept_languages.values())
    return next((language for language in asked if language in LANGUAGES), "en")


def show_in(language: str | None) -> None:
    """Show the rest of the request in the language of a personal link's owner, unless the browser has one."""
    setattr(g, _OF_LINK, language)
    refresh()


def go_on_in(language: str | None) -> None:
    """Go on with the request in the language that the person has just chosen."""
    setattr(g, _JUST_CHOSEN, language)
    refresh()


def _of_account() -> str | None:
    try:
        signed_in = current_user.is_authenticated and current_user.live is not None
        return current_user.person.language if signed_in else None
    except (SQLAlchemyError, AppError):
        # The error page for a database or an Auth that does not answer must not ask it again.
        return None


def mark(text: str) -> str:
    """Mark a text for translation outside of a request; `translated` translates it later."""
    return text


def translated(text: str) -> str:
    """Return a marked text in the language of the request; unchanged outside of a request."""
    return gettext(text) if text and has_request_context() else text


def full_day(at: date) -> str:
    """Return day, month and year, as the language orders them."""
    return str(format_date(at, "medium"))


class _Reader:
    """The language of the request, for `core.messages`."""

    @property
    def code(self) -> str:
        return shown_language()

    def translated(self, text: str) -> str:
        return translated(text)

    def number(self, value: float) -> str:
        return str(format_decimal(value, "#,##0.##"))

    def day(self, iso: str) -> str:
        return full_day(date.fromisoformat(iso[:10]))


_READER = _Reader()


def say(message: Message | None) -> str:
    """Return a message as a sentence in the language of the request, in English outside of one; "" for None."""
    if message is None:
        return ""
    return messages.say(message, _READER) if has_request_context() else messages.say(message)


@contextmanager
def notice_of(*refusals: type[AppError]) -> Iterator[None]:
    """In the block, turn one of these errors into a notice on the next page."""
    try:
        yield
    except refusals as error:
        flash(say(error.told), "problem")


def shown_again(page: Callable[..., str], *refusals: type[AppError]) -> Callable[[View], View]:
    """Return the decorator of a view that is sent a form: where it is refused, show `page` again, saying why.

    `page` takes the sentence as `problem`, and the values of the URL. A script gets the error itself. `refusals`:
    InvalidInputError and ConflictError unless they are given. It is the last decorator of a view.
    """
    caught = refusals or (InvalidInputError, ConflictError)

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(**values: Any) -> ResponseReturnValue:
            try:
                return cast(ResponseReturnValue, view(**values))
            except caught as error:
                if wants_json():
                    raise
                return page(problem=say(error.told), **values), error.http_status

        return cast(View, answer)

    return decorate


def heading_of_code(code: str) -> str:
    """Return the common part of a code's messages, in the language of the request."""
    return messages.heading(code, _READER)


class _Failed(Protocol):
    @property
    def error_code(self) -> str | None: ...
    @property
    def error_params(self) -> Mapping[str, Any]: ...


def what_failed(row: _Failed) -> str:
    """Return why a row's work failed, in the language of the request; "" if it has not failed."""
    return say(Message(row.error_code, row.error_params)) if row.error_code else ""


def shown_language() -> str:
    """Return the language that the request is answered in: `chosen_language`, as Flask-Babel keeps it."""
    locale = get_locale()
    return locale.language if locale else "en"


def _language() -> dict[str, Any]:
    return {"language": shown_language(), "languages": LANGUAGES}


# Babel extractor for the texts of labelled enums, in modules that do not use `gettext`.
#
# A member is a tuple of the stored key and one or more texts: `QUEUED = "queued", "Queued"`.


#: Base classes of enums whose members are (key, text, …).
_ENUMS = {"LabelledEnum", "MessageCode"}

Found = tuple[int, None, str, list[str]]


def extract(
    file: BinaryIO, _keywords: Iterable[str], _comment_tags: Iterable[str], options: dict[str, Any]
) -> Iterator[Found]:
    """Yield (line, function, message, comments) of each text of an enum or in `mark`, as Babel expects."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.ClassDef) and _base_names(node) & _ENUMS:
            for line in node.body:
                yield from _texts(line)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == mark.__name__:
            yield from _constants(node.args)


def _base_names(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _texts(line: ast.stmt) -> Iterator[Found]:
    """Yield the texts of a member: all constants after its key."""
    if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
        yield from _constants(line.value.elts[1:])


def _constants(given: Iterable[ast.expr]) -> Iterator[Found]:
    for text in given:
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value:
            yield text.lineno, None, text.value, []
