"""The codes of `core.errors`, each with a sentence that says what to do."""

from __future__ import annotations

from core.messages import MessageCode


class ErrorCode(MessageCode):
    """Kinds of errors; `AppError.message` may describe an error more exactly."""

    INTERNAL_ERROR = "internal_error", "Something went wrong on our side. Nothing was lost; please try again."
    CONFIGURATION_ERROR = (
        "configuration_error",
        "The settings are not usable. The message names the variable to correct.",
    )
    DATABASE_NOT_READY = (
        "database_not_ready",
        "The database has not been upgraded to this version. Run `flask db-upgrade`, then try again.",
    )
    DATABASE_AWAY = ("database_away", "The database is not responding. Nothing was lost; try again in a minute.")
    BUSY = "busy", "The server is busy showing pages. Try again in a few seconds."
    EMBEDDED_SERVICE_FAILED = (
        "embedded_service_failed",
        "The embedded database or queue could not be started. The message says what to do.",
    )
    DOCUMENT_ERROR = "document_error", "This file cannot be read. Save it as a new PDF and upload that."
    NOT_A_DOCUMENT = (
        "not_a_document",
        "This is not a PDF, image, or Word file. Save the entry as a PDF and upload that.",
    )
    ENCRYPTED_DOCUMENT = (
        "encrypted_document",
        "This file is locked with a password. Save a copy without a password and upload that.",
    )
    DAMAGED_DOCUMENT = (
        "damaged_document",
        "This file is damaged or incomplete. Download or scan it again and upload that.",
    )
    EMPTY_DOCUMENT = (
        "empty_document",
        "This file has no pages. Check that the right file was chosen and upload it again.",
    )
    TOO_MANY_PAGES = (
        "too_many_pages",
        "This file has more pages than an upload can have. Split it into smaller files.",
    )
    PICTURE_TOO_LARGE = (
        "picture_too_large",
        "This image is too large to read. Scan it at 300 dpi or less and upload that.",
    )
    UNPACKS_TOO_LARGE = (
        "unpacks_too_large",
        ("This file expands to far more data than an entry should have. Save it as a new PDF and upload that."),
    )
    TOO_COSTLY = (
        "too_costly",
        "Reading this file would take too much memory or time. Print it to a new PDF and upload that.",
    )
    FILE_TOO_LARGE = (
        "file_too_large",
        "This file is larger than an upload can be. Scan it at a lower resolution or split it.",
    )
    TOO_MANY_FILES = (
        "too_many_files",
        "That is more files than one upload can have. Upload them in smaller groups.",
    )
    NO_FILE = "no_file", "No file was chosen. Choose one or more files and upload again."
    NOT_FOUND = ("not_found", "This item does not exist or was removed. Go back to the list and choose again.")
    CONFLICT = ("conflict", "Someone else has already decided this. Check their decision before you continue.")
    HELD = "held", "Someone else has this open right now. Take the next one, or wait until they are done."
    NOT_FAILED = (
        "not_failed",
        "It is being read now or has already been read. Reload the page to see its status.",
    )
    INVALID_INPUT = ("invalid_input", "One of the values is not valid. Correct the marked field and submit again.")
    SIGN_IN_FAILED = ("sign_in_failed", "The e-mail address or password is incorrect. Check both and try again.")
    WRONG_PASSWORD = "wrong_password", "That is not your current password. Try again."
    WRONG_CODE = (
        "wrong_code",
        "That code is incorrect or has already been used. Wait for the next one and try again.",
    )
    FORBIDDEN = ("forbidden", "Your account does not have permission to do this. If you need it, ask an admin.")
    SCOPE_MISSING = "scope_missing", "This token does not have permission to do this. Create one that does."
    UPLOAD_QUOTA = (
        "upload_quota",
        "You have reached the daily upload limit. Continue tomorrow, or ask an admin for a higher limit.",
    )
    UPLOAD_UNCONFIRMED = (
        "upload_unconfirmed",
        "The connection to the database was lost before we could confirm that your files arrived. "
        "Upload them again: files that did arrive are not read twice.",
    )
    HOST_REFUSED = (
        "host_refused",
        ("This server is not set up for this address. Use its own address, or add this one to ALLOWED_HOSTS."),
    )
    AUTH_UNAVAILABLE = (
        "auth_unavailable",
        "The sign-in service is not responding correctly. Nothing was changed; try again in a minute.",
    )
    AUTH_REFUSED = (
        "auth_refused",
        "The sign-in service rejected this server. Whoever runs the server needs to check its keys.",
    )
    AUTH_UNTRUSTED = (
        "auth_untrusted",
        "The sign-in service gave a response that cannot be trusted. Nobody was signed in. Whoever "
        "runs the server needs to check SUPABASE_URL and the project's signing keys.",
    )
    PASSWORD_REFUSED = (
        "password_refused",
        "The sign-in service did not accept this password. Choose a longer one.",
    )
    LINK_EXPIRED = "link_expired", "This link no longer works. Ask an admin for a new one."
    RECOGNITION_FAILED = (
        "recognition_failed",
        "The text on a page could not be recognized. Try again, or read it with another provider.",
    )
    RECOGNISER_FORKED = (
        "recogniser_forked",
        "The worker was not started correctly and cannot read images. Restart the workers.",
    )
    RECOGNITION_UNAVAILABLE = (
        "recognition_unavailable",
        "The text recognition service is not responding. Nothing was lost; try again in a minute.",
    )
    RECOGNITION_REFUSED = (
        "recognition_refused",
        "The text on the page could not be recognized. Check the OCR settings, or read it with another provider.",
    )
    QUEUE_FULL = (
        "queue_full",
        "So much is waiting to be read that nothing more can be taken in. None of your files were stored; "
        "upload them again in a few minutes.",
    )
    STORAGE_SLOW = (
        "storage_slow",
        "The file store is too slow at the moment. None of your files were stored; upload them again in a minute.",
    )
    STORAGE_FULL = (
        "storage_full",
        "There is no room for more files, so this was not done. Tell an admin, then try again.",
    )
    STORAGE_ERROR = ("storage_error", "The file store is not responding. Nothing was lost; try again in a minute.")
    STORAGE_REFUSED = (
        "storage_refused",
        "The file store rejected the file. Check the key, the bucket, and its limits in the settings.",
    )
    MODEL_ERROR = (
        "model_error",
        "The language model rejected the request. Check the key and the model name in the settings.",
    )
    TRACES_AWAY = (
        "traces_away",
        "LangSmith did not return the trace. Check LANGSMITH_PROJECT and the key, or try again later.",
    )
    MODEL_UNAVAILABLE = ("model_unavailable", "The language model is not responding.")
    MODEL_REPLY_INVALID = ("model_reply_invalid", "The language model's answer could not be used.")
    EMBEDDING_FAILED = (
        "embedding_failed",
        "Search by meaning is not working; texts are found by keyword. Check the EMBEDDINGS_ settings.",
    )
    EMBEDDING_UNAVAILABLE = (
        "embedding_unavailable",
        "The embeddings endpoint is not responding. Until it does, texts are found by keyword.",
    )
    MAIL_REFUSED = (
        "mail_refused",
        "The mail server rejected the message. Check MAIL_FROM and what the server says about this sender.",
    )
    MAIL_NOT_CONFIGURED = (
        "mail_not_configured",
        "No mail server is set up. Print the letter instead, or have SMTP_HOST and MAIL_FROM set.",
    )
    MAIL_INVALID = "mail_invalid", "This cannot be sent by e-mail. Check the address and the subject."
    MAIL_RECIPIENT = (
        "mail_recipient",
        "The mail server does not accept messages for this address. Check its spelling.",
    )
    MAIL_SIGN_IN = (
        "mail_sign_in",
        "The mail server did not accept the sign-in. Check SMTP_USER and SMTP_PASSWORD.",
    )
    MAIL_TLS = (
        "mail_tls",
        "The connection to the mail server is not as secure as SMTP_SECURITY requires, or its "
        "certificate cannot be trusted. Nothing was sent.",
    )
    MAIL_AWAY = "mail_away", "The mail server is not responding. Nothing was lost; try again in a minute."
    MAIL_DEFERRED = (
        "mail_deferred",
        "The mail server asked us to try again later. The message will be resent automatically.",
    )
    LEASE_LOST = "lease_lost", "Another worker has taken over this entry."
    GAVE_UP = (
        "gave_up",
        "Reading this file stopped the worker several times. Save it as a new PDF and upload that.",
    )
    TOOK_TOO_LONG = (
        "took_too_long",
        "Reading this file takes too long. Split it into smaller files and upload those.",
    )
    STOPPED = (
        "stopped",
        ("An admin took this off the queue before it was read. To have it read after all, choose “Try again”."),
    )
    REPORT_UNFINISHED = (
        "report_unfinished",
        "The research was interrupted several times. Try again, or choose a quicker level.",
    )


