"""Sentences for the codes of accounts, seasons, schools and letters."""

from __future__ import annotations

from core.messages import MessageCode


class AccountRefused(MessageCode):
    """Why an account, a password or a token was refused."""

    TOKEN_NAME = "token_name", "Give the token a name of at most %(limit)s characters."
    TOKEN_DAYS = "token_days", "A token can be valid for 1 to %(limit)s days."
    TOO_MANY_TOKENS = "too_many_tokens", "You have too many tokens. Revoke one that you no longer use."
    OWNER_CLOSED = "owner_closed", "This account has been closed."
    TOKEN_SCOPES = "token_scopes", "Choose at least one permission for the token."
    ADDRESS_TAKEN = "address_taken", "An account with this e-mail address already exists."
    JUST_INVITED = "just_invited", "Someone has just invited this person."
    NOT_AN_ADDRESS = "not_an_address", "This is not a valid e-mail address."
    NAME_TOO_LONG = "name_too_long", "The name may have at most %(limit)s characters."
    PASSWORD_TOO_SHORT = "password_too_short", "The password needs at least %(limit)s characters."
    PASSWORD_TOO_LONG = "password_too_long", "The password may have at most %(limit)s characters."
    PASSWORD_IS_ADDRESS = "password_is_address", "The password must not be the same as the e-mail address."
    PASSWORD_REPEATS = "password_repeats", "The password uses too few different characters."
    PASSWORD_COMMON = ("password_common", "This password is easy to guess. Use three or four unrelated words.")
    PASSWORD_KEYBOARD = (
        "password_keyboard",
        "Neighboring keys are easy to guess. Use three or four unrelated words.",
    )
    PASSWORD_SEQUENCE = (
        "password_sequence",
        "Letters or digits in a row are easy to guess. Use three or four unrelated words.",
    )
    PASSWORD_DATE = ("password_date", "Dates are easy to guess. Use three or four unrelated words.")
    OTHER_AT_AUTH = (
        "other_at_auth",
        "Supabase Auth has another account with this e-mail address. Remove it there, then invite "
        "the person again.",
    )
    NOT_AT_AUTH = "not_at_auth", "Supabase Auth has no account for this person. Invite them again."
    LAST_ADMIN = "last_admin", "This is the last admin. Make someone else an admin first."
    NO_SUCH_ROLE = "no_such_role", "Choose one of the roles."


# What mails about accounts say; the links in them are never stored.


class AccountLetter(MessageCode):
    """Subjects and texts of mails about accounts."""

    INVITED_SUBJECT = "letter_invited_subject", "Your Second Reader account"
    INVITED = (
        "letter_invited",
        "Hello,\n\n%(who)s has invited you to Second Reader, where contest entries are read and "
        "reviewed.\n\nChoose your password here:\n\n%(link)s\n\nThe link works once, until "
        "%(date)s. If you were not expecting this e-mail, you can ignore it.",
    )
    RESET_SUBJECT = "letter_reset_subject", "Your new password for Second Reader"
    RESET = (
        "letter_reset",
        "Hello,\n\nSomeone asked to reset the Second Reader password for this address.\n\nChoose a "
        "new password here:\n\n%(link)s\n\nThe link works once, within %(hours)s hours. Your old "
        "password works until you use it. If you did not ask for this, you can ignore this e-mail.",
    )
    NOT_SENT = (
        "letter_not_sent",
        "The mail server asked us to try again later, so the message was not sent. Send it again "
        "in a few minutes.",
    )
    TRIAL_SUBJECT = "letter_trial_subject", "Second Reader can send e-mail"
    TRIAL = (
        "letter_trial",
        "Hello,\n\nThis is a test from the setup of Second Reader: it can send e-mail. Links in "
        "its messages begin with\n\n%(link)s\n\nIf that address does not open the site, have "
        "PUBLIC_URL set correctly.",
    )


class SetUpTold(MessageCode):
    """The result of a step, besides what the checks of the doctor find."""

    RULES_ALONE = (
        "set_up_rules_alone",
        "Rules only: no model is used. Whatever the rules leave open goes to a person.",
    )
    MAIL_SENT = (
        "set_up_mail_sent",
        "The mail server accepted the message. Check whether it arrived, and in which folder.",
    )
    MAIL_FAILS = "set_up_mail_fails", "The message could not be sent. %(problem)s"
    MAIL_NONE = (
        "set_up_mail_none",
        "No mail server is set up: an admin has to pass on the links for invitations and new passwords.",
    )


