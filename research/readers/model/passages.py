"""Choose the passages of sources that a model gets to read, and show them under short ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter

from research.material import SourceText
from research.meaning import Meaning, Text, order_by_nearness
from research.readers.model.asking import LANGUAGE_NAMES
from research.text import count_tokens

#: Tokens of the tags around a passage.
_TAGS = 8
#: A tag of ours inside a source; an invisible character keeps it from being read as one, and quotations ignore it.
_OUR_TAG = re.compile(r"<(?=/?(?:source|text|outline|library|section|excerpts|[pvaec]\d))")


@dataclass(frozen=True)
class Window:
    """Passages as a request shows them."""

    text: str
    #: The key of the source by the id of a passage.
    key_of: Mapping[str, str]
    #: The sources whose passages it shows.
    sources: Mapping[str, SourceText]


def window_of(
    questions: Sequence[str],
    sources: Mapping[str, SourceText],
    meaning: Meaning,
    most_tokens: int,
    names: Sequence[str] = (),
    quotes: Collection[str] = (),
) -> Window:
    """Return the passages to read, in the order of the sources, of at most `most_tokens` together.

    If not all fit, the nearest to each question are taken in turns, those that hold one of `names` first. One that
    holds one of `quotes` was read before, and is left out.
    """
    every = [
        (key, passage)
        for key, source in sources.items()
        for passage in source.passages
        if not any(quote in passage.text for quote in quotes)
    ]
    sizes = [count_tokens(passage.text) + _TAGS for _, passage in every]
    places: Iterable[int] = range(len(every))
    if sum(sizes) > most_tokens:
        wanted = [name.casefold() for name in names]
        texts = [Text(passage.text, sources[key].language) for key, passage in every]
        orders = [order_by_nearness(question, texts, meaning) for question in questions]
        nearest = dict.fromkeys(chain.from_iterable(zip(*orders, strict=True)))
        # The sort is stable: of the passages with a name, and of the others, the nearest come first.
        places = sorted(nearest, key=lambda place: not any(n in texts[place].text.casefold() for n in wanted))
    chosen: list[int] = []
    for place in places:
        if sizes[place] <= most_tokens:
            chosen.append(place)
            most_tokens -= sizes[place]
    key_of: dict[str, str] = {}
    lines: list[str] = []
    for key, passages in groupby((every[place] for place in sorted(chosen)), key=itemgetter(0)):
        lines.append(opening(sources[key]))
        for _, passage in passages:
            short = f"p{len(key_of) + 1}"
            key_of[short] = key
            lines.append(f"<{short}>{plain(passage.text)}</{short}>")
        lines.append("</source>")
    return Window("\n".join(lines), key_of, {key: sources[key] for key in dict.fromkeys(key_of.values())})


def plain(text: str) -> str:
    """Return a text of unknown origin as it stands between tags: none of ours is in it, and no columns."""
    return _OUR_TAG.sub("<\u200b", text.strip().replace("\t", " "))


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
