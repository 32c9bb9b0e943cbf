"""The one reader of the environment: a frozen `Settings`; start-up fails naming the variable."""

from __future__ import annotations

import os
from datetime import date, datetime
from difflib import get_close_matches
from email.utils import parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, DotEnvSettingsSource, SettingsConfigDict

from core.errors import ConfigurationError

ROOT = Path(__file__).resolve().parent.parent

#: Similarity (`difflib`'s ratio) from which a variable's name counts as a misspelling of another.
_ALIKE = 0.86
#: Names of this machine.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: Most bytes of a request body that the server reads from somebody who is not signed in.
STRANGERS_BYTES = 64 * 1024
#: Variables that tell this Python where its modules and libraries are.
PYTHON_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
#: Tokens that Anthropic's models may reason with unless DEEP_THINKING_BUDGET says otherwise.
THINKING_BUDGET = 8000


class FileBounds(NamedTuple):
    """Limits of an uploaded file: the settings of these names and no others."""

    max_pages: int
    max_image_pixels: int
    max_unpacked_bytes: int


class Settings(BaseSettings):
    """Every setting; the variable's name is the attribute's in capitals. `docs/settings.md` lists them."""

    model_config = SettingsConfigDict(
        env_file=".env", frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True
    )

    #: Folder of files named as settings, each with one value; secrets are handed over so. Set in the environment.
    secrets_dir: Path | None = None
    #: Folder of everything that the embedded servers and the local file store write.
    var_dir: Path = ROOT / "var"
    #: An external PostgreSQL (>= 15). Unset: the embedded one.
    database_url: str | None = None
    #: Whether libpq connects to a transaction pooler, which keeps no prepared statements and no session state.
    database_transaction_pooler: bool = False
    #: An external Redis or Valkey. Unset: the embedded one.
    redis_url: str | None = None

    host: str = "127.0.0.1"
    #: Host names that browsers may use, separated by commas, besides loopback names and HOST.
    allowed_hosts: str = ""
    port: int = Field(default=5000, ge=0, le=65535)
    #: Key that signs sessions. Unset: generated once and stored in var/secret_key (embedded database only).
    secret_key: SecretStr | None = None
    #: Session cookies only over https. Set it wherever the app is served over https.
    cookie_secure: bool = False
    #: Demo accounts with known passwords. Refused with an external database or a public address.
    demo_accounts: bool = False
    #: Number of reverse proxies in front whose X-Forwarded-* headers are trusted.
    trusted_proxies: int = Field(default=0, ge=0, le=5)
    #: Minutes without a request after which a session ends.
    session_idle_minutes: int = Field(default=120, ge=5, le=60 * 24 * 7)
    #: Hours after which a session ends in any case.
    session_hours: int = Field(default=12, ge=1, le=24 * 30)
    #: Minutes for which a confirmed password allows changes of roles, exports and erasures.
    confirm_minutes: int = Field(default=15, ge=1, le=24 * 60)
    #: Admins need a second factor; not in the demo.
    require_second_factor: bool = True
    event_days: int = Field(default=400, ge=30, le=36500)
    #: Days after a season's end, or its last decision, after which its entries are erased. Unset: they are kept.
    retention_days: int | None = Field(default=None, ge=1, le=36500)
    #: Days that steps of runs and records of model calls are kept; the statistics made of them stay.
    log_retention_days: int = Field(default=400, ge=1, le=36500)
    #: Measure how long a decision takes and how many values it changes, for all reviewers together.
    measure_review_effort: bool = False
    rate_limits: bool = True
    #: Bearer token for /metrics. Unset: only programs on this machine, without a proxy, may read them.
    metrics_token: SecretStr | None = Field(default=None, min_length=16)
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"

    supabase_url: str | None = None
    supabase_service_role_key: SecretStr | None = None
    supabase_bucket: str = "second-reader"
    #: Seconds that a link to an original in Supabase Storage is valid; 0: this program sends originals itself.
    supabase_signed_seconds: int = Field(default=60, ge=0, le=3600)
    #: The key that a project gives to clients, called publishable or, in its older form, anon.
    supabase_publishable_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("SUPABASE_PUBLISHABLE_KEY", "SUPABASE_ANON_KEY")
    )
    #: Who checks passwords and sends links: this program, or the Auth of the Supabase project.
    auth_provider: Literal["local", "supabase"] = "local"
    auth_timeout_seconds: float = Field(default=10.0, gt=0, le=60)

    #: The server that mails are sent by. Unset: none are sent.
    smtp_host: str | None = Field(default=None, pattern=r"^[\x21-\x7e]+$")
    #: Unset: 587 with starttls, 465 with tls, 25 with none.
    smtp_port: int | None = Field(default=None, ge=1, le=65535)
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_security: Literal["none", "starttls", "tls"] = "starttls"
    #: Seconds that handing over one mail may take in all.
    smtp_timeout_seconds: float = Field(default=30.0, gt=0, le=300)
    #: The sender of mails: an address, or a name and the address in angle brackets.
    mail_from: str | None = Field(default=None, max_length=320, pattern=r"^[^\x00-\x1f\x7f]+$")
    #: Address of this site for links in mails, without a slash at its end.
    public_url: str | None = Field(default=None, pattern=r"^https?://[^\s/?#@]+(/[^\s?#]*)?$")

    ocr_provider: str = "rapidocr"
    #: Dots per inch of the picture that is recognised.
    ocr_dpi: int = Field(default=150, ge=72, le=400)
    #: Threads of one recognition; parallelism comes from processes.
    ocr_threads: int = Field(default=1, ge=1, le=16)
    #: Seconds for one recognition outside this process: a whole run of a program, or one attempt at a service.
    ocr_timeout_seconds: float = Field(default=60.0, gt=0)
    #: Attempts at one recognition by a service, the first included.
    ocr_max_attempts: int = Field(default=3, ge=1, le=10)
    tesseract_command: str = "tesseract"
    #: As Tesseract names them, joined by "+".
    tesseract_languages: str = Field(default="eng+spa", pattern=r"^\w[\w/]*(\+\w[\w/]*)*$")
    google_vision_api_key: SecretStr | None = None
    google_vision_base_url: str | None = None

    groq_api_key: SecretStr | None = None
    groq_base_url: str | None = None
    groq_model: str = "llama-3.3-70b-versatile"
    groq_vision_model: str = "meta-llama/llama-4-scout-17b-16e-instruct"
    #: An OpenAI-compatible server; when set it is used instead of Groq.
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_timeout_seconds: float = Field(default=30.0, gt=0)
    #: Attempts of one call, the first included.
    llm_max_attempts: int = Field(default=3, ge=1, le=10)
    #: Include the essay and the parent's reaction when a model is asked for a missing field.
    llm_send_essay: bool = False
    #: US dollars for a million tokens, for the usage ledger.
    llm_price_in: float = Field(default=0.0, ge=0)
    llm_price_out: float = Field(default=0.0, ge=0)
    #: Switches Anthropic on for the deep model alone: entries are never sent there.
    anthropic_api_key: SecretStr | None = None
    anthropic_base_url: str | None = None
    anthropic_model: str = "claude-opus-4-5"
    #: The model that finds gaps in reports; unset, the provider's default.
    deep_model: str | None = None
    #: Maximum tokens of one of its replies, reasoning included.
    deep_max_tokens: int = Field(default=12_096, ge=1024)
    #: Its level of reasoning, for providers that take a level.
    deep_effort: Literal["low", "medium", "high"] | None = None
    #: Maximum tokens of reasoning, for providers that take a number; less than DEEP_MAX_TOKENS.
    deep_thinking_budget: int | None = Field(default=None, ge=1024)
    #: Seconds for one attempt at a reply, up to its last token.
    deep_timeout_seconds: float = Field(default=300.0, gt=0)
    #: US dollars for a million of its tokens; unset, the prices of the other model.
    deep_price_in: float | None = Field(default=None, ge=0)
    deep_price_out: float | None = Field(default=None, ge=0)
    #: The model that is shown pictures. Unset: none is, whatever other models and keys are given.
    vision_model: str | None = None
    vision_provider: Literal["openai-compatible", "groq", "anthropic"] = "openai-compatible"
    #: Unset, the provider's own address.
    vision_base_url: str | None = None
    vision_api_key: SecretStr | None = None
    vision_timeout_seconds: float = Field(default=30.0, gt=0)
    vision_price_in: float = Field(default=0.0, ge=0)
    vision_price_out: float = Field(default=0.0, ge=0)

    #: What computes the meaning of texts: the bundled model, an OpenAI-compatible server, or nothing.
    embeddings_provider: Literal["local", "endpoint", "none"] = "local"
    #: Address of the server up to `/embeddings`, as "https://api.openai.com/v1".
    embeddings_base_url: str | None = None
    embeddings_api_key: SecretStr | None = None
    embeddings_model: str | None = None
    #: Numbers of a vector that the server is asked for.
    embeddings_dimensions: int = Field(default=384, ge=1, le=2000)
    #: Seconds for one attempt at the server.
    embeddings_timeout_seconds: float = Field(default=30.0, gt=0)
    #: Attempts of one request, the first included.
    embeddings_max_attempts: int = Field(default=3, ge=1, le=10)
    embeddings_threads: int = Field(default=1, ge=1, le=64)

    #: Switches OpenAlex on: scholarly works.
    openalex_api_key: SecretStr | None = None
    openalex_base_url: str | None = None
    #: An e-mail or web address, sent with every request as Open Library asks. Switches it on: books.
    openlibrary_contact: str | None = Field(default=None, pattern=r"^[\x21-\x7e]+$", max_length=200)
    openlibrary_base_url: str | None = None
    #: Switches Tavily on: the web.
    tavily_api_key: SecretStr | None = None
    tavily_base_url: str | None = None
    #: Switches Firecrawl on: the web.
    firecrawl_api_key: SecretStr | None = None
    firecrawl_base_url: str | None = None
    #: Seconds for one attempt at a provider or a page, up to its last byte.
    source_timeout_seconds: float = Field(default=20.0, gt=0)
    #: Attempts at a provider or a page, the first included.
    source_max_attempts: int = Field(default=3, ge=1, le=10)
    #: Requests from one process to one host, at most.
    source_requests_per_second: float = Field(default=3.0, gt=0, le=1000)
    #: Maximum size of one page, decompressed.
    source_max_bytes: int = Field(default=20 * 1024 * 1024, ge=1)
    #: How long searches and texts are cached, so that a resumed report reads the same again. 0 disables the cache.
    source_cache_hours: float = Field(default=168.0, ge=0)

    langsmith_tracing: bool = Field(
        default=False, validation_alias=AliasChoices("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")
    )
    langsmith_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY")
    )
    langsmith_endpoint: str | None = Field(
        default=None, validation_alias=AliasChoices("LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT")
    )
    langsmith_project: str = Field(
        default="second-reader", validation_alias=AliasChoices("LANGSMITH_PROJECT", "LANGCHAIN_PROJECT")
    )
    #: Base address of LangSmith's pages; unset, derived from the endpoint.
    langsmith_ui_url: str | None = None
    #: Include inputs and outputs in the traces. Off: both are hidden.
    langsmith_send_content: bool = False

    use_orchestrator: bool = True
    #: Let the machine complete an entry without a person.
    auto_complete: bool = True
    max_steps: int = Field(default=5, ge=1, le=50)
    max_tries: int = Field(default=2, ge=1, le=10)
    complete_confidence: float = Field(default=0.9, ge=0.0, le=1.0)
    retry_confidence: float = Field(default=0.5, ge=0.0, le=1.0)
    weak_field_confidence: float = Field(default=0.8, ge=0.0, le=1.0)
    min_essay_words: int = Field(default=50, ge=0)
    #: Share of the entries completed by the machine that a person audits blindly.
    audit_share: float = Field(default=0.05, ge=0.0, le=1.0)

    #: Name of the time zone whose days deadlines and dates received are, as "America/New_York".
    office_timezone: str = "UTC"

    #: Seconds that an item stays held after its page last reported.
    claim_minutes: int = Field(default=5, ge=1, le=120)

    max_upload_bytes: int = Field(default=50 * 1024 * 1024, ge=1)
    #: Maximum size of a whole request; one file in it may have MAX_UPLOAD_BYTES.
    max_request_bytes: int = Field(default=500 * 1024 * 1024, ge=1)
    max_files_per_upload: int = Field(default=100, ge=1)
    #: Files, and bytes, that one person may upload within 24 hours.
    max_files_per_day: int = Field(default=2000, ge=1)
    max_bytes_per_day: int = Field(default=10 * 1024**3, ge=1)
    max_pages: int = Field(default=1000, ge=1)
    max_image_pixels: int = Field(default=100_000_000, ge=1)
    max_unpacked_bytes: int = Field(default=200 * 1024 * 1024, ge=1)
    #: Jobs that may wait for a worker; at that number nothing more is taken in.
    max_queued_jobs: int = Field(default=100_000, ge=1)
    #: Megabytes of the disk with files that uploads leave free, for the servers and for what was taken in.
    min_free_mb: int = Field(default=1024, ge=0)
    #: Seconds that an upload waits until fewer others are being stored.
    store_wait_seconds: float = Field(default=2.0, ge=0)

    #: Megabytes of memory for a process that parses or draws a file that a person sent.
    parse_memory_mb: int = Field(default=2048, ge=256)
    #: Seconds, of the processor and of the clock, for one step of parsing and drawing, such as a page.
    parse_seconds: float = Field(default=120.0, gt=0)
    #: Seconds for all steps of one file (at least one a page), whichever jobs take them, and for all of one entry.
    parse_file_seconds: float = Field(default=300.0, gt=0)

    #: Worker processes that `flask demo` and `flask worker` start.
    workers: int = Field(default=2, ge=1, le=64)
    #: Megabytes by which a worker or its work-horse may grow before another takes its place.
    worker_growth_mb: int = Field(default=256, ge=1)
    job_timeout_seconds: int = Field(default=600, ge=10)
    #: Seconds for one job of a report; the next job continues from its checkpoint.
    report_timeout_seconds: int = Field(default=1800, ge=10)
    #: A run whose lease is older is taken over by another worker.
    lease_seconds: int = Field(default=120, ge=1)
    reconcile_seconds: int = Field(default=30, ge=1)

    @property
    def file_bounds(self) -> FileBounds:
        """What a file that a person sent may hold."""
        return FileBounds(self.max_pages, self.max_image_pixels, self.max_unpacked_bytes)

    @property
    def office_zone(self) -> ZoneInfo:
        return ZoneInfo(self.office_timezone)

    def office_day(self, at: datetime) -> date:
        """Return the date of a moment in the office's time zone."""
        return at.astimezone(self.office_zone).date()

    @property
    def hosts(self) -> frozenset[str]:
        """The names of ALLOWED_HOSTS, in lower case."""
        return frozenset(name.strip().lower() for name in self.allowed_hosts.split(",") if name.strip())

    @property
    def embedded_database(self) -> bool:
        return self.database_url is None

    @property
    def supabase_auth(self) -> bool:
        return self.auth_provider == "supabase"

    @property
    def model_configured(self) -> bool:
        return self.llm_base_url is not None or self.groq_api_key is not None

    @property
    def mail_port(self) -> int:
        return self.smtp_port or {"none": 25, "starttls": 587, "tls": 465}[self.smtp_security]

    def public_link(self, path: str) -> str:
        """Return the address of a page, whose path begins with a slash, for a mail."""
        return f"{(self.public_url or '').rstrip('/')}{path}"

    @property
    def thinking_budget(self) -> int | None:
        """Tokens that the deep model may reason with, where its provider takes a number."""
        if self.deep_thinking_budget is None and self.anthropic_api_key is not None:
            return THINKING_BUDGET
        return self.deep_thinking_budget

    @field_validator("office_timezone")
    @classmethod
    def _is_a_time_zone(cls, name: str) -> str:
        try:
            return ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as exc:
            raise ValueError('the name of a time zone, as "America/New_York"') from exc

    @model_validator(mode="after")
    def _fits_together(self) -> Settings:
        ocr = self.ocr_provider
        for given, needed, name, when in (
            (self.llm_base_url, self.llm_model, "LLM_MODEL", "LLM_BASE_URL is set"),
            (ocr == "google", self.google_vision_api_key, "GOOGLE_VISION_API_KEY", "OCR_PROVIDER is google"),
            (ocr == "groq", self.groq_api_key, "GROQ_API_KEY", "OCR_PROVIDER is groq"),
            (self.langsmith_tracing, self.langsmith_api_key, "LANGSMITH_API_KEY", "LANGSMITH_TRACING is true"),
            (self.database_url, self.secret_key, "SECRET_KEY", "DATABASE_URL is set"),
            (self.smtp_host, self.mail_from and self.public_url, "MAIL_FROM and PUBLIC_URL", "SMTP_HOST is set"),
        ):
            if given and not needed:
                raise ValueError(f"{name} must be set when {when}")
        self._vision_fits_together()
        if (self.thinking_budget or 0) >= self.deep_max_tokens:
            raise ValueError(
                f"DEEP_THINKING_BUDGET ({self.thinking_budget}) must be less than DEEP_MAX_TOKENS "
                f"({self.deep_max_tokens}): the reply needs what is left"
            )
        if self.embeddings_provider == "endpoint" and not (self.embeddings_base_url and self.embeddings_model):
            raise ValueError(
                "EMBEDDINGS_BASE_URL and EMBEDDINGS_MODEL must be set when EMBEDDINGS_PROVIDER is endpoint"
            )
        if bool(self.supabase_url) != bool(self.supabase_service_role_key):
            raise ValueError("SUPABASE_URL and SUPABASE_SERVICE_ROLE_KEY must be set together")
        if self.supabase_auth and not (self.supabase_url and self.supabase_publishable_key):
            raise ValueError(
                "SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY and SUPABASE_SERVICE_ROLE_KEY must be set when "
                "AUTH_PROVIDER is supabase"
            )
        if self.supabase_auth and self.demo_accounts:
            raise ValueError("DEMO_ACCOUNTS is refused when AUTH_PROVIDER is supabase")
        self._mail_fits_together()
        if self.trusted_proxies and not self.hosts:
            raise ValueError("ALLOWED_HOSTS must name the server as browsers do when TRUSTED_PROXIES is set")
        if self.demo_accounts and self.database_url:
            raise ValueError("DEMO_ACCOUNTS is refused with a DATABASE_URL of your own")
        if self.demo_accounts and self.host not in LOOPBACK:
            raise ValueError("DEMO_ACCOUNTS is refused when HOST is a public address")
        return self

    def _vision_fits_together(self) -> None:
        own_server = self.vision_provider == "openai-compatible"
        if self.vision_model is not None and not (self.vision_base_url if own_server else self.vision_api_key):
            needed = "VISION_BASE_URL" if own_server else "VISION_API_KEY"
            raise ValueError(
                f"{needed} must be set when VISION_MODEL is set and VISION_PROVIDER is {self.vision_provider}"
            )

    def _mail_fits_together(self) -> None:
        if self.mail_from and "@" not in parseaddr(self.mail_from)[1]:
            raise ValueError("MAIL_FROM must be an address, or a name and an address in angle brackets")
        if bool(self.smtp_user) != bool(self.smtp_password):
            raise ValueError("SMTP_USER and SMTP_PASSWORD must be set together")
        if self.smtp_user and not self.smtp_host:
            raise ValueError("SMTP_HOST must be set when SMTP_USER is set")
        if self.smtp_user and self.smtp_security == "none" and self.smtp_host not in LOOPBACK:
            raise ValueError("SMTP_SECURITY must be starttls or tls when SMTP_USER is set: a password is sent")


