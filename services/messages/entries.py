"""Sentences for the codes of entries, uploads, forms and exports."""

from __future__ import annotations

from core.messages import LabelledEnum, MessageCode


class BatchRefused(MessageCode):
    """Why data given for a batch were refused."""

    SCHOOL_NOT_LISTED = (
        "default_school_not_listed",
        "“%(name)s” is not on the school list. Choose a school from the list, or leave the school empty.",
    )
    LANGUAGE_UNKNOWN = "default_language_unknown", "The language must be English, Spanish, or empty."
    NOTHING_TO_APPLY = "no_default_to_apply", "No entry in this upload would change."
    NOT_A_DAY = "not_a_day", "Type the date as year, month, and day, like 2026-03-31."
    DAY_TO_COME = "received_day_to_come", "The date received cannot be in the future."
    NOTHING_TYPED = "nothing_typed_in", "Type at least one value for the entry."
    NOT_TYPED_IN = "entry_not_typed_in", "This entry was read from a file, not typed in."
    FILE_UNREADABLE = "typed_in_not_read_again", "This entry was typed in, so it has no page to read again."


class BatchConflict(MessageCode):
    """Why a change came too late."""

    DEFAULTS_CHANGED = ("defaults_changed_since", "someone has changed these values since you opened this page")
    DEFAULTS_UNDER_WAY = (
        "defaults_under_way",
        "the values are still being filled in; wait until that is done, or stop it",
    )
    DEFAULTS_TAKEN_BACK = "defaults_taken_back", "this has already been undone or changed again"
    FILE_TYPED_IN = "file_typed_in", "this file has not failed, or someone has already typed it in"


class BatchEvent(MessageCode):
    """Why an entry was changed."""

    GIVEN = "batch_values_given", "Values from the upload were filled in: %(fields)s."
    TAKEN_BACK = "batch_values_taken_back", "Values from the upload were removed: %(fields)s."
    RECEIVED = "received_on_given", "The date received was entered."
    RECEIVED_KEPT = "received_on_kept", "The date received of the entry that this one replaces was kept."
    TYPED_FROM_FILE = "typed_in_from_file", "The file could not be read."
    TYPED_FROM_PAPER = "typed_in_from_paper", "There is no file."


class Deed(LabelledEnum, places=("deed",)):
    """What another person did with a pending item."""

    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"
    RESOLVED = "resolved", "resolved"
    SUPERSEDED = "superseded", "replaced"
    ACCEPTED = "accepted", "accepted"
    EDITED = "edited", "edited"
    APPLIED = "applied", "applied"
    WITHDRAWN = "withdrawn", "withdrawn"
    SETTLED = "settled", "settled"


class ItemLabel(LabelledEnum, places=("item",)):
    """Kinds of items that people hold and decide."""

    SUGGESTION = "suggestion", "proposal"
    ESCALATION = "escalation", "escalation"
    REVISION = "revision", "revision"
    ENTRY = "entry", "entry"
    AUDIT = "audit", "audit"
    SEASON = "season", "season"
    PAIR = "pair", "pair of entries"


class Conflict(MessageCode):
    """Why a decision came too late."""

    DECIDED = "decided", "%(deed)s by %(who)s"
    OPEN_ELSEWHERE = "open_elsewhere", "%(who)s has this %(item)s open"
    ONE_OPEN_ELSEWHERE = "one_open_elsewhere", "%(who)s has one of these entries open"
    CHANGED = "changed", "the %(item)s has changed since you opened this page"
    ENTRY_DONE = "entry_done", "%(event)s by %(who)s"
    ENTRY_OF_SEVERAL = "entry_of_several", "%(name)s: %(problem)s"
    NAMELESS_OF_SEVERAL = "nameless_of_several", "an entry without a name: %(problem)s"
    NEW_ENTRY_DONE = "new_entry_done", "a new entry: %(event)s by %(who)s"
    ENTRY_NOT_WAITING = (
        "entry_not_waiting",
        "the entry has the status “%(entry_status)s”; reopen it or wait until it has been read",
    )
    ENTRY_NOT_SETTLED = ("entry_not_settled", "the entry has the status “%(entry_status)s” and is not settled")
    UNDONE = "undone_by", "undone by %(who)s"
    TAKEN_BACK = "taken_back_by", "undone by %(who)s"
    WITHDRAWN = "revision_withdrawn", "the supervision has ended, and the revision was withdrawn"
    BEING_WORKED_ON = (
        "being_worked_on",
        "this entry, its file, or a report on it is being processed right now; nothing was "
        "changed, try again in a minute",
    )
    MAIL_GONE = "mail_gone", "this e-mail is being sent or is no longer waiting; check its current status"
    FILE_BEING_READ = (
        "file_being_read",
        "the file is still being split into entries; try again when that is done",
    )
    REPLACED_BY_OTHERS = (
        "replaced_by_others",
        ("this entry was replaced by others with the same pages; erase those, and this one is erased with them"),
    )