class SchoolRefused(MessageCode):
    """Why a school, an alias or a school list was refused."""

    NO_NAME = "school_no_name", "the school has no name"
    NAME_TOO_LONG = (
        "school_name_too_long",
        "a school's name has at most %(limit)s characters; this one has %(count)s",
    )
    NOT_PRINTABLE = "school_not_printable", "“%(name)s” has characters that cannot be printed"
    MEANS_ANOTHER = "school_means_another", "“%(name)s” already means “%(school)s”"
    NOT_LISTED = "school_not_listed", "no school on the list is named “%(name)s”"
    NOT_LISTED_BUT_LIKE = (
        "school_not_listed_but_like",
        "no school on the list is named “%(name)s”; did you mean “%(school)s”?",
    )
    NO_EMAIL = "school_no_email", "the e-mail address is not valid"
    NO_SUCH_ALIAS = "school_no_such_alias", "“%(name)s” is not another spelling of “%(school)s”"
    NOT_UTF8 = "school_not_utf8", "this file is not UTF-8 text; save it as “CSV UTF-8” and try again"
    NO_FILE = "school_no_file", "choose the CSV file of the school list"
    TOO_MANY_ROWS = (
        "school_too_many_rows",
        "a file has at most %(limit)s schools; this one has %(count)s. Import it in parts",
    )
    LIST_BUSY = (
        "school_list_busy",
        "someone else is changing the school list; nothing was changed. Try again in a minute.",
    )
    MERGED_WITH_ITSELF = "school_merged_with_itself", "“%(name)s” and “%(school)s” are already one school"
    NO_NAME_COLUMN = (
        "school_no_name_column",
        "line 1: the school list has no column `name`; the first line must read %(choices)s",
    )
    COLUMNS = "school_columns", "line 1: the columns can be %(choices)s, each once; found %(names)s"
    TOO_MANY_CELLS = "school_too_many_cells", "more cells than columns; put a name with a comma in quotes"
    NOT_CSV = "school_not_csv", "line %(line)s: this is not CSV (%(technical)s)"
    IN_LINE = "school_in_line", "\n  line %(line)s: %(problem)s"
    TWICE = "school_twice", "\n  line %(line)s: “%(name)s” is already on line %(first)s"
    ALIAS_TWICE = (
        "school_alias_twice",
        "\n  line %(line)s: “%(name)s” already means “%(school)s” (line %(first)s)",
    )
    AND_MORE = "school_and_more", "\n  and %(count)s more"
    BAD_LINES = "school_bad_lines", "nothing was imported; correct these lines first:%(problems)s"


class SeasonRefused(MessageCode):
    """Why a season or its rules were not changed."""

    RULES_DO_NOT_FIT = "rules_do_not_fit", "This value is not allowed: %(rules)s."
    FIELDS_UNKNOWN = "fields_unknown", "One of the required fields is not a field that entries have."
    NO_SUCH_RULE = "no_such_rule", "There is no such rule: %(names)s."
    FORMS_UNKNOWN = "forms_unknown", "There is no such form: %(names)s."
    NOTHING_CHANGES = "nothing_changes", "Nothing changes: these are already the rules."
    NAME_MISSING = "season_name_missing", "Give the season a name of at most %(limit)s characters."
    NAME_TAKEN = "season_name_taken", "There is already a season with this name."
    DATES_REVERSED = "season_dates_reversed", "The season's last day is before its first day."
    END_HAS_COME = (
        "season_end_has_come",
        "This day has already passed. To end a season, close it on the Seasons page.",
    )
    IS_OPEN = "season_is_open", "This season is already open."
    IS_CLOSED = (
        "season_is_closed",
        "The season %(season)s is closed: it accepts no uploads and no changes to them.",
    )
    NONE_OPEN = "no_season_of_this_name", "There is no season with this name."


class SeasonConflict(MessageCode):
    """Why a change came too late."""

    CHANGED = "season_changed", "the rules of the season have changed since you opened this page"
    CHANGED_SINCE = "rules_changed_since", "these rules have since been changed again: %(rules)s"
    TAKEN_BACK = "change_taken_back", "this change has already been undone"


