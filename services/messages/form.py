"""Message codes of refused changes of forms."""

from __future__ import annotations

from core.messages import MessageCode


class FormRefused(MessageCode):
    """Why a form was not saved."""

    NO_TOML = "form_no_toml", "This is not a form in TOML: %(fault)s"
    NOT_A_FORM = "form_not_a_form", "This is not a valid form: %(part)s: %(fault)s"
    TOO_COSTLY = "form_too_costly", "This form takes too much time or memory. Shorten its texts and patterns."
    PRINTS_TOO_MUCH = (
        "form_prints_too_much",
        "The printed texts of a form have at most %(limit)s characters together. Leave out what is not needed "
        "to recognize the form.",
    )
    NOT_USABLE = "form_not_usable", "No page can be read with this form. Check its texts and places."
    KEY_MALFORMED = (
        "form_key_malformed",
        ("The key of a form begins with a letter and has at most 40 lowercase letters, digits, and underscores."),
    )
    KEY_TAKEN = ("form_key_taken", "The form %(form)s comes with the program. Give your form a different key.")
    KIND = "form_kind", "An essay without a form cannot be described here."
    NO_FIELDS = "form_no_fields", "A form needs at least one field."
    FIELD_NAME = (
        "form_field_name",
        "%(name)s: a field's name begins with a letter and has at most 40 lowercase letters, "
        "digits, and underscores.",
    )
    FIELD_RESERVED = (
        "form_field_reserved",
        "The name %(name)s is already used for something else. Choose a different name for this field.",
    )
    FIELD_KIND = ("form_field_kind", "%(name)s: another form has a field with this name but of a different kind.")
    FIELD_TEXT = (
        "form_field_text",
        "%(name)s: the essay and the parent's reaction already have their own fields.",
    )
    FIELD_OPTIONS = "form_field_options", "%(name)s: a choice needs at least one option that the form prints."
    FIELD_UNKNOWN = (
        "form_field_unknown",
        "The text “%(text)s” belongs to %(name)s, which is not a field of this form.",
    )
    NOTHING_PRINTED = (
        "form_nothing_printed",
        "A form is recognized by its printed text: give it a title or a label.",
    )
    NO_PDF = "form_no_pdf", "The empty form must be a PDF file."


class FormConflict(MessageCode):
    """Why a change came too late."""

    CHANGED = "form_changed", "someone has saved a version of this form since you opened this page"
    NOT_IN_USE = "form_not_in_use", "this form is not in use"
    IN_USE = "form_in_use", "this version is already in use"
