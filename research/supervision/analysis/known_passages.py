"""Choose what a model is told of the sources: their passages near the document's subject that it does not use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from research.document import Reference, ReportDocument
from research.material import SourceText
from research.meaning import Meaning, NoMeaning, Text, order_by_nearness
from research.readers.rules.statements import is_statement
from research.supervision.plain_text import is_said, plain_of
from research.text import split_sentences

#: Most passages, most of one source, and most words of a passage.
_MOST, _MOST_OF_A_SOURCE, _WORDS = 10, 2, 60
#: Most passages, the nearest by their words, whose meaning is compared.
_COMPARED = 120


@dataclass(frozen=True)
class KnownPassage:
    """What a source says and the document does not."""

    reference: Reference
    text: str


def known_passages(
    document: ReportDocument, sources: Mapping[str, SourceText], meaning: Meaning
) -> list[KnownPassage]:
    """Return the passages nearest to the document's question, without the sentences that it has already."""
    every = [(key, passage.text) for key, source in sources.items() for passage in source.passages]
    question = f"{document.title} {document.query}".strip()
    near = _ordered(_ordered(every, question, sources, NoMeaning())[:_COMPARED], question, sources, meaning)
    said, taken, chosen = plain_of(document), Counter[str](), list[KnownPassage]()
    for key, text in near:
        if len(chosen) == _MOST:
            break
        if taken[key] < _MOST_OF_A_SOURCE and (unused := _unused(text, sources[key].language, said)):
            taken[key] += 1
            chosen.append(KnownPassage(sources[key].reference, unused))
    return chosen


def _ordered(
    passages: Sequence[tuple[str, str]], question: str, sources: Mapping[str, SourceText], meaning: Meaning
) -> list[tuple[str, str]]:
    texts = [Text(text, sources[key].language) for key, text in passages]
    return [passages[place] for place in order_by_nearness(question, texts, meaning)]


def _unused(text: str, language: str, said: str) -> str:
    """Return the statements of a passage that the document lacks, up to `_WORDS` words."""
    kept: list[str] = []
    for start, end in split_sentences(text, language):
        sentence = " ".join(text[start:end].split())
        if is_statement(sentence) and not is_said(sentence, said):
            kept.append(sentence)
    words = " ".join(kept).split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")
