"""What a check found, as a code with parameters; never a secret."""

from __future__ import annotations

from dataclasses import dataclass

from core.messages import LabelledEnum, Message, MessageCode, Param


class DoctorSeverity(LabelledEnum):
    """How much a finding matters."""

    FINE = "fine", "OK"
    LOOK = "look", "Check this"
    WRONG = "wrong", "Problem"


class DoctorCode(MessageCode):
    DATABASE_ANSWERS = "doctor_database_answers", "The database is responding: PostgreSQL %(version)s."
    DATABASE_SILENT = (
        "doctor_database_silent",
        "The database is not responding (%(technical)s). Check DATABASE_URL and whether the database is running.",
    )
    QUEUE_ANSWERS = "doctor_queue_answers", "The queue is responding: %(server)s %(version)s."
    QUEUE_SILENT = (
        "doctor_queue_silent",
        "The queue is not responding (%(technical)s). Check REDIS_URL and whether the queue is running.",
    )
    STORE_ANSWERS = "doctor_store_answers", "The file store saved a test file and returned it."
    STORE_CHANGES = (
        "doctor_store_changes",
        "The file store returned a different file than it saved. Do not use it.",
    )
    STORE_REFUSES = "doctor_store_refuses", "The file store did not save a test file. %(problem)s"
    MODEL_ANSWERS = "doctor_model_answers", "The language model %(model)s is responding."
    MODEL_FAILS = ("doctor_model_fails", "The language model %(model)s did not give a usable answer. %(problem)s")
    MODEL_NONE = "doctor_model_none", "No language model is set up: more is left to people to decide."
    VISION_READS = (
        "doctor_vision_reads",
        "The vision model %(model)s read “%(said)s” correctly: %(tokens)s tokens, $%(usd)s.",
    )
    VISION_MISREADS = (
        "doctor_vision_misreads",
        "The vision model %(model)s read “%(said)s” where something else is written: %(tokens)s tokens, $%(usd)s. "
        "Check that VISION_MODEL takes pictures.",
    )
    VISION_FAILS = ("doctor_vision_fails", "The vision model %(model)s did not give a usable answer. %(problem)s")
    VISION_NONE = "doctor_vision_none", "No vision model is set up: pictures of handwriting are not sent to one."
    MEANING_ANSWERS = "doctor_meaning_answers", "Search by meaning (“%(provider)s”) is working."
    MEANING_FAILS = (
        "doctor_meaning_fails",
        "Search by meaning (“%(provider)s”) did not give a usable answer. %(problem)s",
    )
    MEANING_NONE = "doctor_meaning_none", "EMBEDDINGS_PROVIDER is none: texts are found by keyword only."
    MEANING_NOT_INSTALLED = (
        "doctor_meaning_not_installed",
        "The bundled embedder is for Linux on x86-64 and is not installed here: texts are found by "
        "keyword only. To use a server, set EMBEDDINGS_PROVIDER to endpoint.",
    )
    MEANING_NOT_STORED = (
        "doctor_meaning_not_stored",
        "The database does not have the extension “vector”: texts are found by keyword only. "
        "Install pgvector, then run `flask db-upgrade`.",
    )
    MEANING_OTHER_LENGTH = (
        "doctor_meaning_other_length",
        "The embedder produces vectors of %(dimensions)s numbers, but the database stores vectors "
        "of %(stored)s. Run `flask db-upgrade`.",
    )
    READING_WORKS = (
        "doctor_reading_works",
        "“%(provider)s” read the sample: %(count)s of %(total)s words are correct.",
    )
    READING_POOR = (
        "doctor_reading_poor",
        "“%(provider)s” read only %(count)s of %(total)s words of the sample correctly. Check "
        "OCR_PROVIDER and its settings.",
    )
    READING_FAILS = (
        "doctor_reading_fails",
        "“%(provider)s” did not read the sample. %(problem)s Check OCR_PROVIDER and its settings.",
    )
    READING_NONE = (
        "doctor_reading_none",
        "OCR_PROVIDER is none: scans and photos are not read, only typed files are.",
    )
    TRACES_OFF = "doctor_traces_off", "No traces are sent."
    TRACES_ANSWER = "doctor_traces_answer", "The trace endpoint is responding and has the project."
    TRACES_NEW = (
        "doctor_traces_new",
        "The trace endpoint is responding. It will create the project with the first trace.",
    )
    TRACES_FAIL = "doctor_traces_fail", "The trace endpoint did not give a usable answer. %(problem)s"
    TRACES_OPEN = (
        "doctor_traces_open",
        "Traces include children's data. Unset LANGSMITH_SEND_CONTENT unless this was agreed to.",
    )
    MAIL_NONE = ("doctor_mail_none", "No mail server is set up: no notices are sent, and letters must be printed.")
    MAIL_ANSWERS = "doctor_mail_answers", "The mail server is responding and accepts messages."
    MAIL_FAILS = "doctor_mail_fails", "The mail server does not accept messages. %(problem)s"
    MAIL_OPEN = (
        "doctor_mail_open",
        "Mail goes to the mail server unencrypted, including letters that name children. Set "
        "SMTP_SECURITY to starttls or tls.",
    )
    MAILS_FAILED = "doctor_mails_failed", "Messages that were not sent: %(count)s. See the Mail page."
    WORKERS_RUN = "doctor_workers_run", "Workers running: %(count)s."
    WORKERS_NONE = ("doctor_workers_none", "No worker is running, so files are waiting. Start `flask worker`.")
    MIGRATIONS_CURRENT = "doctor_migrations_current", "All migrations are applied."
    MIGRATIONS_BEHIND = (
        "doctor_migrations_behind",
        "Migrations not applied yet: %(versions)s. Run `flask db-upgrade`.",
    )
    CLOCK_AGREES = "doctor_clock_agrees", "The other clock agrees with this machine's: %(clock)s."
    CLOCK_APART = (
        "doctor_clock_apart",
        "The clock differs from this machine's by %(apart)s seconds: %(clock)s. Synchronize both "
        "with a time server.",
    )
    SETTING_IGNORED = (
        "doctor_setting_ignored",
        "%(variable)s has no effect: the provider in use is “%(provider)s”.",
    )
    SETTING_ALONE = "doctor_setting_alone", "%(variable)s has no effect without %(other)s."
    SETTINGS_COUNT = "doctor_settings_count", "Every setting in use has an effect."
    VARIABLE_IN_FILE = "doctor_variable_in_file", "%(variable)s in .env is not a setting and is ignored."
    VARIABLE_MISSPELT = (
        "doctor_variable_misspelt",
        "%(variable)s in .env is not a setting and is ignored. Did you mean %(setting)s?",
    )
    VARIABLE_ALIKE = (
        "doctor_variable_alike",
        "The environment has %(variable)s, which is not a setting and is ignored. Did you mean %(setting)s?",
    )
    VARIABLE_TWICE = "doctor_variable_twice", "%(variable)s is ignored because %(setting)s is also set."
    CHILDREN_PROTECTED = ("doctor_children_protected", "Processes that open uploaded files have every protection.")
    CHILDREN_UNPROTECTED = (
        "doctor_children_unprotected",
        "Processes that open uploaded files lack protections that this system does not provide: %(protections)s.",
    )
    NO_SCHOOLS = (
        "doctor_no_schools",
        "The season's school list is empty: no school can be checked. Import a list on the Schools page.",
    )
    NO_DOCUMENTS = (
        "doctor_no_documents",
        "The library is empty: reports rely on web sources only. Add documents to the library.",
    )


class Clock(LabelledEnum, places=("clock",)):
    """Whose clock is compared."""

    DATABASE = "database", "the database"
    QUEUE = "queue", "the queue"


@dataclass(frozen=True)
class DoctorFinding:
    severity: DoctorSeverity
    message: Message
    #: How long a live try took; None for what needed none.
    seconds: float | None = None

    @property
    def order(self) -> int:
        """A sort key: what must be put right comes first."""
        return -list(DoctorSeverity).index(self.severity)


def fine(code: DoctorCode, /, seconds: float | None = None, **params: Param) -> DoctorFinding:
    """A finding that all is well."""
    return DoctorFinding(DoctorSeverity.FINE, Message.of(code, **params), seconds)


def doubtful(code: DoctorCode, /, **params: Param) -> DoctorFinding:
    """A finding that may be intended."""
    return DoctorFinding(DoctorSeverity.LOOK, Message.of(code, **params))


def wrong(code: DoctorCode, /, seconds: float | None = None, **params: Param) -> DoctorFinding:
    """A finding that must be put right."""
    return DoctorFinding(DoctorSeverity.WRONG, Message.of(code, **params), seconds)
