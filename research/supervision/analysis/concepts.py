"""Find the concepts that texts rest on: terms marked as concepts, or recurring terms built like them.

A term is a stretch of one to four words that several sources use. It is a concept if they mark it as one ("the
concept of social capital", "known as scaffolding", "teoría del apego"), or if it is built like one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from research.material import SourceText
from research.supervision.concept_phrases import Cues, abbreviations, has_theory, without_heads
from research.supervision.conceptual import weight_of
from research.supervision.term_tokens import Stretch, Token, stretches, tokens_of
from research.text import content_stems, split_sentences

Stems = tuple[str, ...]
#: Share of a term's mentions within a longer term from which the longer one replaces it.
_WITHIN = 0.6


@dataclass(frozen=True)
class Concept:
    """A concept and the sources that mention it."""

    #: Its most frequent form.
    term: str
    #: Its sorted content stems, equal for its different forms.
    stems: Stems
    language: str
    #: Citation keys of sources with a sentence about it.
    sources: tuple[str, ...]
    #: Number of those that mark it as a concept.
    named: int
    mentions: int
    #: The evidence that it is a concept; see `conceptual`.
    weight: float


@dataclass
class Term:
    """A recurring stretch of words."""

    stems: Stems
    language: str
    forms: Counter[str] = field(default_factory=Counter)
    sources: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    mentions: int = 0
    #: Mentions with a capital within a sentence.
    capitals: int = 0
    #: Mentions in the singular without a determiner or another word before them.
    bare: int = 0
    has_short_form: bool = False


def concepts_of(sources: Sequence[tuple[str, SourceText]]) -> list[Concept]:
    """Return the concepts of the sources, highest weight first."""
    found: dict[tuple[str, Stems], Term] = {}
    words: Counter[str] = Counter()
    seen: set[str] = set()
    known = {short: words for _, source in sources for short, words in abbreviations(source.text)}
    short = {words.casefold() for words in known.values()}
    for key, source in sources:
        language = "es" if source.language.startswith("es") else "en"
        text = _spelled_out(source.text, known)
        for start, end in split_sentences(text, language):
            sentence = " ".join(text[start:end].split())
            # A sentence that recurs verbatim was copied and counts once.
            if sentence not in seen:
                seen.add(sentence)
                _read(sentence, key, language, found, words, short)
    terms = [term for term in found.values() if len(term.sources) > 1]
    concepts = [_concept(term, weight_of(term, words, len(sources))) for term in _longest(terms)]
    concepts = [concept for concept in concepts if concept.weight > 0]
    return sorted(concepts, key=lambda one: (-one.weight, -len(one.sources), -one.mentions, one.term))


def mentions(stems: Sequence[str], sentences: Sequence[frozenset[str]]) -> int:
    """Return the number of sentences that contain all stems of a concept."""
    wanted = frozenset(stems)
    return sum(wanted <= sentence for sentence in sentences)


def stems_of(term: str, language: str) -> Stems:
    """Return the stems that identify a concept, without "theory", "model" and the like if others remain."""
    return tuple(sorted(set(without_heads(content_stems(_HYPHEN.sub(" ", term), language), language))))


def stems_by_sentence(text: str, language: str) -> Iterator[frozenset[str]]:
    """Yield the stems of each sentence, with hyphenated words split."""
    for start, end in split_sentences(text, language):
        yield frozenset(content_stems(_HYPHEN.sub(" ", text[start:end]), language))


_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")


def _spelled_out(text: str, known: Mapping[str, str]) -> str:
    """Return the text with abbreviations expanded, except where they are introduced in brackets."""
    for short, words in known.items():
        text = re.sub(rf"(?<!\()\b{short}\b", words, text)
    return text


def _read(
    sentence: str,
    key: str,
    language: str,
    found: dict[tuple[str, Stems], Term],
    words: Counter[str],
    short: set[str],
) -> None:
    tokens = tokens_of(sentence, language)
    words.update({token.stem for token in tokens if token.stem})
    cues = Cues(sentence, language)
    here: set[Stems] = set()
    for stretch in stretches(tokens, language):
        stems = tuple(sorted(set(without_heads(stretch.stems, language))))
        term = found.get((language, stems))
        if term is None:
            term = found[language, stems] = Term(stems, language)
        first, last = tokens[stretch.first], tokens[stretch.last]
        form = sentence[first.start : last.start + len(last.small)]
        term.forms[form if first.word[1:].isupper() else f"{form[:1].lower()}{form[1:]}"] += 1
        if stems not in here:
            here.add(stems)
            term.mentions += 1
            term.sources.add(key)
            term.capitals += stretch.first > 0 and any(
                tokens[at].is_capital for at in range(stretch.first, stretch.last + 1)
            )
            term.bare += _is_bare(stretch, tokens, language)
        if cues.name(stretch, tokens) or has_theory(stretch.stems, language):
            term.named.add(key)
        term.has_short_form |= form.casefold() in short


def _is_bare(stretch: Stretch, tokens: Sequence[Token], language: str) -> bool:
    before = tokens[stretch.first - 1] if stretch.first and tokens[stretch.first].joins else None
    if before is not None and (before.stem is not None or before.small in _DETERMINERS[language]):
        return False
    leading = stretch.first if language == "es" else stretch.last
    return _PLURAL.fullmatch(tokens[leading].small) is None


#: Determiners before countable nouns; Spanish "el" and "la" are omitted, since every noun may have them.
_DETERMINERS = {
    "en": frozenset(
        {"the", "a", "an", "this", "that", "these", "those", "each", "every", "some", "any", "no"}
        | {"his", "her", "its", "their", "our", "your", "my"}
    ),
    "es": frozenset(
        {"un", "una", "unos", "unas", "este", "esta", "ese", "esa", "aquel", "aquella", "cada", "algún", "alguna"}
        | {"su", "sus", "mi", "nuestro", "nuestra", "los", "las"}
    ),
}
_PLURAL = re.compile(r".*(?<![sui])s")


def _longest(terms: Sequence[Term]) -> list[Term]:
    """Return the terms that are not just parts of longer ones, as "proximal development" is of its zone."""
    holding: dict[str, list[Term]] = defaultdict(list)
    for term in terms:
        for stem in term.stems:
            holding[stem].append(term)
    return [term for term in terms if not _is_part(term, holding)]


def _is_part(term: Term, holding: Mapping[str, Sequence[Term]]) -> bool:
    rarest = min((holding[stem] for stem in term.stems), key=len)
    return any(
        len(other.stems) > len(term.stems)
        and set(term.stems) < set(other.stems)
        and len(other.sources) > 1
        and other.mentions >= _WITHIN * term.mentions
        for other in rarest
    )


def _concept(term: Term, weight: float) -> Concept:
    # Of equally frequent forms the longer, such as the one with "theory".
    written = max(term.forms, key=lambda form: (term.forms[form], len(form), form))
    return Concept(
        term=written,
        stems=term.stems,
        language=term.language,
        sources=tuple(sorted(term.sources)),
        named=len(term.named),
        mentions=term.mentions,
        weight=weight,
    )
