"""Versions of forms: take out of use, put into use, download and import as TOML."""

from __future__ import annotations

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from core.errors import ConflictError, InvalidInputError, NoFileError
from pipeline.profiles import built_in_profiles
from services.forms.as_toml import export_toml, import_toml
from services.forms.form_version import form_version
from services.forms.retire_form import bring_back, retire_form
from services.forms.save_version import save_version
from web.access import access
from web.admin import blueprint
from web.context import get_context, get_person
from web.i18n import say
from web.security.download import sent_as_download
from web.whole_number import whole_number

#: Bytes of a TOML file that is read.
_MOST_BYTES = 1 << 20


@blueprint.post("/forms/<key>/retire")
@access("admin")
def retire_one_form(key: str) -> ResponseReturnValue:
    try:
        retire_form(get_context(), get_person().id, key)
        flash(gettext("The form was taken out of use. Its entries are not changed."), "success")
    except ConflictError as error:
        flash(say(error.told), "problem")
    return redirect(url_for("admin.forms"))


@blueprint.post("/forms/<key>/bring-back")
@access("admin")
def bring_form_back(key: str) -> ResponseReturnValue:
    number = request.form.get("version", 0, type=whole_number) or None
    try:
        again = bring_back(get_context(), get_person().id, key, number)
        message = gettext("Version %(number)s of %(form)s is now in use.", number=again.version, form=again.label)
        flash(message, "success")
    except (ConflictError, InvalidInputError) as error:
        flash(say(error.told), "problem")
    return redirect(url_for("admin.forms"))


@blueprint.get("/forms/<key>.toml")
@access("admin")
def form_toml(key: str) -> ResponseReturnValue:
    """Return a form as a file: a version of one of the database, or one that comes with the program."""
    built_in = built_in_profiles().get(key)
    if built_in is not None:
        profile, name = built_in, f"{key}.toml"
    else:
        version = form_version(get_context(), key, request.args.get("version", type=whole_number))
        profile, name = version.profile, f"{key}-{version.version}.toml"
    return sent_as_download(export_toml(profile).encode(), "application/toml", name)


@blueprint.post("/forms/import")
@access("admin")
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
