"""Errors of library documents; each code's message says what to do."""

from __future__ import annotations

from typing import ClassVar

from core.errors import ConflictError, DocumentError, EmptyDocumentError, NotADocumentError
from core.messages import MessageCode
from services.library.error_codes import LibraryCode


class NotLibraryDocumentError(NotADocumentError):
    """The file is not in a format that the library reads."""

    code: ClassVar[MessageCode] = LibraryCode.NOT_A_LIBRARY_DOCUMENT


class NoTextInDocumentError(EmptyDocumentError):
    """The document contains no text."""

    code: ClassVar[MessageCode] = LibraryCode.NO_TEXT_IN_DOCUMENT


class TooMuchTextError(DocumentError):
    """More text than one document of the library may hold."""

    code: ClassVar[MessageCode] = LibraryCode.TOO_MUCH_TEXT
    http_status = 413


class TooManyPartsError(TooMuchTextError):
    """More sections or references than a document may have whose pages are shown."""

    code: ClassVar[MessageCode] = LibraryCode.TOO_MANY_PARTS


class InLibraryAgainError(ConflictError):
    """A removed document cannot be restored, because the same file was added again since."""

    code: ClassVar[MessageCode] = LibraryCode.IN_LIBRARY_AGAIN
