"""The taxonomy of errors. Each is translated once, at an edge: a page, a job or a command.

Every error carries `code` (stable, for machines; its label is one sentence that tells a person what to do),
`retryable` (whether the queue may try again by itself) and `http_status`. What exactly happened is in `message`,
for people, and in `detail`, for logs and engineers.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from core.error_codes import ErrorCode
from core.messages import Message, MessageCode, Param, say

Found = TypeVar("Found")


class AppError(Exception):
    """Base of every error that the product raises on purpose."""

    code: ClassVar[MessageCode] = ErrorCode.INTERNAL_ERROR
    retryable: ClassVar[bool] = False
    http_status: ClassVar[int] = 500

    def __init__(self, detail: str | MessageCode = "", **params: Param) -> None:
        """Take what happened: a message where people read it, otherwise a text for engineers.

        Neither may hold personal data, except names of colleagues of the reader.
        """
        #: What exactly happened, for people; None where the code's label is enough.
        self.message = Message.of(detail, **params) if isinstance(detail, MessageCode) else None
        self.detail = say(self.message) if self.message else str(detail)
        super().__init__(self.detail or self.help_message)

    @property
    def help_message(self) -> str:
        """Return what a person can do, in English."""
        return self.code.label

    @property
    def of_its_kind(self) -> Message:
        """What a person can do, whatever exactly happened."""
        return Message(str(self.code))

    @property
    def told(self) -> Message:
        """Return the message to store for people: the error's own, else one of its code."""
        return self.message or self.of_its_kind


class UnavailableError(AppError):
    """A network service did not answer, or answered with a failure that may pass."""

    retryable = True

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        """`retry_after`: seconds that the service asked us to wait, None where it did not."""
        super().__init__(detail)
        self.retry_after = retry_after


class ConfigurationError(AppError):
    """A setting is missing, malformed or contradicts another; names the variable."""

    code: ClassVar[MessageCode] = ErrorCode.CONFIGURATION_ERROR


class DatabaseNotReadyError(AppError):
    """The database lacks tables that this version needs."""

    code: ClassVar[MessageCode] = ErrorCode.DATABASE_NOT_READY
    http_status = 503


class DatabaseAwayError(AppError):
    """The database does not answer, or the connection broke."""

    code: ClassVar[MessageCode] = ErrorCode.DATABASE_AWAY
    retryable = True
    http_status = 503


class EmbeddedServiceError(AppError):
    """An embedded server could not be started or attached to; says what to do and ends with its log's tail."""

    code: ClassVar[MessageCode] = ErrorCode.EMBEDDED_SERVICE_FAILED
    http_status = 503


class BusyError(AppError):
    """Others are served first: as many as may be at a time, or one that holds what this one needs."""

    code: ClassVar[MessageCode] = ErrorCode.BUSY
    retryable = True
    http_status = 503


class DocumentError(AppError):
    """A document cannot be read; its original is stored anyway."""

    code: ClassVar[MessageCode] = ErrorCode.DOCUMENT_ERROR
    http_status = 422


class NotADocumentError(DocumentError):
    """The content is not of a supported format, whatever the file's name."""

    code: ClassVar[MessageCode] = ErrorCode.NOT_A_DOCUMENT
    http_status = 415


class EncryptedDocumentError(DocumentError):
    """The document is protected by a password."""

    code: ClassVar[MessageCode] = ErrorCode.ENCRYPTED_DOCUMENT


class DamagedDocumentError(DocumentError):
    """The document is truncated or its structure is broken beyond repair."""

    code: ClassVar[MessageCode] = ErrorCode.DAMAGED_DOCUMENT


class EmptyDocumentError(DocumentError):
    """The document has no pages or no bytes."""

    code: ClassVar[MessageCode] = ErrorCode.EMPTY_DOCUMENT


class TooManyPagesError(DocumentError):
    """More pages than MAX_PAGES."""

    code: ClassVar[MessageCode] = ErrorCode.TOO_MANY_PAGES
    http_status = 413


class PictureTooLargeError(DocumentError):
    """A picture, or a page, with more pixels than MAX_IMAGE_PIXELS."""

    code: ClassVar[MessageCode] = ErrorCode.PICTURE_TOO_LARGE
    http_status = 413


class UnpacksTooLargeError(DocumentError):
    """An archive-like document that would unpack to more than MAX_UNPACKED_BYTES."""

    code: ClassVar[MessageCode] = ErrorCode.UNPACKS_TOO_LARGE
    http_status = 413


