"""What a check found, as a code with parameters; never a secret."""

from __future__ import annotations

from dataclasses import dataclass

from core.labels import LabelledEnum
from core.messages import Message, MessageCode, Param


class Severity(LabelledEnum):
    """How much a finding matters."""

    FINE = "fine", "Fine"
    LOOK = "look", "Have a look"
    WRONG = "wrong", "Wrong"


class DoctorCode(MessageCode):
    """What checks find."""

    DATABASE_ANSWERS = "doctor_database_answers", "The database answers: PostgreSQL %(version)s."
    DATABASE_SILENT = (
        "doctor_database_silent",
        "The database does not answer (%(technical)s). Check DATABASE_URL, and whether it runs.",
    )
    QUEUE_ANSWERS = "doctor_queue_answers", "The queue answers: %(server)s %(version)s."
    QUEUE_SILENT = (
        "doctor_queue_silent",
        "The queue does not answer (%(technical)s). Check REDIS_URL, and whether it runs.",
    )
    STORE_ANSWERS = "doctor_store_answers", "The file store took a file and gave it back."
    STORE_CHANGES = "doctor_store_changes", "The file store gave back other bytes than it took. Do not use it."
    STORE_REFUSES = "doctor_store_refuses", "The file store did not take a file. %(problem)s"
    MODEL_ANSWERS = "doctor_model_answers", "The language model %(model)s answers."
    MODEL_FAILS = "doctor_model_fails", "The language model %(model)s gave no usable answer. %(problem)s"
    MODEL_NONE = "doctor_model_none", "No language model is configured: nobody asks one, people decide more."
    MEANING_ANSWERS = "doctor_meaning_answers", "The embedder “%(provider)s” answers."
    MEANING_FAILS = (
        "doctor_meaning_fails",
        "The embedder “%(provider)s” gave no usable answer. %(problem)s",
    )
    MEANING_NONE = "doctor_meaning_none", "EMBEDDINGS_PROVIDER is none: texts are found by their words alone."
    MEANING_NOT_INSTALLED = (
        "doctor_meaning_not_installed",
        "The bundled embedder is for Linux on x86-64 and not installed here: texts are found by their words "
        "alone. Set EMBEDDINGS_PROVIDER to endpoint to use a server.",
    )
    MEANING_NOT_STORED = (
        "doctor_meaning_not_stored",
        "The database lacks the extension “vector”: texts are found by their words alone. Install pgvector, then "
        "run `flask db-upgrade`.",
    )
    MEANING_OTHER_LENGTH = (
        "doctor_meaning_other_length",
        "The embedder gives vectors of %(dimensions)s numbers, the database stores vectors of %(stored)s. Run "
        "`flask db-upgrade`.",
    )
    READING_WORKS = (
        "doctor_reading_works",
        "“%(provider)s” read the sample: %(count)s of %(total)s words are right.",
    )
    READING_POOR = (
        "doctor_reading_poor",
        "“%(provider)s” read only %(count)s of %(total)s words of the sample right. Check OCR_PROVIDER and its "
        "settings.",
    )
    READING_FAILS = (
        "doctor_reading_fails",
        "“%(provider)s” did not read the sample. %(problem)s Check OCR_PROVIDER and its settings.",
    )
    READING_NONE = (
        "doctor_reading_none",
        "OCR_PROVIDER is none: scans and photographs are not read, only typed files are.",
    )
    TRACES_OFF = "doctor_traces_off", "No traces are sent."
    TRACES_ANSWER = "doctor_traces_answer", "The trace endpoint answers and knows the project."
    TRACES_NEW = "doctor_traces_new", "The trace endpoint answers. It makes the project with the first trace."
    TRACES_FAIL = "doctor_traces_fail", "The trace endpoint gave no usable answer. %(problem)s"
    TRACES_OPEN = (
        "doctor_traces_open",
        "Traces are sent with what they hold of children. Unset LANGSMITH_SEND_CONTENT unless that was agreed on.",
    )
    MAIL_NONE = "doctor_mail_none", "No mail server is set up: nobody is notified, and letters are printed."
    MAIL_ANSWERS = "doctor_mail_answers", "The mail server answers and would take mails."
    MAIL_FAILS = "doctor_mail_fails", "The mail server would take no mail. %(problem)s"
    MAIL_OPEN = (
        "doctor_mail_open",
        "Mails go to the mail server unprotected, letters that name children too. Set SMTP_SECURITY to starttls "
        "or tls.",
    )
    MAILS_FAILED = "doctor_mails_failed", "Mails that were not sent: %(count)s. See the page of mails."
    WORKERS_RUN = "doctor_workers_run", "Workers that are running: %(count)s."
    WORKERS_NONE = "doctor_workers_none", "No worker is running: files wait. Start `flask worker`."
    MIGRATIONS_CURRENT = "doctor_migrations_current", "All migrations are applied."
    MIGRATIONS_BEHIND = (
        "doctor_migrations_behind",
        "Migrations are not applied: %(versions)s. Run `flask db-upgrade`.",
    )
    CLOCK_AGREES = "doctor_clock_agrees", "The clock of the other side agrees with this machine's: %(clock)s."
    CLOCK_APART = (
        "doctor_clock_apart",
        "The clock is %(apart)s seconds away from this machine's: %(clock)s. Set both by a time server.",
    )
    SETTING_IGNORED = (
        "doctor_setting_ignored",
        "%(variable)s has no effect: the provider in use is “%(provider)s”.",
    )
    SETTING_ALONE = "doctor_setting_alone", "%(variable)s has no effect without %(other)s."
    SETTINGS_COUNT = "doctor_settings_count", "Every setting that is given has an effect."
    VARIABLE_IN_FILE = "doctor_variable_in_file", "%(variable)s in .env is no setting and is ignored."
    VARIABLE_MISSPELT = (
        "doctor_variable_misspelt",
        "%(variable)s in .env is no setting and is ignored. Is %(setting)s meant?",
    )
    VARIABLE_ALIKE = (
        "doctor_variable_alike",
        "The environment holds %(variable)s, which is no setting and is ignored. Is %(setting)s meant?",
    )
    VARIABLE_TWICE = "doctor_variable_twice", "%(variable)s is ignored, because %(setting)s is set too."
    NO_SCHOOLS = (
        "doctor_no_schools",
        "The season's school list is empty: no school can be checked. Import one on the page of schools.",
    )
    NO_DOCUMENTS = (
        "doctor_no_documents",
        "The library is empty: reports rest on what the web gives. Add documents to the library.",
    )


class Clock(LabelledEnum, places=("clock",)):
    """Whose clock is compared."""

    DATABASE = "database", "the database"
    QUEUE = "queue", "the queue"


@dataclass(frozen=True)
class Finding:
    """One finding."""

    severity: Severity
    message: Message
    #: How long a live try took; None for what needed none.
    seconds: float | None = None

    @property
    def order(self) -> int:
        """What must be put right comes first."""
        return -list(Severity).index(self.severity)


def fine(code: DoctorCode, /, seconds: float | None = None, **params: Param) -> Finding:
    """A finding that all is well."""
    return Finding(Severity.FINE, Message.of(code, **params), seconds)


def doubtful(code: DoctorCode, /, **params: Param) -> Finding:
    """A finding that may be meant so."""
    return Finding(Severity.LOOK, Message.of(code, **params))


def wrong(code: DoctorCode, /, seconds: float | None = None, **params: Param) -> Finding:
    """A finding that must be put right."""
    return Finding(Severity.WRONG, Message.of(code, **params), seconds)
