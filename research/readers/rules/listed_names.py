"""Find names of items that a page describes one by one, in list entries or in headings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from research.markdown_text import without_marks
from research.questions.field_lexicon import MONEY
from research.readers.rules.list_items import ListItem, list_items
from research.text.numbers import is_number_word
from research.words import words_of

_QUOTED = re.compile(
    r"(?:(?P<mark>\*\*|__|\*|_)(?P<strong>[^*_\n]{2,70}?)(?P=mark)|[“\"«](?P<quoted>[^”\"»\n]{2,70})[”\"»])"
)
_LINKED = re.compile(r"\[(?P<linked>[^\]\n]{2,70})\]\([^)\s]+\)")
_BARE = re.compile(r"(?P<bare>[^\n:;|—–(.]{2,70}?)[ \t]{0,20}(?=:[ \t]|[—–]|[ \t]-[ \t]|\()")
_SEPARATOR = re.compile(r"[ \t]*(?:\([^)]{0,500}\)[ \t]*)?(?:[:—–,.]|[ \t]-[ \t])*[ \t]*")
_ADDRESS = re.compile(r"https?://|\bwww\.")
_HEADING = re.compile(r"^(?P<level>#{2,6}) +(?:\d+[.)] *)?(?P<name>[^\n#|]{2,80}?)[ \t#]*$", re.MULTILINE)
#: Verbs in the third person present: "lends", "ofrece"; as a first word, its subject is the omitted name.
_ACT = re.compile(
    r"(?!this\b|his\b|its\b|always\b|sus\b|los\b|las\b|unas?\b|una\b|para\b|entre\b|sobre\b|cada\b)"
    r"(?:[a-z]{2,}[^sui\W]s|is|was|es|son|[a-záéíóúñü]{2,}(?:a|e|an|en|ó))\b(?!,)",
    re.IGNORECASE,
)
_THIS = re.compile(r"(?:this|est[ea]|el|la|the)\s(\w+)", re.IGNORECASE)
#: Text that follows the name of a person.
SPEAKS = re.compile(
    r"^,? ?(?:said|says|explained|explains|told|recalls|dijo|dice|explicó|explica|afirma|cuenta)\b"
    r"|^, (?:an? |the |el |la |una? )?(?:\w+ ){0,2}(?:professor|director|founder|teacher|manager|nurse|author"
    r"|mother|researcher|father|curator|engineer|head"
    r"|reporter|profesora?|directora?|fundadora?|maestr[oa]|enfermer[oa]"
    r"|autora?|investigadora?|madre|padre)\b"
)
_A_THING = re.compile(r"(?:an?|una?|the) [a-záéíóúñü]", re.IGNORECASE)
#: Verbs with which an instruction to the reader begins.
_ORDERS = frozenset(
    (
        *(
            "ask",
            "bring",
            "buy",
            "call",
            "check",
            "choose",
            "compare",
            "find",
            "get",
            "learn",
            "make",
            "plan",
            "read",
        ),
        *("register", "set", "start", "take", "use", "visit", "write", "avoid", "be", "consider", "don't", "pay"),
        *("busque", "compare", "compre", "elija", "escriba", "evite", "llame", "lleve", "pida", "use", "visite"),
        *("busca", "compra", "elige", "escribe", "evita", "llama", "lleva", "pide", "usa", "visita", "revise"),
    )
)


def listed_names(text: str, speaks: Callable[[str], bool]) -> Iterator[str]:
    """Yield the leading names in lists of which half the entries state what the item does, costs or is."""
    for group in _groups(text):
        entries = [(item, found) for item in group if (found := _leading(text[item.start : item.end]))]
        told = sum(_tells(rest, is_marked=marked, speaks=speaks) for _, (_, rest, marked) in entries)
        # Labels such as "Cost: …", "Location: …" mean that the list describes a single item.
        of_one = any(name.casefold() in words_of("headings") for _, (name, _, _) in entries)
        if not of_one and len(entries) >= 2 and 2 * len(entries) > len(group) and 2 * told >= len(entries):
            yield from (
                name for _, (name, rest, _) in entries if _names_a_thing(name, text) and not SPEAKS.match(rest)
            )


def headed_names(text: str, speaks: Callable[[str], bool]) -> Iterator[str]:
    """Yield the headings of a level under each of which the page describes one item."""
    parts = list(_parts(text))
    for level in dict.fromkeys(part.level for part in parts):
        named = [part for part in parts if part.level == level and _may_head(part.name, text)]
        strong = sum(part.tells_of_one(speaks) for part in named)
        priced = sum(bool(MONEY.search(part.body)) for part in named)
        if len(named) >= 2 and strong and 2 * max(strong, priced) >= len(named):
            yield from (part.name for part in named)


def begins_with_number(name: str) -> bool:
    """Return whether the first word is a number: "Four programmes", "Cuatro"."""
    words = name.split()
    return bool(words) and is_number_word(words[0])


def is_titled(text: str) -> bool:
    """Return whether a text is written like a name: few words, all capitalised except function words."""
    words = [word for word in re.findall(r"[^\W_][\w'’-]*", text) if word.casefold() not in words_of("joining")]
    return 0 < len(words) <= 7 and all(
        word[0].isupper() or word[0].isdigit() or word[1:] != word[1:].lower() for word in words
    )


@dataclass(frozen=True, slots=True)
class _Part:
    level: int
    name: str
    body: str

    def tells_of_one(self, speaks: Callable[[str], bool]) -> bool:
        """Return whether the part describes one item.

        It does if it has a URL, repeats the name, or begins without a subject: "Sends boxes …".
        """
        body = self.body.lstrip()
        first = _THIS.match(body)
        return (
            bool(_ADDRESS.search(body))
            or self.name in without_marks(body)
            or bool(_ACT.match(body))
            or bool(first and speaks(first[1]))
        )


def _parts(text: str) -> Iterator[_Part]:
    found = list(_HEADING.finditer(text))
    for n, match in enumerate(found):
        end = found[n + 1].start() if n + 1 < len(found) else len(text)
        yield _Part(len(match["level"]), without_marks(match["name"]).strip(" :"), text[match.end() : end])


def _may_head(name: str, text: str) -> bool:
    words = [word.casefold() for word in re.findall(r"[^\W_]+", name)]
    said = [word for word in words if word not in words_of("joining")]
    return (
        is_titled(name)
        and not name.endswith(("?", "!", "."))
        and not any(word in words_of("headings") for word in said)
        and not (said and said[0].endswith("ing"))
        and _names_a_thing(name, text)
    )


def _groups(text: str) -> Iterator[list[ListItem]]:
    group: list[ListItem] = []
    for item in list_items(text):
        if item.is_first and group:
            yield group
            group = []
        group.append(item)
    if group:
        yield group


def _leading(body: str) -> tuple[str, str, bool] | None:
    """Return the name that begins an entry, the rest, and whether it is marked up; None without a name."""
    match = _LINKED.match(body) or _QUOTED.match(body)
    inner = match and next(told for told in match.groupdict().values() if told and told not in "**__")
    marked = match is not None
    if match is None:
        match = _BARE.match(body)
        inner = match["bare"] if match else None
    if match is None or not inner:
        return None
    name = without_marks(inner).strip(" :.,")
    return (name, body[match.end() :], marked) if is_titled(name) else None


def _tells(rest: str, *, is_marked: bool, speaks: Callable[[str], bool]) -> bool:
    if SPEAKS.match(rest):
        return False
    told = _SEPARATOR.sub("", rest, count=1)
    return (
        bool(MONEY.search(rest) or _ADDRESS.search(rest))
        or bool(_ACT.match(told))
        or (speaks(rest) and (is_marked or bool(_A_THING.match(told))))
    )


def _names_a_thing(name: str, text: str) -> bool:
    """Return False for a term that the text also has in lower case, a count, or an instruction."""
    words = name.casefold().split()
    counts = is_number_word(words[0]) or is_number_word(words[-1])
    return not counts and words[0] not in _ORDERS and not (len(words) > 1 and name.casefold() in text)
