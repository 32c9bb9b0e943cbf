"""Message codes of refused letters."""

from __future__ import annotations

from core.messages import MessageCode


class LetterRefused(MessageCode):
    """Why letters, or their texts, were refused."""

    NOTHING_CHOSEN = "letter_nothing_chosen", "Mark at least one entry."
    TOO_MANY = "letter_too_many", "Mark at most %(limit)s entries at a time."
    UNTIL = "letter_until", "Give a day by which you want an answer, from today to a year from now."
    NO_CONTACT = (
        "letter_no_contact",
        "Nobody could answer: give the texts of letters a telephone number or an address of the office first.",
    )
    NOTHING_LEFT = (
        "letter_nothing_left",
        "These entries have changed, or were asked about, since the page was loaded. Nothing was sent.",
    )
    PLACE_UNKNOWN = "letter_place_unknown", "%(letter_part)s: there is no place %(names)s. There are: %(choices)s."
    PLACE_WANTING = "letter_place_wanting", "%(letter_part)s: the text needs the places %(names)s."
    BRACES = "letter_braces", "%(letter_part)s: a brace stands alone. Places are written as {until}."
    TEXT_LONG = "letter_text_long", "%(letter_part)s: at most %(limit)s characters."
    ONE_LINE = "letter_one_line", "%(letter_part)s: one line only."
    TEXTS_CHANGED = "letter_texts_changed", "%(who)s has changed the texts since this page was loaded."
    ITEM_CHANGED = (
        "letter_item_changed",
        "Somebody else has changed this since the page was loaded. See how it stands.",
    )
    ERASED = "letter_erased", "The text of this letter is gone, because a child that it named was erased."