def load_settings(**overrides: object) -> Settings:
    """Read the environment, `.env` and the files of SECRETS_DIR into `Settings`; the first that has a value wins.

    Raises ConfigurationError, naming each variable that does not fit, and if `flask` has read another `.env`.
    """
    _refuse_settings_from_above()
    try:
        return Settings(_secrets_dir=_secrets(), **overrides)  # type: ignore[arg-type]
    except OSError as exc:
        raise ConfigurationError(f"SECRETS_DIR: {exc.filename} cannot be read ({exc.strerror})") from exc
    except ValidationError as exc:
        lines = [
            f"{'.'.join(str(part) for part in error['loc']).upper() or 'settings'}: {error['msg']}"
            for error in exc.errors()
        ]
        raise ConfigurationError("; ".join(lines)) from exc


def _refuse_settings_from_above() -> None:
    """Raise ConfigurationError if `flask` has found no `.env` here and has read that of a folder above."""
    here = Path.cwd()
    found = next((folder for folder in (here, *here.parents) if os.access(folder / ".env", os.R_OK)), here)
    if found not in (here, ROOT) and "FLASK_RUN_FROM_CLI" in os.environ:
        raise ConfigurationError(
            f"flask has read {found / '.env'}; make one here, empty or not: touch {ROOT}/.env"
        )


