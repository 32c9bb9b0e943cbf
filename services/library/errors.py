"""What can be wrong with a document for the library, each in a sentence that says what to do."""

from __future__ import annotations

from typing import ClassVar

from core.errors import ConflictError, DocumentError, EmptyDocumentError, NotADocumentError
from core.messages import MessageCode
from services.library.error_codes import LibraryCode


class NotLibraryDocumentError(NotADocumentError):
    """The bytes are of no format that the library reads."""

    code: ClassVar[MessageCode] = LibraryCode.NOT_A_LIBRARY_DOCUMENT


class NoTextInDocumentError(EmptyDocumentError):
    """The document has pages, and not a word on them."""

    code: ClassVar[MessageCode] = LibraryCode.NO_TEXT_IN_DOCUMENT


class TooMuchTextError(DocumentError):
    """More text than one document of the library may hold."""

    code: ClassVar[MessageCode] = LibraryCode.TOO_MUCH_TEXT
    http_status = 413


class InLibraryAgainError(ConflictError):
    """A removed document cannot come back: the same file was added anew in the meantime."""

    code: ClassVar[MessageCode] = LibraryCode.IN_LIBRARY_AGAIN