class EventReason(MessageCode):
    """Why an entry was changed."""

    MADE_BY_SPLIT = "made_by_split", "Created by correcting how a file was split."
    SPLIT_CORRECTED = "split_corrected", "The way the file was split was corrected."
    SPLIT_TAKEN_BACK = "split_taken_back", "The correction of the split was undone."
    ASKED_FOR = ("asked_for", "To be asked for: %(fields)s. If there is no answer, it comes back on %(date)s.")
    PARKED_UNTIL = "parked_until", "It comes back on %(date)s."
    CARRIED_OVER = "carried_over", "Earlier decisions were kept: %(fields)s."
    JOINED = "joined", "Joined with its other half into one entry."
    AMONG_MANY = "changed_among_many", "Changed in a bulk edit."
    READING_TAKEN_BACK = "reading_taken_back", "The values accepted from a new reading were undone."
    PAIR_DECIDED = "pair_decided", "Compared with another entry: %(pair_decision)s."
    OTHER_KEPT = "other_kept", "Another entry was kept instead of this one."
    UNDID = "undid", "Undone: %(decision_kind)s."


class ExportRefused(MessageCode):
    """Why an export was refused."""

    COLUMN_UNKNOWN = "column_unknown", "no such column: %(names)s"
    FORMAT_UNKNOWN = "export_format_unknown", "%(export_kind)s: the format must be one of %(choices)s"
    NOT_READY = "export_not_ready", "This export is not ready yet. Wait until it is done."
    TOO_LARGE = (
        "export_too_large",
        "The document is too large or too deeply nested for this format. Choose another one, such as Markdown.",
    )
    NOT_MADE = "export_not_made", "This file could not be made. %(why)s"
    NOT_FAILED = "export_not_failed", "this export has not failed"
    SEASON_UNKNOWN = "export_season_unknown", "no such season"


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


class Refused(MessageCode):
    """Why a value, a decision or an option was refused."""

    NO_SUCH_FIELD = "no_such_field", "no such field: %(names)s"
    VALUE_TOO_LONG = "value_too_long", "%(field)s: at most %(limit)s characters"
    ESSAY_TOO_MANY_WORDS = "essay_too_many_words", "%(field)s: %(count)s words; at most %(limit)s"
    ESSAY_TOO_MANY_LINES = "essay_too_many_lines", "%(field)s: %(count)s lines; at most %(limit)s"
    ESSAY_TOO_LONG = "essay_too_long", "%(field)s: %(count)s characters; at most %(limit)s"
    NO_VALUE = "no_value", "no value was entered"
    TOO_MANY_AT_ONCE = "too_many_at_once", "at most %(limit)s proposals at once"
    ACTION_UNKNOWN = "action_unknown", "action must be one of %(choices)s"
    NOT_TWO_HALVES = ("not_two_halves", "only an entry without an essay and an entry with one can be joined")
    NOT_PROPOSED = "not_proposed", "not among the proposed fields: %(names)s"
    NOTHING_PROPOSED = "nothing_proposed", "%(field)s: there is no proposal; type a value or reject"
    NOTHING_READ = "nothing_read", "%(field)s: nothing was read; type a value or reject"
    NOTE_TOO_LONG = "note_too_long", "a reason or note has at most %(limit)s characters"
    NOTHING_ASKED_FOR = "nothing_asked_for", "choose what to ask for"
    ASIDE_UNTIL = "aside_until", "choose a time within the next year"
    WAIVER_WITHOUT_REASON = "waiver_without_reason", "to accept an entry as it is, enter a reason"
    MAY_NOT_WAIVE = "may_not_waive", "The rules of this season do not let you accept an entry as it is."
    NOT_WAIVABLE = "not_waivable", "cannot be accepted as it is: %(fields)s"
    STILL_MISSING = "still_missing", "still missing: %(fields)s"
    SENT_BEFORE = (
        "sent_before_undecided",
        "first decide whether this entry is a duplicate: compare it with the other one",
    )
    VALUES_FIRST = (
        "pair_values_first",
        "the values are the same, but the pages look different: first enter what is on the pages",
    )
    NOTHING_TO_ASK = "nothing_to_ask", "nothing is missing that the model could help with"
    OPTION_UNKNOWN = "option_unknown", "no such option: %(names)s"
    PROFILE_UNKNOWN = "profile_unknown", "profile: %(name)s is not one of %(choices)s"
    NO_MODEL = "no_model", "no language model is set up"
    NO_SUPERVISOR = "no_supervisor", "without the supervisor, no model is used"
    PROVIDER_UNUSABLE = "provider_unusable", "ocr_provider: %(problem)s"
    PROVIDER_NOT_SET_UP = "provider_not_set_up", "ocr_provider: %(name)s is not set up here"
    NO_SUCH_PAGE_OF_LIST = "no_such_page_of_list", "This page of the list does not exist."
    ENTRY_NOT_FAILED = "entry_not_failed", "this entry has not failed"
    FILE_NOT_FAILED = "file_not_failed", "this file has not failed"
    DOCUMENT_NOT_FAILED = "document_not_failed", "this document has not failed"
    FORM_INCOMPLETE = "form_incomplete", "The form is not complete. Reload the page and decide again."
    NUMBER_OF_ENTRIES = (
        "number_of_entries",
        "Type how many entries were sent, from 1 to %(limit)s, or leave this empty.",
    )
    NO_SUCH_BATCH = "no_such_batch", "This upload does not exist."


