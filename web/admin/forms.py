"""Pages of the form studio: drafts, changes, versions."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from flask import flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError, NoFileError, NotFailedError
from core.messages import keys_of
from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark, PrintMark
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind, PrintedRole, ProfileKind, built_in_profiles, common_fields
from services.form_studio.blank import blank_picture
from services.form_studio.draft import (
    DraftChangedError,
    DraftView,
    begin_draft,
    begin_next_version,
    change_draft,
    choose_page,
    find_draft,
    list_drafts,
    remove_draft,
    retry_draft,
    save_draft,
    saving_of,
    undo_draft_change,
)
from services.form_studio.problems import mark_problems
from services.forms.versions import (
    export_toml,
    form_version,
    import_toml,
    list_forms,
    put_into_use,
    retire_form,
    save_version,
)
from services.messages.entries import FieldKindName, PrintedRoleName, StudioConflict, StudioRefused
from web.access import app_settings, get_context, get_person, wants_json, whole_number
from web.admin import blueprint
from web.i18n import notice_of, say, shown_again
from web.security.requests import picture, sent_as_download
from web.security.sent_form import sent_file
from web.templating import changing_part

# Change a draft: its marks, its page, one step back, and remove it.


@blueprint.post("/forms/drafts/<uuid:draft_id>/marks", "admin")
def change_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Save the typed marks, then the change of the pressed button; each is a separate step to undo."""

    typed = _typed(draft_id)
    # Before anything is saved, so that an unknown button is refused.
    marks, part = edited(typed, request.form.get("do", ""), request.form)

    def change(version: int) -> str:
        change_draft(get_context(), get_person().id, draft_id, marks, version)
        return part

    return _changed(draft_id, typed, change)


@blueprint.post("/forms/drafts/<uuid:draft_id>/undo", "admin")
def undo_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    """Undo what was typed since the last save; without any, undo the change before it."""

    def change(version: int) -> str:
        undo_draft_change(get_context(), get_person().id, draft_id, version)
        return "fields"

    return _changed(draft_id, _typed(draft_id), change)


def _typed(draft_id: uuid.UUID) -> FormMarks:
    """Return the marks as they were typed. Raises NotFoundError, ConflictError, InvalidInputError."""
    draft = find_draft(get_context(), draft_id)
    if draft.marks is None:
        raise ConflictError(StudioConflict.BEING_READ)
    return typed_marks(request.form, draft.marks.page)


def _changed(draft_id: uuid.UUID, typed: FormMarks, change: Callable[[int], str]) -> ResponseReturnValue:
    """Save what was typed, then call `change` with the new version; it returns the part of the page to show."""
    version = request.form.get("version", 0, type=whole_number)
    try:
        part = change(change_draft(get_context(), get_person().id, draft_id, typed, version))
    except DraftChangedError as error:
        # The page keeps what was typed; sent again, it replaces the other change, which can then be undone.
        if wants_json():
            return jsonify(message=say(error.told), version=error.version), 409
        kept = replace(find_draft(get_context(), draft_id), marks=typed, version=error.version)
        return draft_page(kept, say(error.told)), error.http_status
    return _answered(draft_id, part)


@blueprint.post("/forms/drafts/<uuid:draft_id>/page", "admin")
def choose_form_page(draft_id: uuid.UUID) -> ResponseReturnValue:
    choose_page(get_context(), draft_id, request.form.get("page_no", 1, type=whole_number))
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/retry", "admin")
def retry_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    with notice_of(NotFailedError):
        retry_draft(get_context(), draft_id)
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.post("/forms/drafts/<uuid:draft_id>/remove", "admin")
def remove_form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    remove_draft(get_context(), draft_id)
    flash(gettext("The draft was removed with its samples."), "success")
    return redirect(url_for("admin.forms"))


def _answered(draft_id: uuid.UUID, part: str) -> ResponseReturnValue:
    """Redirect to the part of the page; give a script the new state and the parts that changed."""
    if not wants_json():
        return redirect(url_for("admin.form_draft", draft_id=draft_id, inputs="all", _anchor=part or None))
    draft = find_draft(get_context(), draft_id)
    values = draft_values(draft)
    return jsonify(
        version=draft.version,
        part=part,
        problems=render_template("admin/forms/_problems.html", **values),
        inputs=render_template("admin/forms/_marks.html", **values) if part else None,
        boxes=render_template("admin/forms/_boxes.html", **values) if part else None,
        steps=draft.steps,
    )


