"""The rules that a season may set for itself, and how a change of them is checked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from core.config import Settings
from core.errors import InvalidInputError
from core.labels import LabelledEnum, keys_of
from core.models import Season
from pipeline.profiles import known_forms
from pipeline.validation.policy import Policy
from pipeline.validation.season_policy import policy_of, rules_that_do_not_fit
from services.messages.season import SeasonRefused


class Rule(LabelledEnum, places=("rule", "rules")):
    """Keys of the rules; what a season does not set is as the settings say."""

    COMPLETE_CONFIDENCE = "complete_confidence", "Confidence at which an entry is completed without review"
    WEAK_FIELD_CONFIDENCE = "weak_field_confidence", "Confidence below which a field needs review"
    RETRY_CONFIDENCE = "retry_confidence", "Confidence below which a model is asked"
    AUTO_COMPLETE = "auto_complete", "Entries may be completed without review"
    ONE_ENTRY_EACH = "one_entry_each", "Only one entry per person"
    MIN_ESSAY_WORDS = "min_essay_words", "Minimum words in an essay"
    MAX_ESSAY_WORDS = "max_essay_words", "Maximum words in a corrected essay"
    MAX_ESSAY_CHARACTERS = "max_essay_characters", "Maximum characters in a corrected essay"
    WAIVED_BY = "waived_by", "Who may accept an entry as it is"
    MAY_STAY_EMPTY = "may_stay_empty", "Required fields that may be accepted empty"
    DEFAULT_REQUIRED = "default_required", "Required fields"
    REQUIRED = "required", "Required fields for some kinds of files"
    REQUIRED_BY_FORM = "required_by_form", "Required fields for some forms"
    MAX_TRIES = "max_tries", "Maximum readings of one entry"
    MAX_STEPS = "max_steps", "Maximum steps in one run"
    FORM_PROFILES = "form_profiles", "Forms in use"
    RETENTION_DAYS = "retention_days", "Days entries are kept after the season ends"
    DEADLINE = "deadline", "Deadline: last day an entry is on time"


#: Rules that have columns of their own; the others are keys of `seasons.policy`.
_COLUMNS = (Rule.FORM_PROFILES, Rule.RETENTION_DAYS, Rule.DEADLINE)
#: Rules that are of one season alone: the next one does not begin with them.
OF_ONE_SEASON = (Rule.DEADLINE,)
MOST_DAYS = 36_500


def rules_of(season: Season) -> dict[str, Any]:
    """Return the rules that the season sets, by their keys, as JSON."""
    columns = {rule.value: getattr(season, rule.value) for rule in _COLUMNS}
    if season.deadline is not None:
        columns[Rule.DEADLINE.value] = season.deadline.isoformat()
    return {**season.policy, **{key: value for key, value in columns.items() if value}}


def write_rules(season: Season, rules: Mapping[str, Any]) -> None:
    """Give the season these rules and no others."""
    season.policy = {key: value for key, value in rules.items() if key not in _COLUMNS}
    season.form_profiles = list(rules.get(Rule.FORM_PROFILES, ()))
    season.retention_days = rules.get(Rule.RETENTION_DAYS)
    deadline = rules.get(Rule.DEADLINE)
    season.deadline = date.fromisoformat(deadline) if deadline else None


def changed_rules(settings: Settings, own: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a season's own rules after these changes, as JSON; a change to None leaves the rule to the settings.

    Raises InvalidInputError for a rule that does not exist or a value that is not possible.
    """
    if unknown := sorted(changes.keys() - set(keys_of(Rule))):
        raise InvalidInputError(SeasonRefused.NO_SUCH_RULE, names=unknown)
    after = {key: value for key, value in {**own, **changes}.items() if value is not None}
    columns = {rule.value: after.pop(rule.value) for rule in _COLUMNS if rule.value in after}
    if faults := rules_that_do_not_fit(settings, after):
        if faults == [""]:
            raise InvalidInputError(SeasonRefused.FIELDS_UNKNOWN)
        raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=faults)
    policy = policy_of(settings, after)
    return {**policy.model_dump(mode="json", include=set(after)), **_columns(columns)}


def policy_by(settings: Settings, rules: Mapping[str, Any]) -> Policy:
    """Return the policy that a season's own rules make, without its schools."""
    return policy_of(settings, {key: value for key, value in rules.items() if key not in _COLUMNS})


def _columns(given: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if forms := given.get(Rule.FORM_PROFILES):
        if unknown := sorted(set(forms) - set(known_forms())):
            raise InvalidInputError(SeasonRefused.FORMS_UNKNOWN, names=unknown)
        # In one order, so that the same forms are the same rule.
        found[Rule.FORM_PROFILES.value] = [key for key in known_forms() if key in forms]
    if (days := given.get(Rule.RETENTION_DAYS)) is not None:
        if not str(days).isdecimal() or not 1 <= int(days) <= MOST_DAYS:
            raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=[Rule.RETENTION_DAYS.value])
        found[Rule.RETENTION_DAYS.value] = int(days)
    if deadline := given.get(Rule.DEADLINE):
        found[Rule.DEADLINE.value] = _day(str(deadline))
    return found


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError as exc:
        raise InvalidInputError(SeasonRefused.RULES_DO_NOT_FIT, rules=[Rule.DEADLINE.value]) from exc
