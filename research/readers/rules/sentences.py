"""Read plain sentences: what they state of a name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from research.material import SourceText
from research.readers.rules.blocks import paragraphs_of
from research.readers.rules.fields import Values, stated
from research.readers.rules.named import CAPITAL, NAME, without_lead
from research.readers.rules.names import is_named
from research.readers.rules.statements import ends, speaks_to_machines
from research.readers.rules.vocabulary import folded, pattern


def said_of(names: Mapping[str, str], source: SourceText, wanted: Sequence[str]) -> dict[str, Values]:
    """Return what sentences state of each name: those that name it alone, and the next ones of its paragraph.

    Nothing of a name that has ended, nor of a longer one: "Otter Hour Plus" is not "Otter Hour". `names`: by the
    form in which a text may write it.
    """
    forms = [(re.compile(rf"(?<!\w){re.escape(form)}(?!\w)(?! {CAPITAL})"), name) for form, name in names.items()]
    found: dict[str, Values] = {}
    ended: set[str] = set()
    for paragraph in paragraphs_of(source.text, source.language):
        name = ""
        for part in (one for one in paragraph if ends(one.quote) and not speaks_to_machines(one.quote)):
            named = {meant for written, meant in forms if written.search(part.quote)}
            first = _first_name(part.text)
            if named or first:
                name = names.get(first, "") or (named.pop() if len(named) == 1 else "")
            if not name:
                continue
            for field in wanted:
                if value := stated(part.quote, field, name):
                    found.setdefault(name, {}).setdefault(field, []).append((value, part))
            if pattern("ended").search(folded(part.quote)):
                ended.add(name)
    return {name: told for name, told in found.items() if name not in ended}


def _first_name(sentence: str) -> str:
    """Return the name that begins a sentence, "" if none does."""
    found = NAME.match(sentence)
    name = without_lead(found[0]) if found else ""
    return name if _is_proper(name) else ""


def _is_proper(name: str) -> bool:
    """Return whether a name has several words, or is one like "BrightVan"."""
    several = " " in name or any(letter.isupper() for letter in name[1:])
    return several and is_named(name) and not name.isupper()
