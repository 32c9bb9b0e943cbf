"""Set sentences as Markdown, each followed by its markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.config import Language
from research.markdown_text import as_markdown
from research.readers.shown import shown
from research.writing.checking import Sentence
from research.writing.claims import ClaimBook
from research.writing.places import Place
from research.writing.wording import wording


def paragraphs(
    sentences: Sequence[Sentence], book: ClaimBook, language: Language, strengths: Mapping[str, str] | None = None
) -> str:
    """Return the sentences as paragraphs.

    `strengths`: by source key, the kind of proof; a paragraph of quotations then begins by saying it, where the
    section has several kinds.
    """
    kinds = {strengths[one.places[0].key] for one in sentences if one.verbatim} if strengths else set[str]()
    found: list[list[str]] = []
    for one in sentences:
        if one.new_paragraph or not found:
            leads = strengths and one.verbatim and len(kinds) > 1
            found.append([wording(language).strength[strengths[one.places[0].key]]] if leads and strengths else [])
        found[-1].append(_set(one, book, language))
    return "\n\n".join(" ".join(of_one) for of_one in found)


def side_by_side(lead: str, places: Sequence[Place], book: ClaimBook, language: Language) -> str:
    """Return a lead sentence followed by the quotations as list items."""
    quotes = (Sentence(shown(place.quote), (place,), verbatim=True) for place in places)
    return "\n".join([lead, "", *(f"- {_set(one, book, language)}" for one in quotes)])


def _set(one: Sentence, book: ClaimBook, language: Language) -> str:
    words, text = wording(language), as_markdown(one.text)
    markers = dict.fromkeys(book.marker(one.text, place) for place in one.places)
    return (
        f"{words.left}{text}{words.right} {' '.join(markers)}" if one.verbatim else f"{text} {' '.join(markers)}"
    )
