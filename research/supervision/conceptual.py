"""Score the evidence that a recurring term is a concept and not an everyday phrase."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from research.supervision.concept_phrases import is_head
from research.supervision.plain_words import plain_heads
from research.supervision.term_tokens import stem_of
from research.text.dictionaries import per_million

if TYPE_CHECKING:
    from research.supervision.analysis.concepts import Term

#: Least mentions of a term that is marked as a concept, and of one that is not.
_LEAST_NAMED, _LEAST = 3, 4
#: Least evidence for a concept; see `_evidence`.
_NEEDED = 2.5
#: Evidence from which an unmarked term needs only `_LEAST_NAMED` mentions.
_STRONG = 3.0
#: Least number and share of sources for a term that none of them marks as a concept.
_LEAST_UNNAMED, _FEW = 3, 0.25
#: Share of bare mentions from which a term counts as mostly bare.
_MOSTLY = 0.6
#: Weight of mostly bare mentions; less in Spanish, where articles are less informative.
_BARE = {"en": 1.0, "es": 0.5}
#: Share of the sources from which a term gets additional weight.
_MANY = 0.5
#: Uses per million words of everyday speech above which a single word is no concept, if marked as one and if not;
#: below the last, it is a technical term.
_EVERYDAY, _RARE, _UNHEARD = 5.0, 1.0, 0.05
#: Endings of abstract nouns.
_ABSTRACT = {
    "en": re.compile(
        r".{3,}(?:[st]ion|ity|ism|ness|ance|ence|ency|ancy|ship|osis|esis|logy|hood|tude|dom|ment|ics)s?"
    ),
    "es": re.compile(r".{3,}(?:ción|sión|dad|tad|ismo|anza|encia|ancia|ez|ura|logía|osis|itud|aje|miento)"),
}
#: Endings of relational adjectives.
_RELATIONAL = {
    "en": re.compile(r".{3,}(?:[ai]c|al|ar|ary|ive|ous|ed|ing|ible|able|ent)"),
    "es": re.compile(
        r".{3,}(?:ic[oa]s?|al(?:es)?|iv[oa]s?|os[oa]s?|ad[oa]s?|id[oa]s?|ar(?:es)?|ble|arias?|orias?)"
    ),
}


def weight_of(term: Term, words: Counter[str], sources: int) -> float:
    """Return a concept's weight from its evidence and its share of the sources; 0 for other terms."""
    share = len(term.sources) / max(sources, 1)
    evidence = _evidence(term, words) + (0.5 if share >= _MANY else 0.0)
    least = _LEAST_NAMED if term.named or evidence >= _STRONG else _LEAST
    if evidence < _NEEDED or term.mentions < least or _is_name(term):
        return 0.0
    if not term.named and (len(term.sources) < _LEAST_UNNAMED or share < _FEW):
        return 0.0
    return evidence + 4 * share


def _evidence(term: Term, words: Counter[str]) -> float:
    written = term.forms.most_common(1)[0][0].split()
    if _is_plain(term, written):
        return 0.0
    found = 1.5 * min(len(term.named), 2) + 0.5 * min(len(term.sources) - 2, 3) + term.has_short_form
    if len(term.stems) == 1:
        return found + _of_one(term, next(word for word in written if stem_of(word, term.language) in term.stems))
    return found + _of_several(term, written, words)


def _of_one(term: Term, word: str) -> float:
    """Return the evidence of a single word, which must be rare in everyday speech."""
    often = per_million(term.language, word)
    if often > (_EVERYDAY if term.named else _RARE):
        return -3.0
    return 1.0 if _ABSTRACT[term.language].fullmatch(word.casefold()) or often < _UNHEARD else 0.0


def _of_several(term: Term, written: list[str], words: Counter[str]) -> float:
    others = written[:-1] if term.language == "en" else written[1:]
    found = 0.0
    # Words that rarely occur without each other.
    found += term.mentions / max(words[stem] for stem in term.stems) >= 0.4
    found += _BARE[term.language] if term.bare >= _MOSTLY * term.mentions else 0.0
    found += any(_ABSTRACT[term.language].fullmatch(word.casefold()) for word in written)
    found += 0.5 * any(_RELATIONAL[term.language].fullmatch(word.casefold()) for word in others)
    return found


def _is_plain(term: Term, written: list[str]) -> bool:
    """Return whether a plain noun heads the term, or is in a term that no source marks as a concept."""
    plain = plain_heads(term.language)
    if all(stem in plain or is_head(stem, term.language) for stem in term.stems):
        return True
    # The head noun is the last in English, the first in Spanish.
    head = written[0] if term.language == "es" else _head(written)
    if stem_of(head, term.language) in plain:
        # Exceptions of several words, marked more than once: "Quality of life year", "zona de desarrollo próximo".
        return not (term.has_short_form or (len(term.named) > 1 and len(term.stems) > 2))
    return not term.named and not plain.isdisjoint(term.stems)


def _head(written: list[str]) -> str:
    """Return the head noun of an English term: "zone" of "zone of development", "distance" of "power distance"."""
    before = written[: written.index("of")] if "of" in written else written
    return before[-1]


def _is_name(term: Term) -> bool:
    return term.capitals * 2 > term.mentions and not term.has_short_form
