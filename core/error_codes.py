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
        "The database is not set up for this version. Run `flask db-upgrade` first, then try again.",
    )
    DATABASE_AWAY = "database_away", "The database does not answer. Nothing was lost; try again in a minute."
    BUSY = "busy", "Many pages are being drawn just now. Try again in a few seconds."
    EMBEDDED_SERVICE_FAILED = (
        "embedded_service_failed",
        "The embedded database or queue could not be started. The message says what to do.",
    )
    DOCUMENT_ERROR = "document_error", "This file cannot be read. Save it again as a PDF and upload that."
    NOT_A_DOCUMENT = (
        "not_a_document",
        "This is not a PDF, picture or Word file. Export the entry as a PDF and upload that.",
    )
    ENCRYPTED_DOCUMENT = (
        "encrypted_document",
        "This file is locked with a password. Save a copy without a password and upload that.",
    )
    DAMAGED_DOCUMENT = (
        "damaged_document",
        "This file is damaged or was cut off on its way. Download or scan it again and upload that.",
    )
    EMPTY_DOCUMENT = (
        "empty_document",
        "This file has no pages. Check that the right file was chosen and upload it again.",
    )
    TOO_MANY_PAGES = (
        "too_many_pages",
        "This file has more pages than one upload may hold. Split it into smaller files.",
    )
    PICTURE_TOO_LARGE = (
        "picture_too_large",
        "This picture is too large to read. Scan it at 300 dpi or less and upload that.",
    )
    UNPACKS_TOO_LARGE = (
        "unpacks_too_large",
        "This file unpacks to far more than an entry holds. Save it again as a PDF and upload that.",
    )
    TOO_COSTLY = (
        "too_costly",
        "Reading this file would take more memory or time than a file may. Print it to a new PDF and upload that.",
    )
    FILE_TOO_LARGE = (
        "file_too_large",
        "This file is larger than one upload may be. Scan it at a lower resolution or split it.",
    )
    TOO_MANY_FILES = (
        "too_many_files",
        "These are more files than one upload may hold. Upload them in several goes.",
    )
    NO_FILE = "no_file", "No file was chosen. Choose one or more files and upload again."
    NOT_FOUND = "not_found", "This does not exist or was removed. Go back to the list and choose again."
    CONFLICT = (
        "conflict",
        "Somebody else has decided this in the meantime. Look at their decision before you go on.",
    )
    HELD = "held", "Somebody else has this open at present. Take the next one, or wait until it is free again."
    NOT_FAILED = "not_failed", "It is being read, or was read already. Reload the page to see how it stands."
    INVALID_INPUT = "invalid_input", "A value does not fit. Correct the marked field and send it again."
    SIGN_IN_FAILED = "sign_in_failed", "The e-mail address or the password is not right. Check both and try again."
    WRONG_PASSWORD = "wrong_password", "This is not your present password. Try again."
    WRONG_CODE = (
        "wrong_code",
        "This code is not right, or it was used already. Wait for the next one and try again.",
    )
    FORBIDDEN = "forbidden", "Your account may not do this. Ask an admin if it should."
    SCOPE_MISSING = "scope_missing", "This token was made for other things. Make one that may do this."
    UPLOAD_QUOTA = (
        "upload_quota",
        "You have handed in as much as one person may in a day. Go on tomorrow, or ask for a higher limit.",
    )
    UPLOAD_UNCONFIRMED = (
        "upload_unconfirmed",
        "The database broke off before it was certain that your files arrived. Send them again: what is there "
        "already is not read twice.",
    )
    HOST_REFUSED = (
        "host_refused",
        "This is not a name of this server. Open it by its own, or add this one to ALLOWED_HOSTS.",
    )
    AUTH_UNAVAILABLE = (
        "auth_unavailable",
        "The service that checks sign-ins does not answer as it should. Nothing was changed; try again "
        "in a minute.",
    )
    AUTH_REFUSED = (
        "auth_refused",
        "The service that checks sign-ins refuses this program. Whoever runs the server has to look at its keys.",
    )
    AUTH_UNTRUSTED = (
        "auth_untrusted",
        "The service that checks sign-ins gave an answer that cannot be trusted. Nobody was signed in; whoever "
        "runs the server has to look at SUPABASE_URL and at the project's signing keys.",
    )
    PASSWORD_REFUSED = (
        "password_refused",
        "The service that keeps the passwords refuses this one. Take a longer one.",
    )
    LINK_EXPIRED = "link_expired", "This link does not work any more. Ask an admin for a new one."
    RECOGNITION_FAILED = (
        "recognition_failed",
        "The text of a page could not be recognised. Try again, or read it with another provider.",
    )
    RECOGNISER_FORKED = (
        "recogniser_forked",
        "The worker was started wrongly and cannot read pictures. Restart the workers.",
    )
    RECOGNITION_UNAVAILABLE = (
        "recognition_unavailable",
        "The recognition service does not answer at present. Nothing was lost; try again in a minute.",
    )
    RECOGNITION_REFUSED = (
        "recognition_refused",
        "The page could not be recognised. Check the OCR settings, or read it with another provider.",
    )
    STORAGE_ERROR = "storage_error", "The file store did not answer. Nothing was lost; try again in a minute."
    STORAGE_REFUSED = (
        "storage_refused",
        "The file store refused the file. Check the key, the bucket and its limits in the settings.",
    )
    MODEL_ERROR = (
        "model_error",
        "The language model refused the request. Check the key and the model's name in the settings.",
    )
    TRACES_AWAY = (
        "traces_away",
        "LangSmith does not say where the trace is. Check LANGSMITH_PROJECT and the key, or try again later.",
    )
    MODEL_UNAVAILABLE = (
        "model_unavailable",
        "The language model does not answer at present. The entry goes on without it.",
    )
    MODEL_REPLY_INVALID = (
        "model_reply_invalid",
        "The language model's answer could not be used. The entry goes on without it.",
    )
    EMBEDDING_FAILED = (
        "embedding_failed",
        "What texts mean could not be computed; they are found by their words. Check the settings of EMBEDDINGS_.",
    )
    EMBEDDING_UNAVAILABLE = (
        "embedding_unavailable",
        "The embeddings endpoint does not answer at present. Texts are found by their words until it does.",
    )
    MAIL_REFUSED = (
        "mail_refused",
        "The mail server refused the mail. Check MAIL_FROM, and what the server says of this sender.",
    )
    MAIL_NOT_CONFIGURED = (
        "mail_not_configured",
        "No mail server is set up. Print it instead, or have SMTP_HOST and MAIL_FROM set.",
    )
    MAIL_INVALID = "mail_invalid", "This cannot be sent as a mail. Check the address and the subject."
    MAIL_RECIPIENT = "mail_recipient", "The mail server does not take mails for this address. Check its spelling."
    MAIL_SIGN_IN = "mail_sign_in", "The mail server refuses this program. Check SMTP_USER and SMTP_PASSWORD."
    MAIL_TLS = (
        "mail_tls",
        "The connection with the mail server is not protected as SMTP_SECURITY asks, or its certificate cannot be "
        "trusted. Nothing was sent.",
    )
    MAIL_AWAY = "mail_away", "The mail server does not answer. Nothing was lost; try again in a minute."
    MAIL_DEFERRED = "mail_deferred", "The mail server wants the mail later. It is sent again by itself."
    LEASE_LOST = "lease_lost", "Another worker has taken over this entry."
    GAVE_UP = (
        "gave_up",
        "Reading this ended the worker again and again. Save the file again as a PDF and upload that.",
    )
    TOOK_TOO_LONG = "took_too_long", "Reading this takes too long. Split it into smaller files and upload these."
    STOPPED = (
        "stopped",
        "An admin took this off the queue before it was read. Try it again when it should be read.",
    )
    REPORT_UNFINISHED = (
        "report_unfinished",
        "The research was broken off again and again. Try again, or ask for a quicker tier.",
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
        "This file unpacks to more than %(megabytes)s MB at once. Print it to a new PDF and upload that.",
    )
    LETTERS = (
        "cost_letters",
        "A page of this file holds more than %(limit)s letters. Upload its pages as pictures or as several files.",
    )
    WORDS = (
        "cost_words",
        "A page of this file holds more than %(words)s words, or a word of more than %(letters)s letters. "
        "Upload its pages as pictures or as several files.",
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
