"""Message codes of refused requests that concern entries, their values and decisions about them."""

from __future__ import annotations

from core.messages import MessageCode


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
    NOT_TWO_HALVES = (
        "not_two_halves",
        "only an entry without an essay and an entry with one can be joined",
    )
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
    FILE_NOT_READ = (
        "file_not_read",
        "one of these files has not been read, or its entries were replaced",
    )
    NOTHING_CHANGED = "nothing_changed", "nothing was changed"
    TOO_MANY_PAGES_AT_ONCE = (
        "too_many_pages_at_once",
        "at most %(limit)s pages can be split again at a time",
    )
    ENTRY_WITHOUT_PAGES = "entry_without_pages", "an entry without pages"
    NO_SUCH_PAGE = "no_such_page", "there is no page %(page)s in this file"
    PAGE_TURN = "page_turn", "page %(page)s: a page can be turned by 0, 90, 180, or 270 degrees"
    PAGE_TWICE = "page_twice", "page %(page)s is in the plan twice"
    PAGE_TAKEN = "page_taken", "page %(page)s has since become part of a new entry"
    PAGE_MOVED = "page_moved", "page %(page)s has since become part of another entry"
    PAGES_ERASED = "pages_erased", "a page of these files has since been erased; the split cannot be undone"
    TURN_UNKNOWN = "turn_unknown", "Page %(page)s: choose how far to turn it from the list."
    PLACE_UNKNOWN = ("place_unknown", "Page %(page)s: type whole numbers for the entry and the position in it.")
