"""Choose the passages of sources that a model gets to read, and put them into windows under short ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from research.material import SourceText
from research.meaning import Meaning, Text, order_by_nearness
from research.readers.model.asking import LANGUAGE_NAMES
from research.sources.base import Passage
from research.text import count_tokens

#: Most tokens of passages in one request.
WINDOW = 6000
#: Tokens of the tags around a passage.
_TAGS = 8
#: A tag of ours inside a source; an invisible character keeps it from being read as one, and quotations ignore it.
_OUR_TAG = re.compile(r"<(?=/?(?:source|text|outline|library|section|excerpts|[pvae]\d))")

#: The key of a source and one of its passages.
Chosen = tuple[str, Passage]


@dataclass(frozen=True)
class Window:
    """Passages as one request shows them."""

    text: str
    #: The key of the source by the id of a passage.
    key_of: Mapping[str, str]

    def sources(self, every: Mapping[str, SourceText]) -> dict[str, SourceText]:
        """Return the sources whose passages it shows."""
        return {key: every[key] for key in dict.fromkeys(self.key_of.values())}


def windows_of(chosen: Sequence[Chosen], sources: Mapping[str, SourceText]) -> list[Window]:
    """Return the passages in windows of at most `WINDOW` tokens, those of one source together and in order."""
    held, spent, found = list[Chosen](), 0, list[Window]()
    for one in chosen:
        needed = count_tokens(one[1].text) + _TAGS
        if held and spent + needed > WINDOW:
            found.append(_window(held, sources))
            held, spent = [], 0
        held.append(one)
        spent += needed
    return [*found, _window(held, sources)] if held else found


def worthiest(
    questions: Sequence[str],
    sources: Mapping[str, SourceText],
    meaning: Meaning,
    most_tokens: int,
    names: Sequence[str] = (),
) -> list[Chosen]:
    """Return the passages to read, in the order of the sources, of at most `most_tokens` together.

    If all fit, all are returned; else those that hold one of `names`, then the nearest to each question in turns.
    """
    every = [(key, passage) for key, source in sources.items() for passage in source.passages]
    room = most_tokens
    chosen: set[int] = set()
    for place in _by_worth(questions, every, sources, meaning, names, most_tokens):
        needed = count_tokens(every[place][1].text) + _TAGS
        if place not in chosen and needed <= room:
            chosen.add(place)
            room -= needed
    return [every[place] for place in sorted(chosen)]


def _by_worth(
    questions: Sequence[str],
    every: Sequence[Chosen],
    sources: Mapping[str, SourceText],
    meaning: Meaning,
    names: Sequence[str],
    most_tokens: int,
) -> Iterator[int]:
    if sum(count_tokens(passage.text) + _TAGS for _, passage in every) <= most_tokens:
        yield from range(len(every))
        return
    wanted = [name.casefold() for name in names]
    yield from (p for p, (_, passage) in enumerate(every) if any(n in passage.text.casefold() for n in wanted))
    texts = [Text(passage.text, sources[key].language) for key, passage in every]
    orders = [order_by_nearness(question, texts, meaning) for question in questions]
    for ranked in zip(*orders, strict=True):
        yield from ranked


def _window(held: Sequence[Chosen], sources: Mapping[str, SourceText]) -> Window:
    key_of: dict[str, str] = {}
    lines: list[str] = []
    open_key = ""
    for number, (key, passage) in enumerate(held, start=1):
        if key != open_key:
            lines += [*(["</source>"] if open_key else []), opening(sources[key])]
            open_key = key
        key_of[f"p{number}"] = key
        lines.append(f"<p{number}>{plain(passage.text)}</p{number}>")
    return Window("\n".join([*lines, "</source>"]), key_of)


def plain(text: str) -> str:
    """Return a text of unknown origin as it stands between tags: none of ours is in it."""
    return _OUR_TAG.sub("<\u200b", text.strip())


def opening(source: SourceText) -> str:
    """Return the tag that opens a source, with what its reference tells."""
    given = {
        "title": source.reference.title,
        "publisher": source.reference.publisher or source.domain,
        "year": str(source.reference.year or ""),
        "language": LANGUAGE_NAMES.get(source.language, ""),
    }
    told = " ".join(f'{name}="{_attribute(value)}"' for name, value in given.items() if value)
    return f"<source {told}>"


def _attribute(value: str) -> str:
    return " ".join(re.sub(r'[<>"]', " ", value).split())[:160]
