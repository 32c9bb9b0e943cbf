"""Message codes of refused schools and school lists."""

from __future__ import annotations

from core.messages import MessageCode


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
