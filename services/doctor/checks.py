"""The checks of the doctor: each setting, server and part is tried."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from uuid import uuid4

from PIL import Image, ImageDraw, ImageFont
from pydantic import BaseModel
from redis.exceptions import RedisError
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from core.config import LOOPBACK, ROOT, Settings, stray_variables
from core.confined.children import missing_protections
from core.database import pending
from core.errors import AppError, EmbeddingError, MailError, ModelError, TracesAwayError
from core.llm.embeddings import open_embedder, stored_dimensions
from core.llm.ledger import Model, Picture
from core.llm.providers import ignored_settings, open_deep_model, open_model, open_vision_model
from core.mail import mail_is_configured, open_mail
from core.models import LibraryDocument, LibraryStatus, MailState, School, Season
from core.queue import worker_count
from pipeline.extraction.values.text import squeezed
from pipeline.ocr import recognise
from pipeline.ocr_providers.base import NullOcr
from pipeline.profiles import field_label, freeform_profile
from pipeline.second_reader.question import HEADER_SYSTEM, answers_of, question_of, reply_schema
from services.context import Context
from services.doctor.findings import Clock, DoctorCode, DoctorFinding, DoctorSeverity, doubtful, fine, wrong
from services.mails.mails import count_mails

#: Seconds that a model has for its answer.
_PATIENCE = 30.0
_SYSTEM = "You answer with JSON alone."
#: What is written in the header that the vision model is shown, by field.
_WRITTEN = {"student_name": "Marisol Vega", "school_name": "Juniper Elementary School", "grade": "4"}
#: Characters of its answer that are shown.
_SHOWN_OF_ANSWER = 80
#: Seconds that clocks may differ: leases last minutes, one-time codes half a minute.
_MAY_DIFFER = 5.0
#: Settings that only one provider of recognition reads: (its OCR_PROVIDER, their names).
_OF_RECOGNITION = (
    ("tesseract", ("tesseract_command", "tesseract_languages")),
    ("google", ("google_vision_api_key", "google_vision_base_url")),
)
#: Settings without effect unless another is given, by the variable of that one.
_NEEDED_BY: Mapping[str, Iterable[str]] = {
    "LANGSMITH_TRACING": {name for name in Settings.model_fields if name.startswith("langsmith_")}
    - {"langsmith_tracing"},
    "SUPABASE_URL": ("supabase_bucket", "supabase_signed_seconds"),
    "SMTP_HOST": ("smtp_port", "smtp_security", "smtp_timeout_seconds", "mail_from"),
    "DATABASE_URL": ("database_transaction_pooler",),
    "OPENALEX_API_KEY": ("openalex_base_url",),
    "OPENLIBRARY_CONTACT": ("openlibrary_base_url",),
    "TAVILY_API_KEY": ("tavily_base_url",),
    "FIRECRAWL_API_KEY": ("firecrawl_base_url",),
    "USE_ORCHESTRATOR": ("max_steps", "max_tries", "retry_confidence"),
}
_OF_AUTH = ("auth_timeout_seconds", "supabase_publishable_key")


def try_database(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the database answers and is at the newest migration."""
    began = time.monotonic()
    try:
        with context.database.reading() as session:
            version = str(session.scalar(text("show server_version")))
            missing = pending(session)
    except SQLAlchemyError as error:
        yield wrong(DoctorCode.DATABASE_SILENT, time.monotonic() - began, technical=type(error).__name__)
        return
    yield fine(DoctorCode.DATABASE_ANSWERS, time.monotonic() - began, version=version)
    if missing:
        yield wrong(DoctorCode.MIGRATIONS_BEHIND, versions=missing)
    else:
        yield fine(DoctorCode.MIGRATIONS_CURRENT)