# Save a draft as a version of its form, after a preview of the changes.


@blueprint.get("/forms/drafts/<uuid:draft_id>/save", "admin")
def form_saving(draft_id: uuid.UUID, problem: str = "") -> str:
    saving = saving_of(get_context(), draft_id)
    return render_template("admin/forms/save.html", saving=saving, draft=saving.draft, problem=problem)


@blueprint.post("/forms/drafts/<uuid:draft_id>/save", "admin")
@shown_again(form_saving)
def save_form(draft_id: uuid.UUID) -> ResponseReturnValue:
    version = request.form.get("version", 0, type=whole_number)
    saved = save_draft(get_context(), get_person().id, draft_id, version)
    message = gettext(
        "%(form)s was saved as version %(number)s. Pages are read with it from now on.",
        form=saved.label,
        number=saved.version,
    )
    flash(message, "success")
    return redirect(url_for("admin.forms"))


# Versions of forms: take out of use, put into use, download and import as TOML.


#: Bytes of a TOML file that is read.
_MOST_BYTES = 1 << 20


@blueprint.post("/forms/<key>/retire", "admin")
def retire_one_form(key: str) -> ResponseReturnValue:
    with notice_of(ConflictError):
        retire_form(get_context(), get_person().id, key)
        flash(gettext("The form was taken out of use. Its entries are not changed."), "success")
    return redirect(url_for("admin.forms"))


@blueprint.post("/forms/<key>/bring-back", "admin")
def bring_form_back(key: str) -> ResponseReturnValue:
    number = request.form.get("version", 0, type=whole_number) or None
    with notice_of(ConflictError, InvalidInputError):
        again = put_into_use(get_context(), get_person().id, key, number)
        message = gettext("Version %(number)s of %(form)s is now in use.", number=again.version, form=again.label)
        flash(message, "success")
    return redirect(url_for("admin.forms"))


@blueprint.get("/forms/<key>.toml", "admin")
def form_toml(key: str) -> ResponseReturnValue:
    """Return a form as a TOML file: a version from the database, or a built-in form."""
    built_in = built_in_profiles().get(key)
    if built_in is not None:
        profile, name = built_in, f"{key}.toml"
    else:
        version = form_version(get_context(), key, request.args.get("version", type=whole_number))
        profile, name = version.profile, f"{key}-{version.version}.toml"
    return sent_as_download(export_toml(profile).encode(), "application/toml", name)


@blueprint.post("/forms/import", "admin")
def import_form() -> ResponseReturnValue:
    """Save the form of a TOML file as a version that is not in use yet."""
    file = request.files.get("toml")
    data = file.read(_MOST_BYTES) if file else b""
    try:
        if not data:
            raise NoFileError
        profile = import_toml(data.decode("utf-8", "replace"))
        saved = save_version(get_context(), get_person().id, profile, draft=True)
    except (InvalidInputError, NoFileError) as error:
        flash(say(error.told), "problem")
        return redirect(url_for("admin.forms"))
    message = gettext(
        "%(form)s was imported as version %(number)s. Put it into use below.",
        form=saved.label,
        number=saved.version,
    )
    flash(message, "success")
    return redirect(url_for("admin.forms"))


# The list of forms, and the page of a draft with its marks.


@blueprint.get("/forms", "admin")
def forms() -> ResponseReturnValue:
    return render_template(
        "admin/forms/list.html",
        drafts=list_drafts(get_context()),
        forms=list_forms(get_context()),
        built_in=[one for one in built_in_profiles().values() if one.kind is not ProfileKind.FREEFORM],
        max_bytes=app_settings().max_upload_bytes,
    )


