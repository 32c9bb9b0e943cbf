"""Keyboard shortcuts of an audit; the actions have the review desk's names, so that a person's own keys apply."""

from __future__ import annotations

from flask_babel import lazy_gettext as _

from web.desk.keymap import Binding

BINDINGS = (
    Binding("approve", "a", _("Go on with what was typed or chosen")),
    Binding("edit", "e", _("Type in the field at hand")),
    Binding("undo", "u", _("Take back the last audit")),
    Binding("help", "?", _("Show these keys")),
)
