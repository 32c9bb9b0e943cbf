"""Keyboard shortcuts of an audit; the actions have the review desk's names, so that a person's own keys apply."""

from __future__ import annotations

from flask_babel import lazy_gettext as _

from web.desk.keymap import Binding

BINDINGS = (
    Binding("approve", "a", _("Continue with what was typed or chosen")),
    Binding("edit", "e", _("Edit the current field")),
    Binding("undo", "u", _("Undo the last audit")),
    Binding("help", "?", _("Show these keys")),
)
