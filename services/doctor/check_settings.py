"""Settings that are given and have no effect, because of what else is given."""

from __future__ import annotations

from collections.abc import Iterator

from core.config import Settings
from core.llm.ignored import ignored_settings
from services.context import Context
from services.doctor.findings import DoctorCode, Finding, doubtful, fine

#: Settings that only one provider of recognition reads: (its OCR_PROVIDER, their names).
_OF_RECOGNITION = (
    ("tesseract", ("tesseract_command", "tesseract_languages")),
    ("google", ("google_vision_api_key", "google_vision_base_url")),
)


def check_settings(context: Context) -> Iterator[Finding]:
    """Yield each setting without effect."""
    found = [*_without_effect(context.settings)]
    yield from found
    if not found:
        yield fine(DoctorCode.SETTINGS_COUNT)


def _without_effect(settings: Settings) -> Iterator[Finding]:
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
    if not settings.langsmith_tracing:
        for name in Settings.model_fields:
            if name.startswith("langsmith_") and name != "langsmith_tracing":
                yield name, "LANGSMITH_TRACING"
    if not settings.supabase_auth:
        yield from (
            (name, "AUTH_PROVIDER=supabase") for name in ("auth_timeout_seconds", "supabase_publishable_key")
        )
    if settings.supabase_url is None:
        yield from ((name, "SUPABASE_URL") for name in ("supabase_bucket", "supabase_signed_seconds"))
    if settings.smtp_host is None:
        names = ("smtp_port", "smtp_security", "smtp_timeout_seconds", "mail_from")
        yield from ((name, "SMTP_HOST") for name in names)
    if settings.embedded_database:
        yield "database_transaction_pooler", "DATABASE_URL"
    for provider, key in (
        ("openalex", "OPENALEX_API_KEY"),
        ("openlibrary", "OPENLIBRARY_CONTACT"),
        ("tavily", "TAVILY_API_KEY"),
        ("firecrawl", "FIRECRAWL_API_KEY"),
    ):
        if getattr(settings, key.lower()) is None:
            yield f"{provider}_base_url", key
    if settings.embeddings_provider != "endpoint":
        for name in Settings.model_fields:
            if name.startswith("embeddings_") and name not in ("embeddings_provider", "embeddings_threads"):
                yield name, "EMBEDDINGS_PROVIDER=endpoint"
    if not settings.use_orchestrator:
        yield from ((name, "USE_ORCHESTRATOR") for name in ("max_steps", "max_tries", "retry_confidence"))