class ListRefused(MessageCode):
    """Why something about a list was refused."""

    NAME_EMPTY = "filter_name_empty", "Give the filter a name."
    NAME_LONG = "filter_name_long", "A name has at most %(limit)s characters; this one has %(count)s."
    NAME_TAKEN = "filter_name_taken", "You already have a filter named “%(name)s”."
    TOO_MANY = ("filters_too_many", "You can save at most %(limit)s filters. Delete one that you no longer use.")
    NO_ENTRIES = "bulk_no_entries", "Choose the entries, or a filter."
    FIELD_UNKNOWN = "bulk_field_unknown", "Choose one of these fields: %(fields)s."
    NO_OLD_VALUE = "bulk_no_old_value", "Enter the value to replace."
    SAME_VALUE = "bulk_same_value", "The new value is the same as the old one."
    NO_NEW_VALUE = "bulk_no_new_value", "Enter the new value."
    TOO_MANY_ENTRIES = ("bulk_too_many", "At most %(limit)s entries can be changed at once; you chose %(count)s.")
    NOT_READY = "bulk_not_ready", "The preview is not ready, or the change has already been applied."
    NOT_WORKING = "bulk_not_working", "It is not in progress."
    NOT_UNDOABLE = "bulk_not_undoable", "There is nothing left to undo."
    TOO_MANY_ANEW = (
        "reread_too_many",
        "At most %(limit)s entries can be read again at once; you chose %(count)s.",
    )
    NOTHING_DIFFERS = "reread_nothing_differs", "There is nothing here to accept."
    NOT_FAILED = "bulk_not_failed", "this change has not failed"


class LetterRefused(MessageCode):
    """Why letters, or their texts, were refused."""

    NOTHING_CHOSEN = "letter_nothing_chosen", "Select at least one entry."
    TOO_MANY = "letter_too_many", "Select at most %(limit)s entries at a time."
    UNTIL = "letter_until", "Choose a date for the answer, from today to a year from now."
    NO_CONTACT = (
        "letter_no_contact",
        "A letter must say how to answer it. First enter a phone number or an address under “What letters say”.",
    )
    NOTHING_LEFT = (
        "letter_nothing_left",
        (
            "These entries have changed, or someone has asked about them, since you opened this page. "
            "Nothing was sent."
        ),
    )
    PLACE_UNKNOWN = (
        "letter_place_unknown",
        "%(letter_part)s: %(names)s cannot be used here. You can use %(choices)s.",
    )
    PLACE_WANTING = "letter_place_wanting", "%(letter_part)s: the text must contain %(names)s."
    BRACES = "letter_braces", "%(letter_part)s: a brace has no partner. Write it like this: {until}."
    TEXT_LONG = "letter_text_long", "%(letter_part)s: at most %(limit)s characters."
    ONE_LINE = "letter_one_line", "%(letter_part)s: one line only."
    TEXTS_CHANGED = "letter_texts_changed", "%(who)s has changed these texts since you opened the page."
    ITEM_CHANGED = (
        "letter_item_changed",
        "Someone else has changed this since you opened the page. Check its current status.",
    )
    ERASED = "letter_erased", "The text of this letter was removed because a child named in it was erased."


class NoticeText(MessageCode):
    """What a notice says. It names no child."""

    HELLO = "notice_hello", "Hello,"
    DONE_SUBJECT = "notice_done_subject", "Finished: the entries you uploaded on %(date)s"
    DONE = ("notice_done", "Your upload of %(date)s is finished: nothing in it is waiting.")
    WAITS_SUBJECT = "notice_waits_subject", "The entries you uploaded on %(date)s are waiting for a person"
    WAITS = "notice_waits", "Your upload of %(date)s has been read, and part of it needs a person."
    ANY_WAITS_SUBJECT = "notice_any_waits_subject", "Entries uploaded on %(date)s are waiting for a person"
    ANY_WAITS = "notice_any_waits", "The entries uploaded on %(date)s have been read and need a person."
    COUNTS = (
        "notice_counts",
        "Entries: %(entries)s. Complete: %(complete)s. Waiting for a person: %(waiting)s. Could "
        "not be read: %(failed)s. Rejected: %(rejected)s.",
    )
    LINK = "notice_link", "See them here:"
    WHY = (
        "notice_why",
        ("You are receiving this because you asked for these notices. You can change that on your account page."),
    )
