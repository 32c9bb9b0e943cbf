"""Ask a model which items of a catalog the sources tell of, and what they tell of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from research.catalog.candidate_merging import merge_candidates
from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, FieldValue
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import window_of, worthiest
from research.readers.model.reading_prompts import DATA, ITEMS_SYSTEM, hint_of
from research.readers.model.support import value_of
from research.readers.protocol import Asked, ReaderLog
from research.readers.quoted import located

#: Most tokens of passages, of a first reading and of one that follows known items.
_OF_ALL, _OF_KNOWN = 6000, 3800
#: Most names of items found before that are listed.
_MOST_KNOWN = 30
#: Most values of a field of an item: more than one where passages add to each other or contradict each other.
_MOST_VALUES = 4
#: Most characters of a name and of a reason.
_LONGEST_NAME, _LONGEST_REASON = 120, 200
#: A web address, with or without its scheme.
_ADDRESS = re.compile(r"(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s<>\"')\]]*)?", re.IGNORECASE)


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


def items_of(
    asking: Asking, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[str], meaning: Meaning
) -> list[CatalogCandidate] | None:
    """Return the items that the sources name, with the values whose words stand there.

    None if the reply cannot be used.
    """
    chosen = worthiest([asked.query], sources, meaning, _OF_KNOWN if known else _OF_ALL, known)
    if not chosen:
        return []
    window = window_of(chosen, sources)
    fields = "\n".join(f"- {field}: {hint_of(field)}" for field in asked.fields)
    names = f"\n\nKnown already: {'; '.join(known[:_MOST_KNOWN])}" if known else ""
    user = f"Request: {asked.query}\n\nFields:\n{fields}{names}\n\n{window.text}"
    system = f"{ITEMS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
    reply = asking.ask("items", system, user, ItemsInWindow, "research.items")
    if reply is None:
        return None
    before = asking.log.unproven
    checking = _Checking(asked, window.key_of, window.sources(sources), asking.log)
    found = [one for item in reply.items if (one := checking.candidate(item))]
    if asking.log.unproven > before and not any(item.values for item in found):
        asking.failed("items", "nothing_proven")
        return None
    return merge_candidates(found, asked.fields)


@dataclass(frozen=True)
class _Checking:
    """Takes from a reply what stands in the sources of its window, and counts in the log what does not."""

    asked: Asked
    key_of: Mapping[str, str]
    sources: Mapping[str, SourceText]
    log: ReaderLog

    def candidate(self, item: ItemGiven) -> CatalogCandidate | None:
        """Return an item that is named in a source and answers the request; None for any other."""
        key = self._naming(item)
        if key is None:
            self.log.unproven += 1
        elif item.left_out:
            left_out = (item.name, item.left_out[:_LONGEST_REASON])
            self.log.left_out += [left_out] if left_out not in self.log.left_out else []
        else:
            return self._with_values(item, key)
        return None

    def _naming(self, item: ItemGiven) -> str | None:
        """Return the key of a source that has the name, that of the given passage before others."""
        given = self.key_of.get(item.passage)
        keys = sorted(self.sources, key=lambda key: key != given) if 0 < len(item.name) <= _LONGEST_NAME else []
        return next((key for key in keys if is_named(item.name, self.sources[key].text)), None)

    def _with_values(self, item: ItemGiven, key: str) -> CatalogCandidate:
        values: dict[str, list[FieldValue]] = {}
        for given in item.values:
            if given.field not in self.asked.fields or given.field == "name":
                continue
            held = values.setdefault(given.field, [])
            found = self._value(given)
            if found and len(held) < _MOST_VALUES:
                # What one source says of an item in two places belongs together.
                adds = given.adds or any(one.source_key == found.source_key for one in held)
                held.append(replace(found, adds=bool(held) and adds))
        values = {field: held for field, held in values.items() if held}
        keys = [key, *(value.source_key for held in values.values() for value in held)]
        urls = [self.sources[key].reference.url for key in dict.fromkeys(keys)]
        address = values.get("provider_url", [])
        return CatalogCandidate(
            name=item.name,
            provider_url=address[0].value if address else None,
            evidence_urls=[url for url in urls if url],
            values=values,
        )

    def _value(self, given: ValueGiven) -> FieldValue | None:
        """Return the value if its words stand in a source and say it; of an address, the one in its words."""
        key = self.key_of.get(given.passage)
        place = located(given.words, key, self.sources) if key else None
        source = self.sources[place.source_key] if place else None
        value = value_of(given.value, place.quote, source, self.asked.language) if place and source else None
        if place is None or source is None or value is None:
            self.log.unproven += 1
            return None
        if given.field == "provider_url":
            address = _ADDRESS.search(place.quote)
            if address is None:
                return None
            value = address[0].rstrip(".,;")
        return FieldValue(value, place.quote, place.source_key, source.reference.url or "", verified=True)


def is_named(name: str, text: str) -> bool:
    """Return whether the text has the name as a whole, in any case and with any white space."""
    spaced = r"\s+".join(map(re.escape, name.split()))
    return bool(spaced) and re.search(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE) is not None
