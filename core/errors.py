"""The taxonomy of errors. Each is translated once, at an edge: a page, a job or a command.

Every error carries `code` (stable, for machines), `help_message` (one sentence that tells a person what to
do), `retryable` (whether the queue may try again by itself) and `http_status`.
"""

from typing import ClassVar


class AppError(Exception):
    """Base of every error that the product raises on purpose."""

    code: ClassVar[str] = "internal_error"
    help_message: ClassVar[str] = "Something went wrong on our side. Nothing was lost; please try again."
    retryable: ClassVar[bool] = False
    http_status: ClassVar[int] = 500

    def __init__(self, detail: str = "") -> None:
        """`detail` is for logs and engineers; it must hold no personal data."""
        super().__init__(detail or self.help_message)
        self.detail = detail


class UnavailableError(AppError):
    """A service on the network did not answer, or only with what another attempt may turn into an answer."""

    retryable = True

    def __init__(self, detail: str = "", *, retry_after: float | None = None) -> None:
        """`retry_after`: seconds that the service asked us to wait, None where it did not."""
        super().__init__(detail)
        self.retry_after = retry_after


class ConfigurationError(AppError):
    """A setting is missing, malformed or contradicts another; names the variable."""

    code = "configuration_error"
    help_message = "The settings are not usable. The message names the variable to correct."


class DatabaseNotReadyError(AppError):
    """The database has not, or not all of, the tables that this version works with."""

    code = "database_not_ready"
    help_message = "The database is not set up for this version. Run `flask db-upgrade` first, then try again."
    http_status = 503


class DatabaseAwayError(AppError):
    """The database does not answer, or broke off."""

    code = "database_away"
    help_message = "The database does not answer. Nothing was lost; try again in a minute."
    retryable = True
    http_status = 503


class EmbeddedServiceError(AppError):
    """An embedded server could not be started or attached to; says what to do and ends with its log's tail."""

    code = "embedded_service_failed"
    help_message = "The embedded database or queue could not be started. The message says what to do."
    http_status = 503


class DocumentError(AppError):
    """A document cannot be read as it is; its original is stored all the same."""

    code = "document_error"
    help_message = "This file cannot be read. Save it again as a PDF and upload that."
    http_status = 422


class NotADocumentError(DocumentError):
    """The bytes are of no format that we read, whatever the name says."""

    code = "not_a_document"
    help_message = "This is not a PDF, picture or Word file. Export the entry as a PDF and upload that."
    http_status = 415


class EncryptedDocumentError(DocumentError):
    """The document wants a password."""

    code = "encrypted_document"
    help_message = "This file is locked with a password. Save a copy without a password and upload that."


class DamagedDocumentError(DocumentError):
    """The document is truncated or its structure is broken beyond repair."""

    code = "damaged_document"
    help_message = "This file is damaged or was cut off on its way. Download or scan it again and upload that."


class EmptyDocumentError(DocumentError):
    """The document has no pages or no bytes."""

    code = "empty_document"
    help_message = "This file has no pages. Check that the right file was chosen and upload it again."


class TooManyPagesError(DocumentError):
    """More pages than MAX_PAGES."""

    code = "too_many_pages"
    help_message = "This file has more pages than one upload may hold. Split it into smaller files."
    http_status = 413


class PictureTooLargeError(DocumentError):
    """A picture, or a page, with more pixels than MAX_IMAGE_PIXELS."""

    code = "picture_too_large"
    help_message = "This picture is too large to read. Scan it at 300 dpi or less and upload that."
    http_status = 413


class UnpacksTooLargeError(DocumentError):
    """An archive-like document that would unpack to more than MAX_UNPACKED_BYTES."""

    code = "unpacks_too_large"
    help_message = "This file unpacks to far more than an entry holds. Save it again as a PDF and upload that."
    http_status = 413


class FileTooLargeError(AppError):
    """More bytes than MAX_UPLOAD_BYTES."""

    code = "file_too_large"
    help_message = "This file is larger than one upload may be. Scan it at a lower resolution or split it."
    http_status = 413


