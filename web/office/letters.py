"""Pages of letters to schools and families: missing values, the letters, their texts and answers."""

from __future__ import annotations

import uuid
from datetime import date, timedelta

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, ngettext
from werkzeug.datastructures import MultiDict

from core.clock import utcnow
from core.errors import ConflictError, InvalidInputError
from core.mail import mail_is_configured
from core.models import AddressedTo
from services.audit import record_export
from services.letters.answers import answer_item, await_again, find_item, find_letters, give_up, list_letters
from services.letters.items import LetterItemView, items_of_submission, list_incomplete
from services.letters.wording import LANGUAGES, NEEDED, PLACES, change_texts, office_texts
from services.letters.writing import (
    USUAL_DAYS,
    LetterRequest,
    WrittenLetters,
    letter_pdf,
    plan_letters,
    write_letters,
)
from services.messages.office import LetterRefused
from services.review.asides import aside_of
from web.access import Area, app_settings, get_context, get_person, whole_number
from web.decision_pages import go_on, take_notice, version_of
from web.i18n import full_day, say, shown_again
from web.review.queue import aside_sentence
from web.security.requests import own_path, sent_as_download

blueprint = Area("letters", __name__)


# Ask for missing values: choose entries, preview the letters, send or print them.


@blueprint.get("/submissions/missing", "reviewer")
def missing(problem: str = "") -> str:
    given, today = request.values, app_settings().office_day(utcnow())
    by, after = addressed_to(given), request.args.get("after")
    return render_template(
        "letters/missing.html",
        page=list_incomplete(get_context(), by, after if after and "\0" not in after else None),
        by=by,
        is_first=not after,
        mark_all=request.args.get("mark") == "all",
        chosen={value.partition(":")[0] for value in request.form.getlist("entry")},
        until=given.get("until") or (today + timedelta(days=USUAL_DAYS)).isoformat(),
        today=today,
        configured=_configured(),
        answerable=bool(office_texts(get_context()).contact),
        problem=problem,
    )


@blueprint.post("/submissions/missing/preview", "reviewer")
@shown_again(missing, InvalidInputError)
def preview() -> ResponseReturnValue:
    """Show the text of each letter in both languages before any is sent."""
    wanted = letter_request(request.form)
    plan = plan_letters(get_context(), wanted)
    return render_template("letters/preview.html", plan=plan, wanted=wanted, configured=_configured())


@blueprint.post("/submissions/missing/send", "reviewer")
@shown_again(missing)
def send() -> ResponseReturnValue:
    done = write_letters(get_context(), get_person().id, letter_request(request.form))
    _tell(done)
    return redirect(url_for("letters.index", printed=[str(key) for key in done.printed]))


def _configured() -> bool:
    return mail_is_configured(app_settings())


def _tell(done: WrittenLetters) -> None:
    if done.mailed:
        flash(
            ngettext(
                "%(num)d letter will be sent by e-mail.", "%(num)d letters will be sent by e-mail.", done.mailed
            ),
            "success",
        )
    if done.printed:
        number = len(done.printed)
        flash(
            ngettext("%(num)d letter is ready to print.", "%(num)d letters are ready to print.", number), "success"
        )
    if done.left_out:
        sentence = gettext(
            "Left out because they changed or someone asked about them in the meantime: %(num)d.",
            num=done.left_out,
        )
        flash(sentence, "problem")


# Enter the answer to a letter, give up on it, and undo either.


@blueprint.post("/letters/items/<uuid:item_id>/answer", "reviewer")
def answer(item_id: uuid.UUID) -> ResponseReturnValue:
    """Write the typed values into the entry; refused ones are shown again with the reason."""
    context, form = get_context(), request.form
    item = find_item(context, item_id)
    values = {name: form.get(f"value-{name}", "").replace("\r\n", "\n") for name in item.remaining}
    reason = gettext("Answer to the letter of %(date)s", date=full_day(item.asked_at))
    settle = form.get("then") == "settle"
    try:
        done = answer_item(context, get_person().id, item_id, version_of(form), values, reason, settle)
    except (InvalidInputError, ConflictError) as error:
        return letter(item.letter_id, say(error.told), item_id), error.http_status
    sentence = gettext("The answer was saved.")
    if settle:
        sentence = gettext("The answer was saved, and the entry is settled.")
    return go_on(_back(item.letter_id), sentence, url_for("review.undo", decision_id=done.decision_id))


@blueprint.post("/letters/items/<uuid:item_id>/give-up", "reviewer")
def give_item_up(item_id: uuid.UUID) -> ResponseReturnValue:
    item = find_item(get_context(), item_id)
    give_up(get_context(), get_person().id, item_id)
    flash(gettext("You are no longer waiting for an answer. The entry stays incomplete."), "success")
    return redirect(_back(item.letter_id))


