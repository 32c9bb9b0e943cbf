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
    #: Seconds after which it may be tried again; None where nobody knows.
    retry_after: float | None = None

    def __init_subclass__(
        cls,
        code: MessageCode | None = None,
        retryable: bool | None = None,
        http_status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Take what the class declares of these; the rest is as in its bases."""
        super().__init_subclass__()
        declared = {"code": code, "retryable": retryable, "http_status": http_status, "retry_after": retry_after}
        for name, value in declared.items():
            if value is not None:
                setattr(cls, name, value)

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


class UnavailableError(AppError, retryable=True):
    """A network service did not answer, or answered with a failure that may pass."""

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        """`retry_after`: seconds that the service asked us to wait, None where it did not."""
        super().__init__(detail)
        self.retry_after = retry_after


class ConfigurationError(AppError, code=ErrorCode.CONFIGURATION_ERROR):
    """A setting is missing, malformed or contradicts another; names the variable."""


class DatabaseNotReadyError(AppError, code=ErrorCode.DATABASE_NOT_READY, http_status=503):
    """The database lacks tables that this version needs."""


class DatabaseAwayError(AppError, code=ErrorCode.DATABASE_AWAY, retryable=True, http_status=503):
    """The database does not answer, or the connection broke."""


class EmbeddedServiceError(AppError, code=ErrorCode.EMBEDDED_SERVICE_FAILED, http_status=503):
    """An embedded server could not be started or attached to; says what to do and ends with its log's tail."""


class BusyError(AppError, code=ErrorCode.BUSY, retryable=True, http_status=503, retry_after=5):
    """Others are served first: as many as may be at a time, or one that holds what this one needs."""


class QueueFullError(BusyError, code=ErrorCode.QUEUE_FULL, retry_after=300):
    """More jobs wait than MAX_QUEUED_JOBS; nothing more is taken in."""


class DocumentError(AppError, code=ErrorCode.DOCUMENT_ERROR, http_status=422):
    """A document cannot be read; its original is stored anyway."""


class NotADocumentError(DocumentError, code=ErrorCode.NOT_A_DOCUMENT, http_status=415):
    """The content is not of a supported format, whatever the file's name."""


class EncryptedDocumentError(DocumentError, code=ErrorCode.ENCRYPTED_DOCUMENT):
    """The document is protected by a password."""


class DamagedDocumentError(DocumentError, code=ErrorCode.DAMAGED_DOCUMENT):
    """The document is truncated or its structure is broken beyond repair."""


class EmptyDocumentError(DocumentError, code=ErrorCode.EMPTY_DOCUMENT):
    """The document has no pages or no bytes."""


class TooManyPagesError(DocumentError, code=ErrorCode.TOO_MANY_PAGES, http_status=413):
    """More pages than MAX_PAGES."""


class PictureTooLargeError(DocumentError, code=ErrorCode.PICTURE_TOO_LARGE, http_status=413):
    """A picture, or a page, with more pixels than MAX_IMAGE_PIXELS."""


class UnpacksTooLargeError(DocumentError, code=ErrorCode.UNPACKS_TOO_LARGE, http_status=413):
    """An archive-like document that would unpack to more than MAX_UNPACKED_BYTES."""


class TooCostlyError(DocumentError, code=ErrorCode.TOO_COSTLY, http_status=413):
    """Reading a document takes more memory, time or output than PARSE_MEMORY_MB, PARSE_SECONDS and
    PARSE_FILE_SECONDS allow.

    The message says which; it is not tried again.
    """


class FileTooLargeError(AppError, code=ErrorCode.FILE_TOO_LARGE, http_status=413):
    """More bytes than MAX_UPLOAD_BYTES."""


class TooManyFilesError(AppError, code=ErrorCode.TOO_MANY_FILES, http_status=413):
    """More files in one upload than MAX_FILES_PER_UPLOAD."""


class NoFileError(AppError, code=ErrorCode.NO_FILE, http_status=400):
    """An upload without a file."""


class NotFoundError(AppError, code=ErrorCode.NOT_FOUND, http_status=404):
    """The requested object does not exist, or this person may not see it."""


def existing(found: Found | None, why_not: str | MessageCode) -> Found:
    """Return what a query found. Raises NotFoundError with this detail for None."""
    if found is None:
        raise NotFoundError(why_not)
    return found


class ConflictError(AppError, code=ErrorCode.CONFLICT, http_status=409):
    """Another person changed the row first; carries who and what where known."""

    def __init__(self, detail: str | MessageCode = "", *, who: str | None = None, **params: Param) -> None:
        """`who`: name of the person who was faster, None where it was the machine; a parameter of the message."""
        if isinstance(detail, MessageCode) and "who" in detail.places:
            params["who"] = who
        super().__init__(detail, **params)
        self.who = who


class HeldError(ConflictError, code=ErrorCode.HELD):
    """Another person holds the item, and the hold has not expired; `detail` names them."""


class NotFailedError(AppError, code=ErrorCode.NOT_FAILED, http_status=409):
    """A retry was requested for something that has not failed; `detail` says for what."""


class InvalidInputError(AppError, code=ErrorCode.INVALID_INPUT, http_status=400):
    """A value that a person or client sent does not fit; `detail` says which and why."""


class SignInError(AppError, code=ErrorCode.SIGN_IN_FAILED, http_status=401):
    """Wrong address or password, or a deactivated account; never says which."""


class WrongPasswordError(AppError, code=ErrorCode.WRONG_PASSWORD, http_status=401):
    """A person who is signed in gave a password that is not theirs."""


class WrongCodeError(AppError, code=ErrorCode.WRONG_CODE, http_status=401):
    """The code of a second factor is wrong, or was used before."""


class ForbiddenError(AppError, code=ErrorCode.FORBIDDEN, http_status=403):
    """The person's role does not allow it."""


class ScopeMissingError(AppError, code=ErrorCode.SCOPE_MISSING, http_status=403):
    """The token lacks the scope that the operation needs."""


class UploadQuotaError(AppError, code=ErrorCode.UPLOAD_QUOTA, http_status=429):
    """The person has uploaded as much as one may in a day."""


class UploadUnconfirmedError(AppError, code=ErrorCode.UPLOAD_UNCONFIRMED, http_status=503):
    """The connection broke while files were recorded: either all of them are stored, or none."""


class HostRefusedError(AppError, code=ErrorCode.HOST_REFUSED, http_status=400):
    """The request asks for a name that is not this server's."""


class AuthUnavailableError(UnavailableError, code=ErrorCode.AUTH_UNAVAILABLE, http_status=503):
    """Supabase Auth did not answer in time, asked for a pause, or answered with something malformed."""


class AuthRefusedError(AppError, code=ErrorCode.AUTH_REFUSED, http_status=503):
    """Supabase Auth refused this program for good: a wrong key, or a sign-in method that is disabled."""


class AuthUntrustedError(AppError, code=ErrorCode.AUTH_UNTRUSTED, http_status=503):
    """A token that is not of the project of SUPABASE_URL, or not signed with one of its public keys."""


class PasswordRefusedError(InvalidInputError, code=ErrorCode.PASSWORD_REFUSED):
    """Supabase Auth refused a new password by the rules of the project."""


class LinkExpiredError(AppError, code=ErrorCode.LINK_EXPIRED, http_status=410):
    """The link of an invitation or password reset was used, replaced or has expired."""


class RecognitionError(AppError, code=ErrorCode.RECOGNITION_FAILED, retryable=True):
    """The OCR provider failed on a picture."""


class RecogniserForkedError(RecognitionError, code=ErrorCode.RECOGNISER_FORKED, retryable=False):
    """A process forked after it had run a recognition; its children could hang if they ran one."""


class RecognitionUnavailableError(UnavailableError, RecognitionError, code=ErrorCode.RECOGNITION_UNAVAILABLE):
    """A recognition service did not answer in time, or answered 429, 5xx or something malformed."""


class RecognitionRefusedError(RecognitionError, code=ErrorCode.RECOGNITION_REFUSED, retryable=False):
    """A recognition service or program refused the picture for good."""


class StorageError(AppError, code=ErrorCode.STORAGE_ERROR, retryable=True, http_status=503):
    """The file store did not answer or refused."""


class StorageSlowError(StorageError, code=ErrorCode.STORAGE_SLOW, retry_after=30):
    """As many uploads as may be at a time are being stored, and none ended within STORE_WAIT_SECONDS."""


class StorageFullError(StorageError, code=ErrorCode.STORAGE_FULL, http_status=507, retry_after=300):
    """The disk has no room for more files, or less than MIN_FREE_MB would be left."""


class StorageRefusedError(StorageError, code=ErrorCode.STORAGE_REFUSED, retryable=False):
    """The file store refused for good: a wrong key, a missing bucket, a file above its limit."""


class ModelError(AppError, code=ErrorCode.MODEL_ERROR):
    """A call of a language model failed for good."""


class TracesAwayError(UnavailableError, code=ErrorCode.TRACES_AWAY, http_status=503):
    """LangSmith did not answer, refused, or does not know the project of LANGSMITH_PROJECT."""


class ModelUnavailableError(UnavailableError, ModelError, code=ErrorCode.MODEL_UNAVAILABLE):
    """The model did not answer in time, or only with 429 or 5xx, within the limit given."""


class ModelReplyError(ModelError, code=ErrorCode.MODEL_REPLY_INVALID):
    """The model's reply does not match the schema, even after one repair."""


class EmbeddingError(AppError, code=ErrorCode.EMBEDDING_FAILED):
    """No vectors could be computed."""


class EmbeddingUnavailableError(UnavailableError, EmbeddingError, code=ErrorCode.EMBEDDING_UNAVAILABLE):
    """The embeddings endpoint did not answer, or answered with a failure that may pass."""


class MailError(AppError, code=ErrorCode.MAIL_REFUSED, http_status=503):
    """A mail could not be sent; `retryable` says whether it may be later."""


class MailNotConfiguredError(MailError, code=ErrorCode.MAIL_NOT_CONFIGURED):
    """No mail server is named in the settings."""


class MailInvalidError(MailError, code=ErrorCode.MAIL_INVALID, http_status=400):
    """A mail whose address or headers are not safe to send."""


class MailRefusedError(MailError):
    """The mail server refused the sender or the message for good."""


class MailRecipientError(MailError, code=ErrorCode.MAIL_RECIPIENT):
    """The mail server refused the recipient's address for good."""


class MailSignInError(MailError, code=ErrorCode.MAIL_SIGN_IN):
    """The mail server refused SMTP_USER and SMTP_PASSWORD."""


class MailTlsError(MailError, code=ErrorCode.MAIL_TLS):
    """No protected connection with the mail server: no TLS, or a certificate that cannot be trusted."""


class MailAwayError(UnavailableError, MailError, code=ErrorCode.MAIL_AWAY):
    """The mail server did not answer in time, or broke off."""


class MailDeferredError(UnavailableError, MailError, code=ErrorCode.MAIL_DEFERRED):
    """The mail server wants the mail later (4xx), as for greylisting."""


class LeaseLostError(AppError, code=ErrorCode.LEASE_LOST, http_status=409):
    """Another worker has taken the lease; this one must not write any more."""
