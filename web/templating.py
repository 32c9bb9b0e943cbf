"""Filters and globals of templates."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import get_timezone_name
from flask import Flask, request
from flask_babel import (
    format_date,
    format_datetime,
    format_decimal,
    get_locale,
    gettext,
    ngettext,
)
from flask_login import current_user
from jinja2 import pass_context
from jinja2.runtime import Context
from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from core.config import Settings
from core.error_codes import OF_THE_FILE
from core.labels import LabelledEnum, keys_of
from core.models import (
    AuditFinding,
    BulkEffect,
    BulkItemStatus,
    BulkStatus,
    DecisionKind,
    ErasureReason,
    EventKind,
    ExportFormat,
    ExportKind,
    ExportStatus,
    FieldDecision,
    FormDraftStatus,
    FormSampleStatus,
    FormStatus,
    LetterState,
    LetterWay,
    MailKind,
    MailState,
    NoticeKind,
    PairDecision,
    PolicyChangeKind,
    RereadStatus,
    SecurityEventKind,
    SetUpKey,
    SetUpState,
    SubmissionStatus,
    UploadStatus,
)
from core.queue.masked_error import as_text
from pipeline.duplicates.judge import Likeness, Strength
from pipeline.orchestrator.decision_table import Check, TableRule
from pipeline.orchestrator_state import Outcome, Step
from pipeline.pages.page_model import Source
from pipeline.schema import DocClass
from services.accounts.person import Person
from services.accounts.roles import Role
from services.accounts.sessions.client import AddressFamily
from services.accounts.tokens.scopes import Scope
from services.audit import LONGEST_NOTE
from services.batches.given import EssayLanguage
from services.doctor.findings import Severity
from services.erasure.held_kinds import HeldKind
from services.event_log.details import EventDetail
from services.messages.form_studio import FieldKindName, PrintedRoleName
from services.messages.replay import ReplaySource
from services.policy.rules import Rule
from services.queue.kinds import JobKind
from web import labels
from web.confidence import confidence_level, confidence_words
from web.differences.word_diff import word_diff
from web.evidence import crop_of
from web.reasons import reason_info, reason_page

_LABELS: dict[str, type[LabelledEnum]] = {
    "status_label": SubmissionStatus,
    "outcome_label": Outcome,
    "file_status_label": UploadStatus,
    "source_label": Source,
    "doc_class_label": DocClass,
    "event_label": EventKind,
    "step_label": Step,
    "decision_label": FieldDecision,
    "role_label": Role,
    "address_family_label": AddressFamily,
    "scope_label": Scope,
    "security_event_label": SecurityEventKind,
    "erasure_reason_label": ErasureReason,
    "held_kind_label": HeldKind,
    "event_detail_label": EventDetail,
    "job_kind_label": JobKind,
    "finding_label": Severity,
    "audit_finding_label": AuditFinding,
    "route_label": labels.RouteName,
    "table_rule_label": TableRule,
    "check_label": Check,
    "decision_kind_label": DecisionKind,
    "pair_decision_label": PairDecision,
    "likeness_label": Likeness,
    "strength_label": Strength,
    "replay_source_label": ReplaySource,
    "rule_label": Rule,
    "policy_change_label": PolicyChangeKind,
    "bulk_status_label": BulkStatus,
    "bulk_item_label": BulkItemStatus,
    "bulk_effect_label": BulkEffect,
    "reread_status_label": RereadStatus,
    "export_kind_label": ExportKind,
    "export_format_label": ExportFormat,
    "export_status_label": ExportStatus,
    "mail_kind_label": MailKind,
    "mail_state_label": MailState,
    "letter_state_label": LetterState,
    "letter_way_label": LetterWay,
    "notice_label": NoticeKind,
    "form_draft_status_label": FormDraftStatus,
    "form_sample_status_label": FormSampleStatus,
    "form_status_label": FormStatus,
    "field_kind_label": FieldKindName,
    "printed_role_label": PrintedRoleName,
    "set_up_step_label": SetUpKey,
    "set_up_state_label": SetUpState,
    "essay_language_label": EssayLanguage,
}
THEMES = ("auto", "light", "dark")


def configure_templates(app: Flask, settings: Settings) -> None:
    """Register the filters, globals and common variables of templates."""
    env = app.jinja_env
    env.trim_blocks = env.lstrip_blocks = True
    for name, kind in _LABELS.items():
        env.filters[name] = _filter(partial(labels.label, kind))
    env.filters.update(
        reason=reason_info,
        field_label=_filter(labels.field_label),
        column_label=_filter(labels.column_label),
        form_label=_filter(labels.form_label),
        value_label=labels.value_label,
        queue_status_label=_filter(labels.queue_status_label),
        typed_label=_filter(labels.typed_label),
        event_value=labels.event_value,
        confidence_words=partial(confidence_words, settings=settings),
        confidence_level=partial(confidence_level, settings=settings),
        ago=ago,
        moment=moment,
        day=day,
        full_day=full_day,
        number=format_decimal,
        file_size=file_size,
        masked_traceback=as_text,
        page_range=page_range,
    )
    env.globals.update(
        word_diff=word_diff,
        reason_page=reason_page,
        crop_of=crop_of,
        field_options=labels.field_options,
        option_label=labels.option_label,
        grades=labels.GRADES,
        long_fields=labels.LONG_FIELDS,
        derived_fields=labels.DERIVED_FIELDS,
        school_fields=labels.SCHOOL_FIELDS,
        longest_note=LONGEST_NOTE,
        statuses=keys_of(SubmissionStatus),
        codes_of_the_file=OF_THE_FILE,
        model_configured=settings.model_configured,
        office_zone=partial(zone_name, settings.office_zone),
        traces_on=settings.langsmith_tracing,
        roles=list(Role),
        by_supabase=settings.supabase_auth,
    )
    app.context_processor(_request_values)


def _filter(label: Callable[[Any], str]) -> Callable[[Context, Any], str]:
    """Return the filter that labels keys.

    It takes the context so that Jinja does not compute the label of a constant once, as it compiles a template, in
    the language of whoever comes first.
    """

    @pass_context
    def labelled(context: Context, key: Any) -> str:
        return label(key)

    return labelled


def _request_values() -> dict[str, Any]:
    person = _person()
    theme = (person.theme if person else None) or request.cookies.get("theme", "auto")
    return {
        "person": person,
        "theme": theme if theme in THEMES else "auto",
        "here": request.full_path.rstrip("?"),
    }


def _person() -> Person | None:
    try:
        return current_user.person if current_user.is_authenticated else None
    except SQLAlchemyError:
        # The error page for a database that does not answer must not query it.
        return None


def ago(at: datetime | None) -> str:
    """Return how long ago a time was, in whole days, hours or minutes."""
    if at is None:
        return gettext("never")
    seconds = max(0, int((utcnow() - at).total_seconds()))
    if days := seconds // 86_400:
        return ngettext("%(num)d day ago", "%(num)d days ago", days)
    if hours := seconds // 3_600:
        return ngettext("%(num)d hour ago", "%(num)d hours ago", hours)
    if minutes := seconds // 60:
        return ngettext("%(num)d minute ago", "%(num)d minutes ago", minutes)
    return gettext("just now")


def moment(at: datetime) -> str:
    """Return date and time in the time zone of the office, which the foot of each page names."""
    return f"{full_day(at)}, {time_of_day(at)}"


def time_of_day(at: datetime) -> str:
    """Return the time of day in the time zone of the office."""
    return str(format_datetime(at, "HH:mm"))


def zone_name(zone: ZoneInfo) -> str:
    """Return the name of a time zone, as "Eastern Time"; its key where that is no place, as "UTC"."""
    if zone.key.rpartition("/")[2] in ("UTC", "GMT"):
        return "UTC"
    return str(get_timezone_name(zone, locale=get_locale()))


def day(at: date) -> str:
    """Return day and month, as the language orders them."""
    pattern = (get_locale() or Locale("en")).datetime_skeletons["MMMd"].pattern
    return format_date(at, pattern)


def full_day(at: date) -> str:
    """Return day, month and year, as the language orders them."""
    return format_date(at, "medium")


def file_size(size: int) -> str:
    """Return a size in a readable unit."""
    for limit, unit in ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB")):
        if size >= limit:
            return f"{format_decimal(size / limit, '#,##0.#')} {unit}"
    return ngettext("%(num)d byte", "%(num)d bytes", size)


def page_range(first: int, last: int) -> str:
    """Return a range of pages as text."""
    if first == last:
        return gettext("page %(number)d", number=first)
    return gettext("pages %(first)d–%(last)d", first=first, last=last)