class TooCostlyError(DocumentError):
    """Reading a document takes more memory, time or output than PARSE_MEMORY_MB, PARSE_SECONDS and
    PARSE_FILE_SECONDS allow.

    The message says which; it is not tried again.
    """

    code: ClassVar[MessageCode] = ErrorCode.TOO_COSTLY
    http_status = 413


class FileTooLargeError(AppError):
    """More bytes than MAX_UPLOAD_BYTES."""

    code: ClassVar[MessageCode] = ErrorCode.FILE_TOO_LARGE
    http_status = 413


class TooManyFilesError(AppError):
    """More files in one upload than MAX_FILES_PER_UPLOAD."""

    code: ClassVar[MessageCode] = ErrorCode.TOO_MANY_FILES
    http_status = 413


class NoFileError(AppError):
    """An upload without a file."""

    code: ClassVar[MessageCode] = ErrorCode.NO_FILE
    http_status = 400


class NotFoundError(AppError):
    """The requested object does not exist, or this person may not see it."""

    code: ClassVar[MessageCode] = ErrorCode.NOT_FOUND
    http_status = 404


def existing(found: Found | None, why_not: str | MessageCode) -> Found:
    """Return what a query found. Raises NotFoundError with this detail for None."""
    if found is None:
        raise NotFoundError(why_not)
    return found


class ConflictError(AppError):
    """Another person changed the row first; carries who and what where known."""

    code: ClassVar[MessageCode] = ErrorCode.CONFLICT
    http_status = 409

    def __init__(self, detail: str | MessageCode = "", *, who: str | None = None, **params: Param) -> None:
        """`who`: name of the person who was faster, None where it was the machine; a parameter of the message."""
        if isinstance(detail, MessageCode) and "who" in detail.places:
            params["who"] = who
        super().__init__(detail, **params)
        self.who = who


class HeldError(ConflictError):
    """Another person holds the item, and the hold has not expired; `detail` names them."""

    code: ClassVar[MessageCode] = ErrorCode.HELD


class NotFailedError(AppError):
    """A retry was requested for something that has not failed; `detail` says for what."""

    code: ClassVar[MessageCode] = ErrorCode.NOT_FAILED
    http_status = 409


class InvalidInputError(AppError):
    """A value that a person or client sent does not fit; `detail` says which and why."""

    code: ClassVar[MessageCode] = ErrorCode.INVALID_INPUT
    http_status = 400


class SignInError(AppError):
    """Wrong address or password, or a deactivated account; never says which."""

    code: ClassVar[MessageCode] = ErrorCode.SIGN_IN_FAILED
    http_status = 401


class WrongPasswordError(AppError):
    """A person who is signed in gave a password that is not theirs."""

    code: ClassVar[MessageCode] = ErrorCode.WRONG_PASSWORD
    http_status = 401


class WrongCodeError(AppError):
    """The code of a second factor is wrong, or was used before."""

    code: ClassVar[MessageCode] = ErrorCode.WRONG_CODE
    http_status = 401


class ForbiddenError(AppError):
    """The person's role does not allow it."""

    code: ClassVar[MessageCode] = ErrorCode.FORBIDDEN
    http_status = 403


class ScopeMissingError(AppError):
    """The token lacks the scope that the operation needs."""

    code: ClassVar[MessageCode] = ErrorCode.SCOPE_MISSING
    http_status = 403


class UploadQuotaError(AppError):
    """The person has uploaded as much as one may in a day."""

    code: ClassVar[MessageCode] = ErrorCode.UPLOAD_QUOTA
    http_status = 429


class UploadUnconfirmedError(AppError):
    """The connection broke while files were recorded: either all of them are stored, or none."""

    code: ClassVar[MessageCode] = ErrorCode.UPLOAD_UNCONFIRMED
    http_status = 503


class HostRefusedError(AppError):
    """The request asks for a name that is not this server's."""

    code: ClassVar[MessageCode] = ErrorCode.HOST_REFUSED
    http_status = 400


class AuthUnavailableError(UnavailableError):
    """Supabase Auth did not answer in time, asked for a pause, or answered with something malformed."""

    code: ClassVar[MessageCode] = ErrorCode.AUTH_UNAVAILABLE
    http_status = 503


class AuthRefusedError(AppError):
    """Supabase Auth refused this program for good: a wrong key, or a sign-in method that is disabled."""

    code: ClassVar[MessageCode] = ErrorCode.AUTH_REFUSED
    http_status = 503


