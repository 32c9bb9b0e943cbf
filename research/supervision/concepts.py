"""Concepts that texts rest on: terms that are named as such, or that recur as concepts' terms do.

A term is what recurs: a stretch of one to four words that several sources use. It is a concept where they name it
so ("the concept of social capital", "known as scaffolding", "teoría del apego"), or where it is built like one.
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
#: Share of the mentions of a term that stand within a longer one, from which on the longer one is the term.
_WITHIN = 0.6


@dataclass(frozen=True)
class Concept:
    """A concept with where it stands."""

    #: As it is written most often.
    term: str
    #: Its content stems, sorted; what two spellings of it share.
    stems: Stems
    language: str
    #: Citation keys of sources with a sentence about it.
    sources: tuple[str, ...]
    #: Of those, how many name it as a concept.
    named: int
    mentions: int
    #: How much speaks for its being one; see `conceptual`.
    weight: float


@dataclass
class Term:
    """A stretch of words that recurs."""

    stems: Stems
    language: str
    forms: Counter[str] = field(default_factory=Counter)
    sources: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    mentions: int = 0
    #: Mentions written as names are.
    capitals: int = 0
    #: Mentions in the singular, without what stands in front of things that can be counted.
    bare: int = 0
    has_short_form: bool = False


def concepts_of(sources: Sequence[tuple[str, SourceText]]) -> list[Concept]:
    """What the sources write about as concepts, those that most speaks for first."""
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
            # What several sources say word for word is copied.
            if sentence not in seen:
                seen.add(sentence)
                _read(sentence, key, language, found, words, short)
    terms = [term for term in found.values() if len(term.sources) > 1]
    concepts = [_concept(term, weight_of(term, words, len(sources))) for term in _longest(terms)]
    concepts = [concept for concept in concepts if concept.weight > 0]
    return sorted(concepts, key=lambda one: (-one.weight, -len(one.sources), -one.mentions, one.term))


def mentions(stems: Sequence[str], sentences: Sequence[frozenset[str]]) -> int:
    """In how many sentences all stems of a concept stand together."""
    wanted = frozenset(stems)
    return sum(wanted <= sentence for sentence in sentences)


def stems_of(term: str, language: str) -> Stems:
    """The stems that a concept is known by: without "theory", "model" and the like where anything else is left."""
    return tuple(sorted(set(without_heads(content_stems(_HYPHEN.sub(" ", term), language), language))))


def stems_by_sentence(text: str, language: str) -> Iterator[frozenset[str]]:
    """The stems of each sentence, each word of a hyphenated one by itself."""
    for start, end in split_sentences(text, language):
        yield frozenset(content_stems(_HYPHEN.sub(" ", text[start:end]), language))


_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")


def _spelled_out(text: str, known: Mapping[str, str]) -> str:
    """The text with what its abbreviations stand for; where one is introduced it stays."""
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


#: What stands in front of things that can be counted or pointed at; in Spanish every noun has its "el" or "la".
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
    """Terms that are not merely parts of longer ones: "proximal development" of its zone."""
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
    # With "theory" where it is said as often as without.
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