class SplitRefused(MessageCode):
    """Why a split correction was refused."""

    NOT_ONE_UPLOAD = "not_one_upload", "these files are not from the same upload"
    FILE_NOT_READ = ("file_not_read", "one of these files has not been read, or its entries were replaced")
    NOTHING_CHANGED = "nothing_changed", "nothing was changed"
    TOO_MANY_PAGES_AT_ONCE = ("too_many_pages_at_once", "at most %(limit)s pages can be split again at a time")
    ENTRY_WITHOUT_PAGES = "entry_without_pages", "an entry without pages"
    NO_SUCH_PAGE = "no_such_page", "there is no page %(page)s in this file"
    PAGE_TURN = "page_turn", "page %(page)s: a page can be turned by 0, 90, 180, or 270 degrees"
    PAGE_TWICE = "page_twice", "page %(page)s is in the plan twice"
    PAGE_TAKEN = "page_taken", "page %(page)s has since become part of a new entry"
    PAGE_MOVED = "page_moved", "page %(page)s has since become part of another entry"
    PAGES_ERASED = "pages_erased", "a page of these files has since been erased; the split cannot be undone"
    TURN_UNKNOWN = "turn_unknown", "Page %(page)s: choose how far to turn it from the list."
    PLACE_UNKNOWN = ("place_unknown", "Page %(page)s: type whole numbers for the entry and the position in it.")


class ReplayRefused(MessageCode):
    """Why a run cannot be replayed."""

    NO_STEPS = "replay_no_steps", "The log has no steps for this run, so there is nothing to compare with."
    NO_READING = "replay_no_reading", "What was read in this run is no longer kept, so it cannot be replayed."
    NO_SUCH_STEP = "replay_no_such_step", "This run has no step %(name)s; it has %(choices)s."
    NO_MODEL = "replay_no_model", "No language model is set up."


class ReplaySource(LabelledEnum):
    """What a replay was made from."""

    CHECKPOINTS = "checkpoints", "the checkpoints of the run"
    STORED_READING = "stored_reading", "the stored reading of the run"
    FIELDS = "fields", "the fields of the entry as they are now"


class WatchRefused(MessageCode):
    """Why a file was put aside, or a folder is not watched."""

    NOT_A_FILE = ("watched_not_a_file", "This is a link or a device, not a file. Copy the file itself here.")
    UNREADABLE = "watched_unreadable", "This file could not be opened (%(technical)s). Check its permissions."
    TOO_LARGE = "watched_too_large", "This file is larger than %(limit)s bytes, the limit for one file."
    EMPTY = "watched_empty", "This file has been empty for %(limit)s minutes. Scan it again."
    NOT_A_DOCUMENT = "watched_not_a_document", "This is not a PDF, image, or Word file."
    NO_FOLDER = "watched_no_folder", "The folder does not exist or cannot be written to: %(technical)s"
    NOT_AS_ROOT = (
        "watched_not_as_root",
        "Other accounts can write to %(folder)s or to a folder above it, and root does not watch such a folder. "
        "Start `flask watch` as the account that the folder belongs to.",
    )
    WATCHED_ALREADY = "watched_already", "Another `flask watch` is already watching this folder."
    NO_UPLOADER = "watched_no_uploader", "No active account with this address is allowed to upload files."
    JOURNAL_STAYS = (
        "watched_journal_stays",
        "%(journal)s in the folder cannot be read and cannot be deleted (%(technical)s). "
        "Remove it, then start again.",
    )