class Cost(MessageCode):
    """What a file took more of than it may."""

    MEMORY = (
        "cost_memory",
        "Reading this file takes more than %(megabytes)s MB of memory. Print it to a new PDF and upload that.",
    )
    TIME = (
        "cost_time",
        "Reading this file takes longer than %(seconds)s seconds. Print it to a new PDF and upload that.",
    )
    OUTPUT = (
        "cost_output",
        "This file expands to more than %(megabytes)s MB. Print it to a new PDF and upload that.",
    )
    LETTERS = (
        "cost_letters",
        "A page of this file has more than %(limit)s characters. Upload its pages as images or as several files.",
    )
    WORDS = (
        "cost_words",
        "A page of this file has more than %(words)s words, or a word of more than %(letters)s "
        "letters. Upload its pages as images or as several files.",
    )
    FIELDS = (
        "cost_fields",
        "A page of this file has more than %(limit)s form fields. Print it to a new PDF and upload that.",
    )


#: What is wrong with the file itself: whatever reads it again, and with whatever settings, ends the same way.
OF_THE_FILE: frozenset[str] = frozenset(
    {
        ErrorCode.DOCUMENT_ERROR,
        ErrorCode.NOT_A_DOCUMENT,
        ErrorCode.ENCRYPTED_DOCUMENT,
        ErrorCode.DAMAGED_DOCUMENT,
        ErrorCode.EMPTY_DOCUMENT,
        Cost.LETTERS,
        Cost.WORDS,
        Cost.FIELDS,
    }
)