@blueprint.post("/forms/drafts", "admin")
def begin_form_draft() -> ResponseReturnValue:
    """Begin a draft with an uploaded blank, or with that of the form whose next version is to be made."""
    context, actor_id = get_context(), get_person().id
    if key := request.form.get("next_of"):
        draft_id = begin_next_version(context, actor_id, key)
    else:
        name, data = sent_file("blank")
        draft_id = begin_draft(context, actor_id, name, data, request.form.get("start"))
    return redirect(url_for("admin.form_draft", draft_id=draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>", "admin")
def form_draft(draft_id: uuid.UUID) -> ResponseReturnValue:
    return draft_page(find_draft(get_context(), draft_id))


@blueprint.get("/forms/drafts/<uuid:draft_id>/state", "admin")
def form_draft_state(draft_id: uuid.UUID) -> ResponseReturnValue:
    draft = find_draft(get_context(), draft_id)
    state = (draft.id, draft.status, draft.version)
    return changing_part(state, "admin/forms/_reading.html", draft=draft)


@blueprint.get("/forms/drafts/<uuid:draft_id>/page.webp", "admin")
def form_draft_picture(draft_id: uuid.UUID) -> ResponseReturnValue:
    draft = find_draft(get_context(), draft_id)
    return picture(f"{draft.id}-{draft.page_no}", lambda: blank_picture(get_context(), draft))


def draft_page(draft: DraftView, problem: str = "") -> str:
    """Render the page of a draft; `problem` says why a change was refused."""
    return render_template("admin/forms/draft.html", **draft_values(draft), problem=problem)


def _whole() -> bool:
    """Whether the page has the inputs of all marks: for a browser without scripts, once it has sent any."""
    return request.method == "POST" or request.args.get("inputs") == "all"


def draft_values(draft: DraftView) -> dict[str, object]:
    """Return the variables of the parts of the page."""
    return {
        "draft": draft,
        "marks": draft.marks,
        "whole": _whole() and not wants_json(),
        # What the templates of the inputs are made of.
        "blank_field": FieldMark(options=(OptionMark(),)),
        "blank_print": PrintMark(),
        "problems": mark_problems(draft.marks) if draft.marks else [],
        "known_keys": [one.name for one in common_fields().values() if not one.derived],
        "kinds": [kind for kind in keys_of(FieldKindName) if kind in set(FieldKind)],
        "roles_of_print": [role for role in keys_of(PrintedRoleName) if role in set(PrintedRole)],
    }


# What the buttons of the studio's page change of the marks: add, remove and move parts.


def edited(marks: FormMarks, action: str, form: Mapping[str, str]) -> tuple[FormMarks, str]:
    """Return the marks after a button was pressed, and the part of the page to show; "" for no button.

    Raises InvalidInputError for an unknown button.
    """
    fields, printed = list(marks.fields), list(marks.printed)
    verb, numbers = _parsed(action)
    try:
        match verb, numbers:
            case "refresh", []:
                # The inputs that a changed kind needs.
                return marks, "unchanged"
            case "", []:
                return marks, ""
            case "add-field", []:
                fields.append(FieldMark(zone=typed_box(form, "new")))
                part = f"field-{len(fields) - 1}"
            case "add-print", []:
                printed.append(PrintMark(at=typed_box(form, "new")))
                part = f"print-{len(printed) - 1}"
            case "add-option", [at]:
                options = (*fields[at].options, OptionMark())
                fields[at] = fields[at].model_copy(update={"options": options})
                part = f"field-{at}-option-{len(options) - 1}"
            case "remove-field", [at]:
                printed = _without_field(printed, fields.pop(at).key)
                part = "fields"
            case "remove-print", [at]:
                printed.pop(at)
                part = "prints"
            case "remove-option", [at, option]:
                left = tuple(one for number, one in enumerate(fields[at].options) if number != option)
                fields[at] = fields[at].model_copy(update={"options": left})
                part = f"field-{at}"
            case "up-field", [at]:
                fields.insert(max(at - 1, 0), fields.pop(at))
                part = f"field-{max(at - 1, 0)}"
            case _:
                raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part="do")
    except (IndexError, ValueError) as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=action) from error
    # Validate the new marks: the numbers of fields and texts are limited.
    try:
        changed = FormMarks.model_validate({**dict(marks), "fields": tuple(fields), "printed": tuple(printed)})
    except ValueError as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=action) from error
    return changed, part


