"""Ask a model which items of a catalog the sources tell of, and what they tell of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import Field

from research.catalog.candidate_merging import merge_candidates
from research.material import SourceText
from research.meaning import Meaning
from research.memo import CatalogCandidate, FieldValue
from research.readers.model.asking import LANGUAGE_NAMES, Asking, Reply
from research.readers.model.passages import WINDOW, Window, windows_of, worthiest
from research.readers.model.reading_prompts import DATA, ITEMS_SYSTEM, hint_of
from research.readers.model.support import value_of
from research.readers.protocol import Asked
from research.readers.quoted import located
from research.readers.rules.reader import RulesReader

#: Most tokens of passages, of a first reading and of one that follows known items.
_OF_ALL, _OF_KNOWN = WINDOW, 3800
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
    asking: Asking,
    asked: Asked,
    sources: Mapping[str, SourceText],
    known: Sequence[str],
    meaning: Meaning,
    rules: RulesReader,
) -> list[CatalogCandidate]:
    """Return the items that the sources name, with the values whose words stand there."""
    chosen = worthiest([asked.query], sources, meaning, _OF_KNOWN if known else _OF_ALL, known)
    found: list[CatalogCandidate] = []
    for window in windows_of(chosen, sources):
        read = _of_window(asking, asked, window, window.sources(sources), known)
        found += rules.items(asked, window.sources(sources), known) if read is None else read
    return merge_candidates(found, asked.fields)


def _of_window(
    asking: Asking, asked: Asked, window: Window, sources: Mapping[str, SourceText], known: Sequence[str]
) -> list[CatalogCandidate] | None:
    """Return the items of a window, None if the reply cannot be used."""
    language = LANGUAGE_NAMES[asked.language]
    fields = "\n".join(f"- {field}: {hint_of(field)}" for field in asked.fields)
    names = f"\n\nKnown already: {'; '.join(known[:_MOST_KNOWN])}" if known else ""
    user = f"Request: {asked.query}\n\nFields:\n{fields}{names}\n\n{window.text}"
    system = f"{ITEMS_SYSTEM.format(language=language)}\n\n{DATA}"
    reply = asking.ask("items", system, user, ItemsInWindow, "research.items")
    if reply is None:
        return None
    checked = _Checked(asked, window, sources)
    found = list(checked.items(reply.items))
    asking.log.unproven += checked.unproven
    asking.log.left_out += [one for one in checked.left_out if one not in asking.log.left_out]
    if checked.unproven and not any(item.values for item in found):
        asking.failed("items", "nothing_proven")
        return None
    return found


@dataclass
class _Checked:
    """Takes from a reply what stands in the sources of its window."""

    asked: Asked
    window: Window
    sources: Mapping[str, SourceText]
    unproven: int = 0

    def __post_init__(self) -> None:
        self.left_out: list[tuple[str, str]] = []

    def items(self, given: Sequence[ItemGiven]) -> Iterator[CatalogCandidate]:
        """Yield the items that are named in a source and answer the request."""
        for item in given:
            key = self._naming(item)
            if key is None:
                self.unproven += 1
            elif item.left_out:
                self.left_out.append((item.name, item.left_out[:_LONGEST_REASON]))
            else:
                yield self._candidate(item, key)

    def _naming(self, item: ItemGiven) -> str | None:
        """Return the key of a source that has the name, that of the given passage before others."""
        if not 0 < len(item.name) <= _LONGEST_NAME:
            return None
        given = self.window.key_of.get(item.passage)
        keys = dict.fromkeys([*([given] if given else []), *self.sources])
        return next((key for key in keys if is_named(item.name, self.sources[key].text)), None)

    def _candidate(self, item: ItemGiven, key: str) -> CatalogCandidate:
        values: dict[str, list[FieldValue]] = {}
        for given in item.values:
            if given.field in self.asked.fields and given.field != "name":
                found = self._address(given) if given.field == "provider_url" else self._value(given)
                held = values.setdefault(given.field, []) if found else []
                if found and len(held) < _MOST_VALUES:
                    # What one source says of an item in two places belongs together.
                    adds = given.adds or any(one.source_key == found.source_key for one in held)
                    held.append(replace(found, adds=bool(held) and adds))
        keys = [key, *(value.source_key for told in values.values() for value in told)]
        urls = [self.sources[key].reference.url for key in dict.fromkeys(keys)]
        address = values.get("provider_url", [])
        return CatalogCandidate(
            name=item.name,
            provider_url=address[0].value if address else None,
            evidence_urls=[url for url in urls if url],
            values=values,
        )

    def _address(self, given: ValueGiven) -> FieldValue | None:
        """Return the first web address of the words; words without one are no evidence of it."""
        told = self._value(given)
        found = _ADDRESS.search(told.quote) if told else None
        return replace(told, value=found[0].rstrip(".,;")) if told and found else None

    def _value(self, given: ValueGiven) -> FieldValue | None:
        key = self.window.key_of.get(given.passage)
        place = located(given.words, key, self.sources) if key else None
        if place is None:
            self.unproven += 1
            return None
        source = self.sources[place.source_key]
        value = value_of(given.value, place.quote, source, self.asked.language)
        if value is None:
            self.unproven += 1
            return None
        url = source.reference.url or ""
        return FieldValue(value, place.quote, place.source_key, url, verified=True)


def is_named(name: str, text: str) -> bool:
    """Return whether the text has the name as a whole, in any case and with any white space."""
    spaced = r"\s+".join(map(re.escape, name.split()))
    return bool(spaced) and re.search(rf"(?<!\w){spaced}(?!\w)", text, re.IGNORECASE) is not None
