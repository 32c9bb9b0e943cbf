"""What people read where a document of the library holds a key."""

from __future__ import annotations

from functools import partial

from core.models import LibraryKind, LibraryStatus
from web.i18n import mark
from web.labels import label
from web.research import blueprint

KINDS: dict[str, str] = {
    LibraryKind.WEB: mark("Web page"),
    LibraryKind.ACADEMIC: mark("Academic paper"),
    LibraryKind.BOOK: mark("Book"),
    LibraryKind.ESSAY: mark("Essay"),
}
#: What a person may add; essays come from entries.
ADDED_KINDS = (LibraryKind.WEB, LibraryKind.ACADEMIC, LibraryKind.BOOK)
STATUSES: dict[str, str] = {
    LibraryStatus.QUEUED: mark("Waiting"),
    LibraryStatus.READING: mark("Being read"),
    LibraryStatus.READY: mark("Ready"),
    LibraryStatus.FAILED: mark("Failed"),
}

blueprint.add_app_template_filter(partial(label, KINDS), "library_kind_label")
blueprint.add_app_template_filter(partial(label, STATUSES), "library_status_label")
