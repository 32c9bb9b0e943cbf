"""Ask a model which items of a catalog the sources tell of, and what they tell of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import Field

from research.catalog.candidate_names import name_pattern
from research.material import SourceText
from research.memo import CatalogCandidate, FieldValue
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply, or_passages
from research.readers.model.passages import Window, plain, window_of
from research.readers.model.reading_prompts import CELLS_SYSTEM, DATA, ITEMS_SYSTEM, hint_of
from research.readers.protocol import WORDS_OF_A_CELL, Asked, LongCell
from research.readers.quoted import located
from research.readers.support import value_of

#: Most tokens of passages, of a first reading and of one that follows known items.
_OF_ALL, _OF_KNOWN = 5400, 3200
#: Most names of items found before that are listed.
_MOST_KNOWN = 30
#: Most values of a field of an item: more than one where passages add to each other or contradict each other.
_MOST_VALUES = 4
#: Most cells that are said in a few words, in one request.
_MOST_CELLS = 60
#: Most characters of a name and of a reason.
_LONGEST_NAME, _LONGEST_REASON = 120, 200
#: A web address, with or without its scheme.
_ADDRESS = re.compile(
    r"(?:https?://|(?<![\w-])(?<![\w-]\.))(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s<>\"')\]]*)?", re.IGNORECASE
)


class ValueGiven(Reply):
    """The value of a field as a model gives it, not yet verified."""

    field: str
    value: str
    passage: str
    words: str
    adds: bool = False


class ItemGiven(Reply):
    """An item as a model gives it."""

    name: str
    passage: str
    left_out: str | None = None
    values: list[ValueGiven] = Field(default_factory=list)


class ItemsInWindow(Reply):
    """The items of a window."""

    items: list[ItemGiven] = Field(default_factory=list)


class CellGiven(Reply):
    """A cell of an id in a few words, not yet verified."""

    id: str
    cell: str


class CellsGiven(Reply):
    """Cells in any order, possibly not all."""

    cells: list[CellGiven] = Field(default_factory=list)


class Cataloguing(Asking):
    """Reads the items of a catalog, and says in its cells what they are."""

    @or_passages
    def cells(self, asked: Asked, long: Sequence[LongCell]) -> list[str]:
        """See `Reader.cells`; the first ones of a large table."""
        by_id = {f"c{n}": one for n, one in enumerate(long[:_MOST_CELLS], start=1)}
        told = "\n".join(
            f"<{short}>{plain(f'{one.item} | {hint_of(one.field)} | ' + '; '.join(one.values))}</{short}>"
            for short, one in by_id.items()
        )
        system = f"{CELLS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language], most=WORDS_OF_A_CELL)}\n\n{DATA}"
        reply = self.ask("cells", system, f"Request: {asked.query}\n\n{told}", CellsGiven)
        said = {given.id: given.cell for given in reply.cells}
        return [said.get(f"c{n}", "") for n, _ in enumerate(long, start=1)]

    @or_passages
    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """See `Reader.items`: what the sources name, with the values whose words stand there."""
        names = [one.name for one in known]
        quotes = {value.quote for one in known for held in one.values.values() for value in held if value.quote}
        window = window_of([asked.query], sources, self.meaning, _OF_KNOWN if known else _OF_ALL, names, quotes)
        if not window.key_of:
            return []
        fields = "\n".join(f"- {field}: {hint_of(field)}" for field in asked.fields)
        told = f"\n\nKnown already: {'; '.join(names[:_MOST_KNOWN])}" if known else ""
        user = f"Request: {asked.query}\n\nFields:\n{fields}{told}\n\n{window.text}"
        system = f"{ITEMS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        reply, before = self.ask("items", system, user, ItemsInWindow), self.log.unproven
        found = [one for item in reply.items if (one := self._candidate(item, asked, window))]
        if self.log.unproven > before and not any(item.values for item in found):
            raise self.unusable("items", "nothing_proven")
        return found

    def _candidate(self, item: ItemGiven, asked: Asked, window: Window) -> CatalogCandidate | None:
        """Return an item that is named in a source and answers the request; None for any other."""
        if not _is_named(item, window):
            self.log.unproven += 1
            return None
        if item.left_out:
            left_out = (item.name, item.left_out[:_LONGEST_REASON])
            self.log.left_out += [left_out] if left_out not in self.log.left_out else []
            return None
        values: dict[str, list[FieldValue]] = {}
        for given in item.values:
            if given.field not in asked.fields or given.field == "name":
                continue
            held = values.get(given.field, [])
            found = _value(given, asked, window)
            if found is None:
                self.log.unproven += 1
            elif len(held) < _MOST_VALUES:
                # What one source says of an item in two places belongs together.
                adds = given.adds or any(one.source_key == found.source_key for one in held)
                values[given.field] = [*held, replace(found, adds=bool(held) and adds)]
        return CatalogCandidate(item.name, values=values)


def _is_named(item: ItemGiven, window: Window) -> bool:
    """Return whether a source has the name."""
    names = name_pattern(item.name)
    return 0 < len(item.name) <= _LONGEST_NAME and any(names.search(one.text) for one in window.sources.values())


def _value(given: ValueGiven, asked: Asked, window: Window) -> FieldValue | None:
    """Return the value if its words stand in a source and say it; of an address, the one in its words."""
    key = window.key_of.get(given.passage)
    place = located(given.words, key, window.sources) if key else None
    if place is None:
        return None
    source = window.sources[place.source_key]
    value = value_of(given.value, place.quote, source, asked.language)
    if value and given.field == "provider_url":
        address = _ADDRESS.search(place.quote)
        value = address[0].rstrip(".,;") if address else None
    if value is None:
        return None
    return FieldValue(value, place.quote, place.source_key, source.reference.url or "", verified=True)
