"""Filters of templates for the keys that rows of the library hold."""

from __future__ import annotations

from functools import partial

from core.models import LibraryKind, LibraryStatus
from web.labels import label
from web.research import blueprint

#: What a person may add; essays come from entries.
ADDED_KINDS = (LibraryKind.WEB, LibraryKind.ACADEMIC, LibraryKind.BOOK)

blueprint.add_app_template_filter(partial(label, LibraryKind), "library_kind_label")
blueprint.add_app_template_filter(partial(label, LibraryStatus), "library_status_label")
