"""Keep the sources of a report, each once, under the key that citation markers use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from research.citations.keys import make_key
from research.citations.same_reference import Identity, identity_of, same_work
from research.document import Reference
from research.sources.base import Hit

#: Fields that references to the same work may complete for each other.
FIELDS = ("title", "authors", "year", "publisher", "url", "doi", "isbn", "as_written")
_NAMED_BY = ("title", "url", "doi", "isbn")
_GIVEN = "given"


@dataclass
class _Entry:
    reference: Reference
    #: Provider by name of the field that it gave.
    provenance: dict[str, str]
    #: Title, URL, DOI and ISBN of each distinct reference to the work.
    names: list[dict[str, Any]]
    identities: list[Identity] = field(init=False)

    def __post_init__(self) -> None:
        self.identities = [identity_of(name) for name in self.names]

    def is_of(self, identity: Identity) -> bool:
        given = {known.doi for known in self.identities if known.doi_given}
        if given and identity.doi_given and identity.doi not in given:
            return False
        return any(same_work(known, identity) for known in self.identities)


class CitationRegistry:
    """Assigns keys to sources; the same additions in the same order get the same keys."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        """Start empty, or from the `rows()` of another registry or rows of `report_sources`."""
        self._entries: dict[str, _Entry] = {}
        for row in rows:
            self._resume(row)

    def add(self, item: Hit | Reference | Mapping[str, Any]) -> str:
        """Add a source and return its key; a known work keeps its key and gains the fields that it lacked."""
        found = _fields_of(item)
        identity = identity_of(found)
        for key, entry in self._entries.items():
            if entry.is_of(identity):
                _merge(entry, found, _provider_of(item))
                return key
        return self._enter(found, _provider_of(item), identity)

    def find(self, item: Hit | Reference | Mapping[str, Any]) -> str | None:
        """Return the key of a known work, or None."""
        identity = identity_of(_fields_of(item))
        return next((key for key, entry in self._entries.items() if entry.is_of(identity)), None)

    def reference(self, key: str) -> Reference:
        """Return the source with this key. Raises KeyError."""
        return self._entries[key].reference

    def references(self) -> tuple[Reference, ...]:
        """Return all sources in the order in which they were added."""
        return tuple(entry.reference for entry in self._entries.values())

    def provenance(self, key: str) -> dict[str, str]:
        """Return, by name of field, the provider that gave it. Raises KeyError."""
        return dict(self._entries[key].provenance)

    def rows(self) -> list[dict[str, Any]]:
        """Return the registry's contents as JSON-compatible rows."""
        return [
            {**entry.reference.model_dump(mode="json"), "provenance": dict(entry.provenance), "names": entry.names}
            for entry in self._entries.values()
        ]

    def _enter(self, found: Mapping[str, Any], provider: str, identity: Identity) -> str:
        key = make_key(found["authors"], found["year"], found["publisher"], found["title"], self._entries)
        reference = Reference(key=key, kind=found["kind"], **{name: found[name] for name in FIELDS})
        provenance = {name: provider for name in FIELDS if found[name]}
        self._entries[key] = _Entry(reference, provenance, [_name_of(found)])
        return key

    def _resume(self, row: Mapping[str, Any]) -> None:
        found = _fields_of(row)
        reference = Reference(key=row["key"], kind=found["kind"], **{name: found[name] for name in FIELDS})
        provenance = row.get("provenance") or {name: _provider_of(row) for name in FIELDS if found[name]}
        self._entries[reference.key] = _Entry(
            reference, dict(provenance), list(row.get("names") or [_name_of(found)])
        )


def _fields_of(item: Hit | Reference | Mapping[str, Any]) -> dict[str, Any]:
    def value(name: str) -> Any:
        return item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)

    found = {name: value(name) for name in FIELDS}
    return {
        **found,
        "title": found["title"] or "",
        "authors": tuple(found["authors"] or ()),
        "kind": value("kind") or "other",
    }


def _provider_of(item: Hit | Reference | Mapping[str, Any]) -> str:
    if isinstance(item, Mapping):
        return str(item.get("provider") or _GIVEN)
    return item.provider if isinstance(item, Hit) else _GIVEN


def _name_of(found: Mapping[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in _NAMED_BY}


def _merge(entry: _Entry, found: Mapping[str, Any], provider: str) -> None:
    """Fill in missing fields; present ones are kept."""
    missing = [name for name in FIELDS if found[name] and not getattr(entry.reference, name)]
    update = {name: found[name] for name in missing}
    if entry.reference.kind == "other" and found["kind"] != "other":
        update["kind"] = found["kind"]
    entry.reference = entry.reference.model_copy(update=update)
    entry.provenance.update(dict.fromkeys(missing, provider))
    name = _name_of(found)
    if name not in entry.names:
        entry.names.append(name)
        entry.identities.append(identity_of(name))