class AuthUntrustedError(AppError):
    """A token that is not of the project of SUPABASE_URL, or not signed with one of its public keys."""

    code: ClassVar[MessageCode] = ErrorCode.AUTH_UNTRUSTED
    http_status = 503


class PasswordRefusedError(InvalidInputError):
    """Supabase Auth refused a new password by the rules of the project."""

    code: ClassVar[MessageCode] = ErrorCode.PASSWORD_REFUSED


class LinkExpiredError(AppError):
    """The link of an invitation or password reset was used, replaced or has expired."""

    code: ClassVar[MessageCode] = ErrorCode.LINK_EXPIRED
    http_status = 410


class RecognitionError(AppError):
    """The OCR provider failed on a picture."""

    code: ClassVar[MessageCode] = ErrorCode.RECOGNITION_FAILED
    retryable = True


class RecogniserForkedError(RecognitionError):
    """A process forked after it had run a recognition; its children could hang if they ran one."""

    code: ClassVar[MessageCode] = ErrorCode.RECOGNISER_FORKED
    retryable = False


class RecognitionUnavailableError(UnavailableError, RecognitionError):
    """A recognition service did not answer in time, or answered 429, 5xx or something malformed."""

    code: ClassVar[MessageCode] = ErrorCode.RECOGNITION_UNAVAILABLE


class RecognitionRefusedError(RecognitionError):
    """A recognition service or program refused the picture for good."""

    code: ClassVar[MessageCode] = ErrorCode.RECOGNITION_REFUSED
    retryable = False


class StorageError(AppError):
    """The file store did not answer or refused."""

    code: ClassVar[MessageCode] = ErrorCode.STORAGE_ERROR
    retryable = True
    http_status = 503


class StorageRefusedError(StorageError):
    """The file store refused for good: a wrong key, a missing bucket, a file above its limit."""

    code: ClassVar[MessageCode] = ErrorCode.STORAGE_REFUSED
    retryable = False


class ModelError(AppError):
    """A call of a language model failed for good."""

    code: ClassVar[MessageCode] = ErrorCode.MODEL_ERROR


class TracesAwayError(UnavailableError):
    """LangSmith did not answer, refused, or does not know the project of LANGSMITH_PROJECT."""

    code: ClassVar[MessageCode] = ErrorCode.TRACES_AWAY
    http_status = 503


class ModelUnavailableError(UnavailableError, ModelError):
    """The model did not answer in time, or only with 429 or 5xx, within the limit given."""

    code: ClassVar[MessageCode] = ErrorCode.MODEL_UNAVAILABLE


class ModelReplyError(ModelError):
    """The model's reply does not match the schema, even after one repair."""

    code: ClassVar[MessageCode] = ErrorCode.MODEL_REPLY_INVALID


class EmbeddingError(AppError):
    """No vectors could be computed."""

    code: ClassVar[MessageCode] = ErrorCode.EMBEDDING_FAILED


class EmbeddingUnavailableError(UnavailableError, EmbeddingError):
    """The embeddings endpoint did not answer, or answered with a failure that may pass."""

    code: ClassVar[MessageCode] = ErrorCode.EMBEDDING_UNAVAILABLE


class MailError(AppError):
    """A mail could not be sent; `retryable` says whether it may be later."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_REFUSED
    http_status = 503


class MailNotConfiguredError(MailError):
    """No mail server is named in the settings."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_NOT_CONFIGURED


class MailInvalidError(MailError):
    """A mail whose address or headers are not safe to send."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_INVALID
    http_status = 400


class MailRefusedError(MailError):
    """The mail server refused the sender or the message for good."""


class MailRecipientError(MailError):
    """The mail server refused the recipient's address for good."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_RECIPIENT


class MailSignInError(MailError):
    """The mail server refused SMTP_USER and SMTP_PASSWORD."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_SIGN_IN


class MailTlsError(MailError):
    """No protected connection with the mail server: no TLS, or a certificate that cannot be trusted."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_TLS


class MailAwayError(UnavailableError, MailError):
    """The mail server did not answer in time, or broke off."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_AWAY


class MailDeferredError(UnavailableError, MailError):
    """The mail server wants the mail later (4xx), as for greylisting."""

    code: ClassVar[MessageCode] = ErrorCode.MAIL_DEFERRED


class LeaseLostError(AppError):
    """Another worker has taken the lease; this one must not write any more."""

    code: ClassVar[MessageCode] = ErrorCode.LEASE_LOST
    http_status = 409