def _secrets() -> str | None:
    """Return SECRETS_DIR. Raises ConfigurationError for a file in it, but hidden ones, named as no setting."""
    folder = os.environ.get("SECRETS_DIR") or None
    for path in Path(folder).iterdir() if folder else ():
        if path.name.upper() not in _variables() and not path.name.startswith("."):
            raise ConfigurationError(f"SECRETS_DIR: {path.name} is the name of no setting")
    return folder


def drop_environment(*prefixes: str) -> None:
    """Delete environment variables with these prefixes that are not settings, so that no library obeys them."""
    ours = _variables()
    for name in [name for name in os.environ if name.upper().startswith(prefixes)]:
        if name.upper() not in ours:
            del os.environ[name]


def change_home(folder: str) -> None:
    """Set HOME for this process and its children, after it became another user."""
    os.environ["HOME"] = folder


def _variables() -> set[str]:
    """Every variable that a setting is read from."""
    names = {name.upper() for name in Settings.model_fields}
    for field in Settings.model_fields.values():
        if isinstance(field.validation_alias, AliasChoices):
            names.update(str(choice) for choice in field.validation_alias.choices)
    return names


class Stray(NamedTuple):
    """A variable that is set but not read."""

    name: str
    #: The setting that is most likely meant, or that is read instead; None for none.
    setting: str | None
    #: In `.env`, in the environment, or given under two names of which the other wins.
    place: Literal["file", "environment", "twice"]


