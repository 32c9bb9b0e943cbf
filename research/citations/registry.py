"""Keep the sources of a report, each once, under the key that citation markers use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from research.citations.keys import make_key
from research.citations.same_reference import Identity, identity_of, same_work
from research.document import Reference
from research.sources.base import Hit

#: Fields that references to the same work may complete for each other.
FIELDS = ("title", "authors", "year", "publisher", "url", "doi", "isbn", "as_written")


@dataclass
class _Entry:
    reference: Reference
    #: One of each distinct reference to the work.
    identities: list[Identity]

    def is_of(self, identity: Identity) -> bool:
        given = {known.doi for known in self.identities if known.doi_given}
        if given and identity.doi_given and identity.doi not in given:
            return False
        return any(same_work(known, identity) for known in self.identities)

    def merge(self, found: Mapping[str, Any], identity: Identity) -> None:
        """Fill in missing fields; present ones are kept."""
        update = {name: found[name] for name in FIELDS if found[name] and not getattr(self.reference, name)}
        if self.reference.kind == "other":
            update["kind"] = found["kind"]
        self.reference = self.reference.model_copy(update=update)
        if identity not in self.identities:
            self.identities.append(identity)


class CitationRegistry:
    """Assigns keys to sources; the same additions in the same order get the same keys."""

    def __init__(self, references: Iterable[Reference] = ()) -> None:
        """Start with references that have keys already."""
        self._entries = {one.key: _Entry(one, [identity_of(vars(one))]) for one in references}

    def add(self, item: Hit | Reference) -> str:
        """Add a source and return its key; a known work keeps its key and gains the fields that it lacked."""
        found = {name: getattr(item, name, None) for name in (*FIELDS, "kind")}
        identity = identity_of(found)
        for key, entry in self._entries.items():
            if entry.is_of(identity):
                entry.merge(found, identity)
                return key
        key = make_key(item.authors, item.year, item.publisher, item.title, self._entries)
        self._entries[key] = _Entry(Reference(key=key, **found), [identity])
        return key

    def reference(self, key: str) -> Reference:
        """Return the source with this key. Raises KeyError."""
        return self._entries[key].reference
