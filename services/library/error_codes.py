"""Error codes of uploaded and library documents."""

from __future__ import annotations

from core.messages import MessageCode


class LibraryCode(MessageCode):
    """What went wrong, and what the user can do about it."""

    NOT_A_LIBRARY_DOCUMENT = (
        "not_a_library_document",
        "This is not a PDF, Word, Markdown, HTML, or text file. Save it as one of these and add that.",
    )
    NO_TEXT_IN_DOCUMENT = (
        "no_text_in_document",
        "No text was found in this file. Check that the right file was chosen and add it again.",
    )
    TOO_MUCH_TEXT = (
        "too_much_text",
        "This file has more text than a document can have. Split it into chapters and add those.",
    )
    TOO_MANY_PARTS = (
        "too_many_parts",
        "This document has more than 2,000 headings or references. Split it into chapters and add those.",
    )
    IN_LIBRARY_AGAIN = (
        "in_library_again",
        "The same file has since been added to the library again; it is there.",
    )
    SCANNED_DOCUMENT = (
        "scanned_document",
        "The pages of this PDF are images. Save it with its text recognized, or as a Word file, and upload that.",
    )
