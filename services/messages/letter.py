"""Message codes of refused letters."""

from __future__ import annotations

from core.messages import MessageCode


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
