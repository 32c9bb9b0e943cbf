"""The value of a rule in words."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask_babel import format_decimal, gettext

from core.config import Settings
from pipeline.schema import DocClass
from pipeline.validation.policy import Policy, WaivedBy
from services.policy.rules import Rule, policy_by
from web.labels import field_label, form_label, label
from web.templating import full_day


def rule_value(value: Any, key: str) -> str:
    """Return the value of a rule, or of what opening and closing change, in the language of the request."""
    if value is None:
        by_setting = key in {rule.value for rule in Rule} - {Rule.DEADLINE.value}
        return gettext("from the settings") if by_setting else "–"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int | float):
        return str(format_decimal(value))
    if key == Rule.FORM_PROFILES:
        return ", ".join(form_label(form) for form in value)
    if key == Rule.WAIVED_BY:
        return label(WaivedBy, value)
    if isinstance(value, list):
        return ", ".join(map(field_label, value)) or gettext("none")
    if key == Rule.REQUIRED_BY_FORM:
        return "; ".join(f"{form_label(form)}: {rule_value(fields, '')}" for form, fields in value.items())
    if isinstance(value, dict):
        return "; ".join(f"{label(DocClass, kind)}: {rule_value(fields, key)}" for kind, fields in value.items())
    return full_day(date.fromisoformat(value)) if key in ("ends_on", Rule.DEADLINE) else str(value)


def by_settings(settings: Settings) -> dict[str, Any]:
    """Return what holds where a season sets nothing, by the keys of `Rule`."""
    policy: Policy = policy_by(settings, {})
    values = policy.model_dump(mode="json", include={rule.value for rule in Rule})
    return {**values, Rule.RETENTION_DAYS.value: settings.retention_days}