class TooManyFilesError(AppError):
    """More files in one upload than MAX_FILES_PER_UPLOAD."""

    code = "too_many_files"
    help_message = "These are more files than one upload may hold. Upload them in several goes."
    http_status = 413


class NoFileError(AppError):
    """An upload without a file."""

    code = "no_file"
    help_message = "No file was chosen. Choose one or more files and upload again."
    http_status = 400


class NotFoundError(AppError):
    """The thing asked for does not exist, or not for this person."""

    code = "not_found"
    help_message = "This does not exist or was removed. Go back to the list and choose again."
    http_status = 404


class ConflictError(AppError):
    """Somebody else changed the row first; carries who and what where known."""

    code = "conflict"
    help_message = "Somebody else has decided this in the meantime. Look at their decision before you go on."
    http_status = 409

    def __init__(self, detail: str = "", *, who: str | None = None) -> None:
        """`who`: the person that was faster, None where it was none."""
        super().__init__(detail)
        self.who = who


class HeldError(ConflictError):
    """Somebody else has the item open under a claim that has not run out; `detail` names them."""

    code = "held"
    help_message = "Somebody else has this open at present. Take the next one, or wait until their claim runs out."


class NotFailedError(AppError):
    """Only what failed can be read again; `detail` says what was asked for."""

    code = "not_failed"
    help_message = "It is being read, or was read already. Reload the page to see how it stands."
    http_status = 409


class InvalidInputError(AppError):
    """A value that a person or client sent does not fit; `detail` says which and why."""

    code = "invalid_input"
    help_message = "A value does not fit. Correct the marked field and send it again."
    http_status = 400


class SignInError(AppError):
    """Address or password do not fit, or the account is shut; never says which."""

    code = "sign_in_failed"
    help_message = "The e-mail address or the password is not right. Check both and try again."
    http_status = 401


class LinkExpiredError(AppError):
    """The link of an invitation or password reset was used, replaced or has expired."""

    code = "link_expired"
    help_message = "This link does not work any more. Ask an admin for a new one."
    http_status = 410


class RecognitionError(AppError):
    """The OCR provider failed on a picture."""

    code = "recognition_failed"
    help_message = "The text of a page could not be recognised. Try again, or read it with another provider."
    retryable = True


class RecogniserForkedError(RecognitionError):
    """A process forked after it had run a recognition; its children could hang if they ran one."""

    code = "recogniser_forked"
    help_message = "The worker was started wrongly and cannot read pictures. Restart the workers."
    retryable = False


class RecognitionUnavailableError(UnavailableError, RecognitionError):
    """A recognition service did not answer in time, or only with 429, 5xx or what is no answer of its kind."""

    code = "recognition_unavailable"
    help_message = "The recognition service does not answer at present. Nothing was lost; try again in a minute."


class RecognitionRefusedError(RecognitionError):
    """A recognition service or program will not read the picture, however often it is asked."""

    code = "recognition_refused"
    help_message = "The page could not be recognised. Check the OCR settings, or read it with another provider."
    retryable = False


class StorageError(AppError):
    """The file store did not answer or refused."""

    code = "storage_error"
    help_message = "The file store did not answer. Nothing was lost; try again in a minute."
    retryable = True
    http_status = 503


class StorageRefusedError(StorageError):
    """The file store answered that it will not: a wrong key, a missing bucket, a file above its limit."""

    code = "storage_refused"
    help_message = "The file store refused the file. Check the key, the bucket and its limits in the settings."
    retryable = False


class ModelError(AppError):
    """A call of a language model failed for good."""

    code = "model_error"
    help_message = "The language model refused the request. Check the key and the model's name in the settings."


class ModelUnavailableError(UnavailableError, ModelError):
    """The model did not answer in time, or only with 429 or 5xx, within the limit given."""

    code = "model_unavailable"
    help_message = "The language model does not answer at present. The entry goes on without it."


class ModelReplyError(ModelError):
    """The model answered with something that does not fit the schema, also after one repair."""

    code = "model_reply_invalid"
    help_message = "The language model's answer could not be used. The entry goes on without it."


class LeaseLostError(AppError):
    """Another worker has taken over the run; this one must not write any more."""

    code = "lease_lost"
    help_message = "Another worker has taken over this entry."
    http_status = 409