@blueprint.post("/letters/items/<uuid:item_id>/await", "reviewer")
def await_item(item_id: uuid.UUID) -> ResponseReturnValue:
    item = find_item(get_context(), item_id)
    await_again(get_context(), item_id)
    flash(gettext("Waiting for an answer again."), "success")
    return redirect(_back(item.letter_id))


def _back(letter_id: uuid.UUID) -> str:
    """Return the URL of the page with the form: the letter's, or an entry's."""
    return own_path(request.form.get("next"), url_for("letters.letter", letter_id=letter_id))


# The texts of letters: readers see them, admins change them.


_PARTS = ("subject", "body", "reminder")


@blueprint.get("/letters/texts", "reader")
def texts(problem: str = "") -> str:
    return render_template(
        "letters/texts.html",
        texts=office_texts(get_context()),
        places=PLACES,
        needed=NEEDED,
        problem=problem,
        typed=request.form,
    )


@blueprint.post("/letters/texts", "admin")
@shown_again(texts)
def change() -> ResponseReturnValue:
    form = request.form
    wording = {code: tuple(form.get(f"{part}-{code}", "") for part in _PARTS) for code in LANGUAGES}
    change_texts(
        get_context(),
        get_person().id,
        form.get("version", type=whole_number) or 0,
        form.get("office", ""),
        form.get("contact", ""),
        {code: (one[0], one[1], one[2]) for code, one in wording.items()},
    )
    flash(gettext("The texts were saved. New letters will use them."), "success")
    return redirect(url_for("letters.texts"))


# The letters that were written, one of them, and letters to print.


@blueprint.app_template_global()
def letters_about(submission_id: uuid.UUID) -> list[LetterItemView]:
    """Return what was asked of an entry, the last letter first."""
    return items_of_submission(get_context(), submission_id)


@blueprint.app_template_global()
def set_aside_for(submission_id: uuid.UUID) -> str | None:
    """Return the sentence on why and until when an entry is set aside; None if it is not."""
    with get_context().database.reading() as session:
        found = aside_of(session, submission_id)
    return None if found is None else aside_sentence(found)


@blueprint.get("/letters", "reader")
def index() -> ResponseReturnValue:
    page = list_letters(get_context(), request.args.get("page"))
    return render_template("letters/index.html", page=page, printed=request.args.getlist("printed"))


@blueprint.get("/letters/<uuid:letter_id>", "reader")
def letter(letter_id: uuid.UUID, problem: str = "", answered: uuid.UUID | None = None) -> str:
    """Return the page of a letter; `problem` says why an answer was refused. Raises NotFoundError."""
    [found] = find_letters(get_context(), [letter_id])
    return render_template(
        "letters/letter.html",
        letter=found,
        problem=problem,
        answered=answered,
        typed=request.form,
        take_notice=take_notice,
    )


@blueprint.get("/letters/<uuid:letter_id>/print", "reader")
def printable(letter_id: uuid.UUID) -> ResponseReturnValue:
    [found] = find_letters(get_context(), [letter_id])
    return render_template("letters/print.html", letter=found)


@blueprint.get("/letters/file.pdf", "reader")
def file() -> ResponseReturnValue:
    """Send the letters in the URL as one PDF; the export is recorded."""
    keys = request.args.getlist("letter", type=uuid.UUID)
    data = letter_pdf(find_letters(get_context(), keys))
    record_export(get_context(), get_person().id, "letters", len(keys))
    return sent_as_download(data, "application/pdf", f"letters-{utcnow():%Y-%m-%d}.pdf")


# The form of chosen entries.


def addressed_to(form: MultiDict[str, str]) -> AddressedTo:
    """Return to whom; schools for any other text than a key."""
    return form.get("by", AddressedTo.SCHOOL, type=AddressedTo)


def letter_request(form: MultiDict[str, str]) -> LetterRequest:
    """Return the request. Raises InvalidInputError for an invalid day; invalid entries are left out."""
    language = form.get("language", "")
    return LetterRequest(
        addressed_to(form),
        dict(_chosen(form.getlist("entry"))),
        _day(form.get("until", "")),
        "en" if language == "en" else "es" if language == "es" else "own",
        form.get("way") == "print",
    )


def _chosen(values: list[str]) -> list[tuple[uuid.UUID, int]]:
    """Parse `id:number of earlier requests`."""
    found = []
    for value in values:
        key, _, times = value.partition(":")
        try:
            found.append((uuid.UUID(key), int(times)))
        except ValueError:
            continue
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as exc:
        raise InvalidInputError(LetterRefused.UNTIL) from exc