def try_queue(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the queue answers and workers take from it."""
    began = time.monotonic()
    try:
        info = context.redis.info("server")
        workers = worker_count(context.redis)
    except RedisError as error:
        yield wrong(DoctorCode.QUEUE_SILENT, time.monotonic() - began, technical=type(error).__name__)
        return
    seconds = time.monotonic() - began
    valkey = "valkey_version" in info
    version = str(info.get("valkey_version") or info.get("redis_version", ""))
    yield fine(DoctorCode.QUEUE_ANSWERS, seconds, server="Valkey" if valkey else "Redis", version=version)
    yield fine(DoctorCode.WORKERS_RUN, count=workers) if workers else doubtful(DoctorCode.WORKERS_NONE)


def try_store(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the store gives back what it took."""
    key, data, began = f"probe/{uuid4().hex}", uuid4().bytes, time.monotonic()
    try:
        context.store.put(key, data)
        same = context.store.get(key) == data
        context.store.delete(key)
    except AppError as error:
        yield wrong(DoctorCode.STORE_REFUSES, time.monotonic() - began, problem=error.told)
        return
    seconds = time.monotonic() - began
    yield fine(DoctorCode.STORE_ANSWERS, seconds) if same else wrong(DoctorCode.STORE_CHANGES, seconds)


def try_mail(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether mails would be taken, are protected on their way, and were all sent."""
    settings = context.settings
    if not mail_is_configured(settings):
        yield doubtful(DoctorCode.MAIL_NONE)
        return
    began = time.monotonic()
    try:
        open_mail(settings).check()
    except MailError as error:
        yield wrong(DoctorCode.MAIL_FAILS, time.monotonic() - began, problem=error.told)
    else:
        yield fine(DoctorCode.MAIL_ANSWERS, time.monotonic() - began)
    if settings.smtp_security == "none" and settings.smtp_host not in LOOPBACK:
        yield doubtful(DoctorCode.MAIL_OPEN)
    # A database that does not answer has its own check.
    with suppress(SQLAlchemyError):
        if failed := count_mails(context)[MailState.FAILED]:
            yield doubtful(DoctorCode.MAILS_FAILED, count=failed)


# Try the language models: one short question each, which holds nothing of anybody.


class Pong(BaseModel):
    ok: bool


def try_model(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the model for entries answers, and the deep one where that is another."""
    models: dict[str, Model] = {}
    for opens in (open_model, open_deep_model):
        if (opened := opens(context.settings)) is not None:
            models.setdefault(opened.model, opened)
    if not models:
        yield doubtful(DoctorCode.MODEL_NONE)
    for name, model in models.items():
        began = time.monotonic()
        try:
            model.ask(_SYSTEM, 'Answer with {"ok": true}.', Pong, purpose="doctor", deadline=began + _PATIENCE)
        except ModelError as error:
            yield wrong(DoctorCode.MODEL_FAILS, time.monotonic() - began, model=name, problem=error.told)
        else:
            yield fine(DoctorCode.MODEL_ANSWERS, time.monotonic() - began, model=name)


def try_vision(context: Context) -> Iterator[DoctorFinding]:
    """Yield what the vision model reads in a header that is drawn for it, asked as about entries, and its cost."""
    model = open_vision_model(context.settings)
    if model is None:
        yield fine(DoctorCode.VISION_NONE)
        return
    form, began = freeform_profile(), time.monotonic()
    try:
        reply, used = model.ask(
            HEADER_SYSTEM,
            question_of(form, _WRITTEN),
            reply_schema(_WRITTEN),
            purpose="doctor",
            deadline=began + _PATIENCE,
            picture=_drawn_header(),
        )
    except ModelError as error:
        yield wrong(DoctorCode.VISION_FAILS, time.monotonic() - began, model=model.model, problem=error.told)
        return
    said = answers_of(form, _WRITTEN, reply.model_dump(exclude_none=True)).values
    is_right = all(squeezed(said.get(name, "")) == squeezed(value) for name, value in _WRITTEN.items())
    make, code = (fine, DoctorCode.VISION_READS) if is_right else (wrong, DoctorCode.VISION_MISREADS)
    yield make(
        code,
        time.monotonic() - began,
        model=model.model,
        said=", ".join(said.get(name, "") for name in _WRITTEN)[:_SHOWN_OF_ANSWER],
        tokens=used.tokens_in + used.tokens_out,
        usd=f"{used.cost_usd:.4f}",
    )


def _drawn_header() -> Picture:
    """Return a picture of `_WRITTEN`, a line a field with its label."""
    drawn, encoded, font = Image.new("L", (900, 240), 255), BytesIO(), ImageFont.load_default(36)
    for row, (name, value) in enumerate(_WRITTEN.items()):
        ImageDraw.Draw(drawn).text((32, 24 + 68 * row), f"{field_label(name, 'en')}:   {value}", 0, font)
    drawn.save(encoded, "PNG")
    return Picture(encoded.getvalue(), "image/png")


def try_meaning(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether texts are found by their meaning, or why by their words alone."""
    embedder = open_embedder(context.settings)
    if not embedder.dimensions:
        is_chosen = context.settings.embeddings_provider == embedder.name
        yield doubtful(DoctorCode.MEANING_NONE if is_chosen else DoctorCode.MEANING_NOT_INSTALLED)
        return
    try:
        with context.database.session() as session:
            stored = stored_dimensions(session)
    except SQLAlchemyError:
        # Said by the try of the database.
        return
    if stored is None:
        yield doubtful(DoctorCode.MEANING_NOT_STORED)
    elif stored != embedder.dimensions:
        yield wrong(DoctorCode.MEANING_OTHER_LENGTH, dimensions=embedder.dimensions, stored=stored)
    began = time.monotonic()
    try:
        embedder.texts(["An example of no subject."])
    except EmbeddingError as error:
        yield wrong(DoctorCode.MEANING_FAILS, time.monotonic() - began, provider=embedder.name, problem=error.told)
    else:
        yield fine(DoctorCode.MEANING_ANSWERS, time.monotonic() - began, provider=embedder.name)


def try_traces(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the endpoint answers, and whether traces hold content."""
    settings = context.settings
    if not settings.langsmith_tracing:
        yield fine(DoctorCode.TRACES_OFF)
        return
    # LangSmith's package takes a fifth of a second to load.
    from core.tracing.traces import knows_project

    began = time.monotonic()
    try:
        known = knows_project(settings)
    except TracesAwayError as error:
        yield wrong(DoctorCode.TRACES_FAIL, time.monotonic() - began, problem=error.told)
    else:
        code = DoctorCode.TRACES_ANSWER if known else DoctorCode.TRACES_NEW
        yield fine(code, time.monotonic() - began)
    if settings.langsmith_send_content:
        yield doubtful(DoctorCode.TRACES_OPEN)


def check_children(context: Context) -> Iterator[DoctorFinding]:
    """Yield which protections the children that parse files go without."""
    if missing := missing_protections():
        yield doubtful(DoctorCode.CHILDREN_UNPROTECTED, protections=list(missing))
    else:
        yield fine(DoctorCode.CHILDREN_PROTECTED)


def check_clocks(context: Context) -> Iterator[DoctorFinding]:
    """Yield how far the clocks are apart; one that does not answer has its own check."""
    try:
        there = context.database.one(select(func.clock_timestamp()))
        yield clock_finding(Clock.DATABASE, there, utcnow())
    except SQLAlchemyError:
        pass
    try:
        seconds, micros = context.redis.time()
        yield clock_finding(Clock.QUEUE, datetime.fromtimestamp(seconds + micros / 1e6, UTC), utcnow())
    except RedisError:
        pass


def clock_finding(clock: Clock, there: datetime, here: datetime) -> DoctorFinding:
    """Return whether two moments that were read together are close enough."""
    apart = abs((there - here).total_seconds())
    if apart > _MAY_DIFFER:
        return wrong(DoctorCode.CLOCK_APART, clock=clock, apart=round(apart))
    return fine(DoctorCode.CLOCK_AGREES, clock=clock)


def check_lists(context: Context) -> Iterator[DoctorFinding]:
    """Yield whether the school list of the season or the library is empty."""
    schools = select(School.id).join(Season, Season.id == School.season_id).where(Season.is_current).limit(1)
    documents = select(LibraryDocument.id).where(LibraryDocument.status == LibraryStatus.READY.value).limit(1)
    try:
        with context.database.reading() as session:
            no_schools = session.scalar(schools) is None
            no_documents = session.scalar(documents) is None
    except SQLAlchemyError:
        # Said by the try of the database.
        return
    if no_schools:
        yield doubtful(DoctorCode.NO_SCHOOLS)
    if no_documents:
        yield doubtful(DoctorCode.NO_DOCUMENTS)


def check_settings(context: Context) -> Iterator[DoctorFinding]:
    """Yield each setting without effect."""
    found = [*_without_effect(context.settings)]
    yield from found
    if not found:
        yield fine(DoctorCode.SETTINGS_COUNT)


def _without_effect(settings: Settings) -> Iterator[DoctorFinding]:
    given = settings.model_fields_set
    for variable, provider in ignored_settings(settings):
        yield doubtful(DoctorCode.SETTING_IGNORED, variable=variable, provider=provider)
    for provider, names in _OF_RECOGNITION:
        for name in sorted(given.intersection(names)):
            if settings.ocr_provider != provider:
                yield doubtful(DoctorCode.SETTING_IGNORED, variable=name.upper(), provider=settings.ocr_provider)
    for name, other in sorted(_alone(settings)):
        if name in given:
            yield doubtful(DoctorCode.SETTING_ALONE, variable=name.upper(), other=other)


def _alone(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield settings that need another one, which is not given: (name, the other as a variable)."""
    for variable, names in _NEEDED_BY.items():
        if getattr(settings, variable.lower()) in (None, False):
            yield from ((name, variable) for name in names)
    if not settings.supabase_auth:
        yield from ((name, "AUTH_PROVIDER=supabase") for name in _OF_AUTH)
    if settings.embeddings_provider != "endpoint":
        for name in Settings.model_fields:
            if name.startswith("embeddings_") and name not in ("embeddings_provider", "embeddings_threads"):
                yield name, "EMBEDDINGS_PROVIDER=endpoint"


def check_variables(context: Context) -> Iterator[DoctorFinding]:
    """Yield the variables of `.env` that are no settings, and those of the environment that almost are."""
    for stray in stray_variables():
        if stray.place == "twice":
            yield doubtful(DoctorCode.VARIABLE_TWICE, variable=stray.name, setting=stray.setting)
        elif stray.place == "environment":
            yield doubtful(DoctorCode.VARIABLE_ALIKE, variable=stray.name, setting=stray.setting)
        elif stray.setting is None:
            yield wrong(DoctorCode.VARIABLE_IN_FILE, variable=stray.name)
        else:
            yield wrong(DoctorCode.VARIABLE_MISSPELT, variable=stray.name, setting=stray.setting)


Check = Callable[[Context], Iterable[DoctorFinding]]

#: Checks that stay on this machine and its own servers.
_QUICK: tuple[Check, ...] = (
    try_database,
    try_queue,
    try_store,
    check_clocks,
    check_children,
    check_settings,
    check_variables,
    check_lists,
)
#: Those that ask services elsewhere, which takes time and may cost something.
_ELSEWHERE: tuple[Check, ...] = (try_model, try_vision, try_meaning, try_traces, try_mail)


def examine(context: Context, elsewhere: bool = True) -> list[DoctorFinding]:
    """Return what all checks find; without `elsewhere`, models, traces and the mail server are not tried."""
    checks = (*_QUICK, *_ELSEWHERE) if elsewhere else _QUICK
    return [finding for check in checks for finding in check(context)]


def something_wrong(findings: Sequence[DoctorFinding]) -> bool:
    """Whether anything must be put right."""
    return any(finding.severity is DoctorSeverity.WRONG for finding in findings)


# Try the recognition of pictures: read a small sample with the provider of OCR_PROVIDER.
#
# Only workers run it (ADR 3), so it is not one of `examine`'s checks: those run in web processes too.


SAMPLE = ROOT / "static" / "img" / "reading-sample.png"
#: The words that the sample shows.
_SHOWN = (
    *("Name:", "Robin", "Okafor", "School:", "Juniper", "Hill", "Elementary", "Grade:", "4"),
    *("My", "cousin", "and", "I", "build", "a", "small", "boat."),
)
#: Least share of them that a working provider reads: the sample is clean print.
_ENOUGH = 0.8


@dataclass(frozen=True)
class SampleReading:
    finding: DoctorFinding
    #: What was read; "" where nothing was.
    text: str = ""


def try_reading(settings: Settings) -> SampleReading:
    """Read the sample, without the cache, and say how much of it was read right."""
    provider, began = settings.ocr_provider, time.monotonic()
    if provider == NullOcr.name:
        return SampleReading(doubtful(DoctorCode.READING_NONE))
    try:
        with Image.open(SAMPLE) as picture:
            words = [word.text for word in recognise(picture, provider, settings, None).words]
    except AppError as error:
        took = time.monotonic() - began
        return SampleReading(wrong(DoctorCode.READING_FAILS, took, provider=provider, problem=error.told))
    # A word counts whatever is around it, and spaces within it do not.
    took, shown = time.monotonic() - began, "".join(words).casefold()
    found = sum(word.casefold() in shown for word in _SHOWN)
    enough = found >= _ENOUGH * len(_SHOWN)
    make, code = (fine, DoctorCode.READING_WORKS) if enough else (wrong, DoctorCode.READING_POOR)
    return SampleReading(make(code, took, provider=provider, count=found, total=len(_SHOWN)), " ".join(words))