def stray_variables() -> list[Stray]:
    """Return the variables that have no effect because of their names.

    In `.env`: all that are not settings. In the environment, which holds many others: those spelled almost like
    a setting. In both: the second name of a setting whose first name is set too.
    """
    ours = _variables()
    in_file = {name.upper() for name in DotEnvSettingsSource(Settings).env_vars}
    around = {name.upper() for name, value in os.environ.items() if value} - in_file
    found = [Stray(name, _nearest(name, ours), "file") for name in sorted(in_file - ours)]
    alike = ((name, _nearest(name, ours)) for name in sorted(around - ours))
    found += [Stray(name, setting, "environment") for name, setting in alike if setting is not None]
    for field in Settings.model_fields.values():
        if isinstance(field.validation_alias, AliasChoices):
            first, *others = [str(choice) for choice in field.validation_alias.choices]
            if first in in_file | around:
                found += [Stray(name, first, "twice") for name in others if name in in_file | around]
    return found


def _nearest(name: str, ours: set[str]) -> str | None:
    """Return the setting whose name is most similar to this one, None if none comes close."""
    close = get_close_matches(name, sorted(ours), n=1, cutoff=_ALIKE)
    return close[0] if close else None


def inherited(*names: str) -> dict[str, str]:
    """Return those of these variables that are set, for a child process that gets no others."""
    return {name: os.environ[name] for name in names if name in os.environ}


@lru_cache(maxsize=1)
def get_settings() -> Settings:
    """The settings of this process, read once."""
    return load_settings()
