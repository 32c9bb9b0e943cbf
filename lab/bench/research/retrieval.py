"""Whether the library's search finds the passage that answers a question worded unlike it, in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from core.llm.embeddings import open_embedder
from lab.bench.measure import Measure, Target, at_least, measured
from lab.bench.research.retrieving.questions import Asked, Half, pages, questions
from lab.bench.research.retrieving.shelves import Shelves, embed, shelves
from research.sources.library import search_passages
from research.text.stored_meaning import StoredMeaning, open_stored

#: Passages among which the answer must be.
_FIRST = 10


def measure() -> list[Measure]:
    """Ask all questions of both halves by words alone, then by meaning as well."""
    return [measure for half in ("seen", "aside") for measure in _half(half)]


def _half(half: Half) -> list[Measure]:
    asked = questions(half)
    with shelves(pages(half)) as filled:
        lexical = [_is_found(filled, one, None) for one in asked]
        embed(filled)
        meaning = open_stored(filled.context.database, open_embedder(filled.context.settings))
        found = [_is_found(filled, one, meaning) for one in asked]
        crosses = [one.language != filled.language(one.page_id) for one in asked]
    of = "the half that the search was developed with" if half == "seen" else "the half kept aside"
    over = len(filled.documents)
    how = f"%d questions of {of}, over its {over} pages: the passage that answers is among the first 10"
    end = "" if half == "seen" else "_aside"
    across = [one for one, crossing in zip(found, crosses, strict=True) if crossing]
    return [
        _share(f"retrieval_recall_at_10{end}", found, at_least(0.65), how),
        _share(f"retrieval_recall_at_10_lexical{end}", lexical, None, f"{how}; by words alone"),
        _share(f"cross_language_recall_at_10{end}", across, at_least(0.4), f"{how}; it is in the other language"),
    ]


def _is_found(filled: Shelves, asked: Asked, meaning: StoredMeaning | None) -> bool:
    with filled.context.database.session() as session:
        scores = search_passages(session, asked.question, None, asked.language, meaning)
    first = sorted(scores, key=lambda place: (-scores[place], place))[:_FIRST]
    return not filled.answering(asked).isdisjoint(first)


def _share(name: str, found: Sequence[bool], target: Target | None, how: str) -> Measure:
    return measured(name, mean(found), "of 1", target, how % len(found))
