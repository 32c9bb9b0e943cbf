"""Keyboard shortcuts of the review pages: one table for the hints, the help and the script."""

from __future__ import annotations

from typing import NamedTuple

from flask_babel import LazyString
from flask_babel import lazy_gettext as _


class Binding(NamedTuple):
    """The default key of an action; people can bind another."""

    action: str
    key: str
    label: LazyString


BINDINGS = (
    Binding("approve", "a", _("Approve as marked and show the next")),
    Binding("take", "t", _("Take the proposed value")),
    Binding("leave", "l", _("Leave the field as it was read")),
    Binding("edit", "e", _("Edit the field")),
    Binding("open", "o", _("Leave the field undecided")),
    Binding("school", "s", _("Choose the school from the list")),
    Binding("doubtful", "d", _("Go to the next open field")),
    Binding("ask", "q", _("Ask for missing information")),
    Binding("waive", "c", _("Complete as it is, with a reason")),
    Binding("park", "p", _("Park the entry with a note")),
    Binding("reject", "r", _("Reject the entry and show the next")),
    Binding("next", "j", _("Next")),
    Binding("previous", "k", _("Previous")),
    Binding("undo", "u", _("Undo the last decision")),
    Binding("help", "?", _("Show these keys")),
)
#: Shortcuts for revisions of reports. The actions have the same names, so that a person's own keys apply here too.
REVISION_BINDINGS = (
    Binding("approve", "a", _("Accept the revision and show the next")),
    Binding("reject", "r", _("Reject the revision and show the next")),
    Binding("edit", "e", _("Edit the text of the revision")),
    Binding("next", "j", _("Next")),
    Binding("previous", "k", _("Previous")),
    Binding("help", "?", _("Show these keys")),
)
