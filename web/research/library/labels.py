"""Template filters for the labels of the keys in rows of the library."""

from __future__ import annotations

from functools import partial

from core.models import EmbeddingStatus, LibraryKind, LibraryStatus
from web.labels import label
from web.research import blueprint

#: Kinds that people can add; essays are added from entries.
ADDED_KINDS = (LibraryKind.WEB, LibraryKind.ACADEMIC, LibraryKind.BOOK)

blueprint.add_app_template_filter(partial(label, LibraryKind), "library_kind_label")
blueprint.add_app_template_filter(partial(label, LibraryStatus), "library_status_label")
blueprint.add_app_template_filter(partial(label, EmbeddingStatus), "embedding_label")
