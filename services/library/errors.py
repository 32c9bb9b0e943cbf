"""What can be wrong with a document for the library, each in a sentence that says what to do."""

from __future__ import annotations

from core.errors import ConflictError, DocumentError, EmptyDocumentError, NotADocumentError


class NotLibraryDocumentError(NotADocumentError):
    """The bytes are of no format that the library reads."""

    help_message = "This is not a PDF, Word, Markdown, HTML or text file. Save it as one of these and add that."


class NoTextInDocumentError(EmptyDocumentError):
    """The document has pages, and not a word on them."""

    help_message = "No text was found in this file. Check that the right file was chosen and add it again."


class TooMuchTextError(DocumentError):
    """More text than one document of the library may hold."""

    code = "too_much_text"
    help_message = "This file holds more text than one document may. Split it into its chapters and add these."
    http_status = 413


class InLibraryAgainError(ConflictError):
    """A removed document cannot come back: the same file was added anew in the meantime."""

    code = "in_library_again"
    help_message = "The same file was added to the library again in the meantime; it stands there."
