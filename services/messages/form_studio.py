"""Message codes of the studio of forms: what is refused, what is wrong with a draft, what a version changes."""

from __future__ import annotations

from core.labels import LabelledEnum
from core.messages import MessageCode


class FieldKindName(LabelledEnum, places=("kind_before", "kind_after")):
    """Names of the kinds of fields, by the keys of `pipeline.profiles.FieldKind`."""

    PERSON = "person", "Name of a person"
    SCHOOL = "school", "School"
    GRADE = "grade", "Grade"
    EMAIL = "email", "E-mail address"
    PHONE = "phone", "Phone number"
    DATE = "date", "Date"
    NUMBER = "number", "Number"
    CHOICE = "choice", "One choice from a list"
    TEXT = "text", "Text"
    ESSAY = "essay", "Essay"
    REACTION = "reaction", "Parent's reaction"
    IGNORED = "ignored", "Not read"


class PrintedRoleName(LabelledEnum):
    """Names of the roles of printed texts, by the keys of `pipeline.profiles.PrintedRole`."""

    TITLE = "title", "Title"
    LABEL = "label", "Field label"
    PROMPT = "prompt", "Prompt"
    NOTE = "note", "Note"
    LIMIT = "limit", "Length limit"
    DEADLINE = "deadline", "Deadline"
    LOGO = "logo", "Logo"
    REACTION = "reaction", "Question for the parent"
    RULES_HEADING = "rules_heading", "Heading of the rules"
    RULE = "rule", "Contest rule"


class StudioRefused(MessageCode):
    """Why a request was refused."""

    NO_BLANK = (
        "studio_no_blank",
        "This form was saved without an empty copy. Upload one and start from the form.",
    )
    NO_SUCH_PAGE = "studio_no_such_page", "The empty form has %(limit)s pages."
    MARKS_MALFORMED = "studio_marks_malformed", "The marks could not be read: %(part)s."
    TOO_MANY_SAMPLES = "studio_too_many_samples", "At most %(limit)s samples at a time."
    NO_SUCH_SUBMISSION = "studio_no_such_entry", "There is no entry with this number."


class StudioConflict(MessageCode):
    """Why a change was not made."""

    CHANGED = "studio_changed", "%(who)s has changed this draft since you opened it."
    BEING_READ = "studio_being_read", "The empty form is being read. Wait until it is done."
    NOTHING_TO_UNDO = "studio_nothing_to_undo", "There is nothing to undo."
    NOT_READY = "studio_not_ready", "Fix the problems in the draft first."


class DraftProblem(MessageCode):
    """What is wrong with a draft."""

    NO_LABEL = "draft_no_label", "The form has no name."
    NO_KEY = "draft_no_key", "The form has no key."
    NO_FIELDS = "draft_no_fields", "The form has no field."
    FIELD_WITHOUT_KEY = "draft_field_without_key", "Field %(number)s has no key."
    KEY_MALFORMED = (
        "draft_key_malformed",
        "%(name)s: a key begins with a letter and has 2 to 40 lowercase letters, digits, and underscores.",
    )
    KEY_TWICE = "draft_key_twice", "Two fields have the key %(name)s."
    OUTSIDE = "draft_outside", "%(name)s: its zone is not on the page."
    TOO_SMALL = "draft_too_small", "%(name)s: its zone is too small to hold writing."
    NO_ZONE = "draft_no_zone", "%(name)s is required and has no zone."
    ZONES_OVERLAP = "draft_zones_overlap", "The zones of %(name)s and %(other)s overlap."
    NO_OPTIONS = "draft_no_options", "%(name)s is a choice and has no options."
    OPTION_WITHOUT_VALUE = "draft_option_without_value", "%(name)s: option %(number)s has no value."
    OPTION_TWICE = "draft_option_twice", "%(name)s: two options have the value %(value)s."
    OPTION_WITHOUT_TEXT = "draft_option_without_text", "%(name)s: the option %(value)s has no printed text."
    OPTION_WITHOUT_MARK = "draft_option_without_mark", "%(name)s: the option %(value)s has no checkbox."
    PATTERN_MALFORMED = ("draft_pattern_malformed", "%(name)s: the pattern is not a valid regular expression.")
    PRINT_WITHOUT_TEXT = "draft_print_without_text", "Printed text %(number)s is empty."
    PRINT_OUTSIDE = "draft_print_outside", "The printed text “%(text)s” is not on the page."
    PRINT_OF_NO_FIELD = (
        "draft_print_of_no_field",
        "The printed text “%(text)s” belongs to %(name)s, which is not a field.",
    )
    NOTHING_PRINTED = (
        "draft_nothing_printed",
        "The form has fewer than %(limit)s printed texts with a position. They are needed to recognize its pages.",
    )


class FormChange(MessageCode):
    """What a version changes of the one before it."""

    LABEL = "form_change_label", "Name: %(before)s, now %(after)s"
    KIND = "form_change_kind", "Kind of page changed"
    FIELD_ADDED = "form_change_field_added", "Field added: %(name)s"
    FIELD_REMOVED = "form_change_field_removed", "Field removed: %(name)s"
    FIELD_KIND = "form_change_field_kind", "%(name)s: %(kind_before)s, now %(kind_after)s"
    FIELD_LABEL = "form_change_field_label", "%(name)s: label %(before)s, now %(after)s"
    FIELD_REQUIRED = "form_change_field_required", "%(name)s: now required"
    FIELD_OPTIONAL = "form_change_field_optional", "%(name)s: no longer required"
    FIELD_PATTERN = "form_change_field_pattern", "%(name)s: pattern changed"
    FIELD_LANGUAGE = "form_change_field_language", "%(name)s: language changed"
    FIELD_MEANING = "form_change_field_meaning", "%(name)s: instructions for the language model changed"
    FIELD_WIDGETS = "form_change_field_widgets", "%(name)s: form fields of the PDF changed"
    FIELD_ZONE = "form_change_field_zone", "%(name)s: zone moved"
    OPTION_ADDED = "form_change_option_added", "%(name)s: option added: %(value)s"
    OPTION_REMOVED = "form_change_option_removed", "%(name)s: option removed: %(value)s"
    OPTION_CHANGED = "form_change_option_changed", "%(name)s: option changed: %(value)s"
    PRINT_ADDED = "form_change_print_added", "Printed text added: %(text)s"
    PRINT_REMOVED = "form_change_print_removed", "Printed text removed: %(text)s"
    PRINT_CHANGED = "form_change_print_changed", "Printed text changed: %(text)s"
