"""The keys of the desk: one table for the hints, the help and what listens."""

from __future__ import annotations

from typing import NamedTuple

from flask_babel import LazyString, lazy_gettext


class Binding(NamedTuple):
    """What a key does unless a person binds another."""

    action: str
    key: str
    label: LazyString


BINDINGS = (
    Binding("approve", "a", lazy_gettext("Approve as marked, or settle, and show the next")),
    Binding("reject", "r", lazy_gettext("Reject all and show the next")),
    Binding("edit", "e", lazy_gettext("Edit the field at hand")),
    Binding("next", "j", lazy_gettext("Next")),
    Binding("previous", "k", lazy_gettext("Previous")),
    Binding("undo", "u", lazy_gettext("Take back the last decision")),
    Binding("help", "?", lazy_gettext("Show these keys")),
)
#: Of a revision of a report. The names of the actions are the desk's, so that a person's own keys serve here, too.
REVISION_BINDINGS = (
    Binding("approve", "a", lazy_gettext("Accept the revision and show the next")),
    Binding("reject", "r", lazy_gettext("Reject the revision and show the next")),
    Binding("edit", "e", lazy_gettext("Edit the text of the revision")),
    Binding("next", "j", lazy_gettext("Next")),
    Binding("previous", "k", lazy_gettext("Previous")),
    Binding("help", "?", lazy_gettext("Show these keys")),
)
