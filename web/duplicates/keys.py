"""Keyboard shortcuts of a pair of entries."""

from __future__ import annotations

from flask_babel import lazy_gettext as _

from web.desk.keymap import Binding

BINDINGS = (
    Binding("keep_first", "f", _("Keep the first")),
    Binding("keep_second", "s", _("Keep the second")),
    Binding("keep_both", "b", _("Keep both")),
    Binding("replace", "r", _("Replace the first with the second")),
    Binding("join", "j", _("Join the two into one entry")),
    Binding("undo", "u", _("Undo the last decision")),
    Binding("help", "?", _("Show these keys")),
)
