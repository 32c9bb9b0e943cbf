"""Filters and functions of templates, changing parts of pages, and close-ups of values on scanned pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import get_timezone_name
from flask import Flask, make_response, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import format_date, format_datetime, format_decimal, get_locale, gettext, ngettext
from flask_login import current_user
from jinja2 import pass_context
from jinja2.runtime import Context
from sqlalchemy.exc import SQLAlchemyError

from core.clock import utcnow
from core.config import Settings
from core.error_codes import OF_THE_FILE
from core.messages import LabelledEnum, keys_of
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
from core.tracing.log import traceback_text
from core.work import JobKind
from pipeline.duplicates.comparison import Likeness, Strength
from pipeline.extraction.tokens import displayed_box, upright
from pipeline.orchestrator.decisions import Check, Step, TableRule
from pipeline.orchestrator_state import Outcome
from pipeline.pages.page_model import Box, Source
from pipeline.schema import DocClass
from services.accounts.api_tokens import Scope
from services.accounts.person import Person, Role
from services.accounts.sessions import AddressFamily
from services.audit import LONGEST_NOTE
from services.batches.default_values import EssayLanguage
from services.doctor.findings import DoctorSeverity
from services.erasure.scope import HeldKind
from services.event_log import EventDetail
from services.messages.entries import FieldKindName, PrintedRoleName, ReplaySource
from services.pages import Document, PagePlace, PageView
from services.policy import Rule
from web import labels
from web.differences import word_diff
from web.i18n import full_day
from web.labels import confidence_level, confidence_words, reason_page, shown_reason
from web.security.requests import unless_known

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
    "finding_label": DoctorSeverity,
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
    env = app.jinja_env
    env.trim_blocks = env.lstrip_blocks = True
    for name, kind in _LABELS.items():
        env.filters[name] = _filter(partial(labels.label, kind))
    env.filters.update(
        reason=shown_reason,
        field_label=_filter(labels.submission_field_label),
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
        masked_traceback=traceback_text,
        page_range=page_range,
    )
    env.globals.update(
        word_diff=word_diff,
        reason_page=reason_page,
        crop_of=crop_of,
        field_options=labels.field_options,
        option_label=labels.submission_option_label,
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

    It takes the context so that Jinja does not compute the label of a constant when it compiles a template, in the
    language of the first request.
    """

    @pass_context
    def labelled(context: Context, key: Any) -> str:
        return label(key)

    return labelled


def _request_values() -> dict[str, Any]:
    person = _person()
    theme = (person.theme if person else None) or request.cookies.get("theme", "auto")
    return {"person": person, "theme": theme if theme in THEMES else "auto", "here": request.full_path.rstrip("?")}


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
    """Return the name of a time zone, such as "Eastern Time"; "UTC" for a zone without a place."""
    if zone.key.rpartition("/")[2] in ("UTC", "GMT"):
        return "UTC"
    return str(get_timezone_name(zone, locale=get_locale()))


def day(at: date) -> str:
    """Return day and month, as the language orders them."""
    pattern = (get_locale() or Locale("en")).datetime_skeletons["MMMd"].pattern
    return format_date(at, pattern)


def file_size(size: int) -> str:
    for limit, unit in ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB")):
        if size >= limit:
            return f"{format_decimal(size / limit, '#,##0.#')} {unit}"
    return ngettext("%(num)d byte", "%(num)d bytes", size)


def page_range(first: int, last: int) -> str:
    if first == last:
        return gettext("page %(number)d", number=first)
    return gettext("pages %(first)d–%(last)d", first=first, last=last)


# The part of a page that its script polls.


def changing_part(state: object, template: str, **values: Any) -> ResponseReturnValue:
    """Render a part of a page; answer 304 if the browser has the part of this state, as `unless_known` does."""
    return unless_known(state, lambda: make_response(render_template(template, **values)))


# Compute the close-up of a value as the view box of an SVG that shows the page upright.


#: Margins around the box in points, wide enough for the label, which forms print to the left or above.
_BEFORE, _AFTER = 110.0, 40.0
_AROUND = 9.0
#: Largest share of the page's height for a close-up; the page viewer shows larger parts better.
_MAX_SHARE = 0.3
#: Margins around a line of writing in points, because letters extend beyond the line's box.
_BESIDE_LINE, _OVER_LINE = 6.0, 5.0


@dataclass(frozen=True)
class Crop:
    """A rectangle of a page as it came in, in points."""

    page: PageView
    x: float
    y: float
    width: float
    height: float
    places: list[PagePlace]

    @property
    def view_box(self) -> tuple[float, float, float, float]:
        """The rectangle after the page was turned about its upper left corner: left, top, width, height."""
        x, y, width, height = self.x, self.y, self.width, self.height
        if self.page.turned == 90:
            return -(y + height), x, height, width
        if self.page.turned == 180:
            return -(x + width), -(y + height), width, height
        if self.page.turned == 270:
            return y, -(x + width), height, width
        return x, y, width, height


def crop_of(document: Document, places: list[PagePlace]) -> Crop | None:
    """Return the rectangle around those of the places that are on the first one's page.

    None if there are no places, the page is not the entry's or the part is too large for a close-up.
    """
    page = document.page(places[0].page) if places else None
    if page is None:
        return None
    here = [place for place in places if place.page == page.number]
    box = _around(page, here)
    if box.height > _MAX_SHARE:
        return None
    return _crop(page, here, box, before=_BEFORE, after=_AFTER, around=_AROUND)


def line_crop(document: Document, place: PagePlace) -> Crop | None:
    """Return the rectangle around one line of writing; None if its page is not one of the entry's."""
    page = document.page(place.page)
    if page is None:
        return None
    box = _around(page, [place])
    return _crop(page, [place], box, before=_BESIDE_LINE, after=_BESIDE_LINE, around=_OVER_LINE)


def _around(page: PageView, places: Sequence[PagePlace]) -> Box:
    """Return the smallest box around all places, 0-1 of the upright page."""
    boxes = [upright(Box(place.x0, place.y0, place.x1, place.y1), page.turned) for place in places]
    found = boxes[0]
    for box in boxes[1:]:
        found = found.union(box)
    return found


def _crop(
    page: PageView, places: list[PagePlace], box: Box, *, before: float, after: float, around: float
) -> Crop:
    """Return the rectangle with these margins, in points of the upright page, as far as it is on the page."""
    width, height = (page.height, page.width) if page.turned % 180 else (page.width, page.height)
    wider = Box(
        max(0.0, box.x0 - before / width),
        max(0.0, box.y0 - around / height),
        min(1.0, box.x1 + after / width),
        min(1.0, box.y1 + around / height),
    )
    x0, y0, x1, y1 = displayed_box(wider, page.turned)
    return Crop(page, x0 * page.width, y0 * page.height, (x1 - x0) * page.width, (y1 - y0) * page.height, places)
