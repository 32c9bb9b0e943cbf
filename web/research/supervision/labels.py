"""What people read where a loop's rows hold a key, and what the guard said, in sentences."""

from __future__ import annotations

import re
from functools import partial

from flask_babel import gettext as _

from core.labels import LabelledEnum
from core.messages import code_of
from core.models import RevisionStatus, SupervisionStatus
from research.supervision import labels
from research.supervision.types import Ended, Outcome
from web.i18n import mark, translated
from web.labels import label
from web.research import blueprint
from web.research.labels import why

_FILTERS: dict[str, type[LabelledEnum]] = {
    "supervision_status_label": SupervisionStatus,
    "supervision_phase_label": labels.SupervisionPhase,
    "mode_label": labels.ModeLabel,
    "supervision_ended_label": Ended,
    "outcome_of_attempt_label": Outcome,
    "came_of_it": labels.CameOfIt,
    "revision_status_label": RevisionStatus,
    "issue_label": labels.IssueLabel,
    "severity_label": labels.Severity,
    "change_label": labels.Change,
}
for _name, _kind in _FILTERS.items():
    blueprint.add_app_template_filter(partial(label, _kind), _name)

#: What `research.supervision.guard` says, and how people read it.
_REFUSALS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), told)
    for pattern, told in (
        (r"citations are gone: (?P<what>.+)", mark("These citations would be lost: %(what)s.")),
        (r"these citations name no source: (?P<what>.+)", mark("These citations name no source: %(what)s.")),
        (r"sections are gone or empty: (?P<what>.+)", mark("These sections would be gone or empty: %(what)s.")),
        (r"references are gone: (?P<what>.+)", mark("These references would be lost: %(what)s.")),
        (
            r"cited sources are not among the references: (?P<what>.+)",
            mark("These cited sources are missing among the references: %(what)s."),
        ),
        (
            r"the text has shrunk from (?P<was>\d+) to (?P<now>\d+) characters; at least (?P<least>\d+)%.*",
            mark("The text would shrink from %(was)s to %(now)s characters; at least %(least)s %% must stay."),
        ),
        (
            r"none of the sources that were found is cited for something new",
            mark("None of the sources that were found is cited for something new."),
        ),
    )
)
_BETWEEN = re.compile(
    r"; (?=citations are|these citations|sections are|references are|cited sources|the text has|none of the)"
)


@blueprint.app_template_filter("refusals")
def refusals(explanation: str) -> list[str]:
    """What the guard refused, a sentence each; a text of another kind as it is."""
    return [_refusal(part) for part in _BETWEEN.split(explanation.strip()) if part]


def is_refusal(text: str) -> bool:
    """Whether the guard said it."""
    return any(pattern.fullmatch(part) for part in _BETWEEN.split(text.strip()) for pattern, _told in _REFUSALS)


@blueprint.app_template_filter("failure")
def failure(explanation: str) -> str:
    """Why an attempt failed: what its error's code means."""
    return why(explanation) if code_of(explanation) else _("It could not be found out why.")


def _refusal(part: str) -> str:
    for pattern, told in _REFUSALS:
        if found := pattern.fullmatch(part):
            return translated(told) % found.groupdict()
    return part