def _without_field(printed: list[PrintMark], key: str) -> list[PrintMark]:
    """Return the printed texts, none of them of the field that was removed."""
    return [one.model_copy(update={"field": ""}) if one.field == key else one for one in printed]


def _parsed(action: str) -> tuple[str, list[int]]:
    """Return the verb and the numbers of `remove-option-3-1`."""
    words = action.split("-")
    numbers = [whole_number(word) for word in words if word.isdecimal()]
    return "-".join(word for word in words if not word.isdecimal()), numbers


# The form of the studio's page: its inputs as marks, and what its buttons change of them.
#
# Inputs are called `form-label`, `field-0-key`, `field-0-zone-x0`, `field-0-option-1-value`, `print-2-texts`, …


SIDES = ("x0", "y0", "x1", "y1")


def typed_marks(form: Mapping[str, str], page: tuple[float, float]) -> FormMarks:
    """Return the marks that the form describes. Raises InvalidInputError for values that no browser sends."""
    try:
        return FormMarks(
            key=_text(form, "form-key"),
            label=_text(form, "form-label"),
            kind=ProfileKind(form.get("form-kind", ProfileKind.FORM.value)),
            page=page,
            fields=tuple(_field(form, part) for part in _parts(form, "field", "key")),
            printed=tuple(_printed(form, part) for part in _parts(form, "print", "texts")),
            ignore=tuple(box for part in _parts(form, "ignore", "x0") if (box := typed_box(form, part))),
        )
    except ValueError as error:
        raise InvalidInputError(StudioRefused.MARKS_MALFORMED, part=type(error).__name__) from error


def _parts(form: Mapping[str, str], kind: str, first: str) -> Iterator[str]:
    """Yield the names of the parts of a kind, as long as there are any."""
    number = 0
    while f"{kind}-{number}-{first}" in form:
        yield f"{kind}-{number}"
        number += 1


def _field(form: Mapping[str, str], part: str) -> FieldMark:
    return FieldMark(
        key=_text(form, f"{part}-key"),
        label_en=_text(form, f"{part}-label_en"),
        label_es=_text(form, f"{part}-label_es"),
        kind=FieldKind(form.get(f"{part}-kind", FieldKind.TEXT.value)),
        required=form.get(f"{part}-required") == "yes",
        pattern=_text(form, f"{part}-pattern"),
        language=form.get(f"{part}-language", ""),
        meaning=_text(form, f"{part}-meaning"),
        zone=typed_box(form, f"{part}-zone"),
        widgets=_lines(form, f"{part}-widgets"),
        heads=_lines(form, f"{part}-heads"),
        options=tuple(_option(form, one) for one in _parts(form, f"{part}-option", "value")),
    )


def _option(form: Mapping[str, str], part: str) -> OptionMark:
    return OptionMark(
        value=_text(form, f"{part}-value"),
        value_es=_text(form, f"{part}-value_es"),
        texts=_lines(form, f"{part}-texts"),
        at=typed_box(form, f"{part}-at"),
        mark=typed_box(form, f"{part}-mark"),
    )


def _printed(form: Mapping[str, str], part: str) -> PrintMark:
    return PrintMark(
        role=PrintedRole(form.get(f"{part}-role", PrintedRole.NOTE.value)),
        texts=_lines(form, f"{part}-texts"),
        field=_text(form, f"{part}-field"),
        at=typed_box(form, f"{part}-at"),
        whole_line=form.get(f"{part}-whole_line") == "yes",
        repeat=form.get(f"{part}-repeat") == "yes",
    )


def typed_box(form: Mapping[str, str], part: str) -> Box | None:
    """Return the box of four inputs, or of the one that keeps it; None where they are empty.

    Raises ValueError where one is no number.
    """
    texts = _text(form, part).split() or [_text(form, f"{part}-{side}") for side in SIDES]
    if not any(texts):
        return None
    x0, y0, x1, y1 = (round(float(text), 1) for text in texts)
    return Box(x0, y0, x1, y1)


def _text(form: Mapping[str, str], name: str) -> str:
    return form.get(name, "").strip()


def _lines(form: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in form.get(name, "").splitlines() if line.strip())
