"""Extract values of a candidate's fields, each with the sentence that states it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlsplit

from research.catalog.candidate_names import item_name
from research.citations import registrable_domain, verify_quote
from research.markdown_text import without_marks
from research.material import SourceText
from research.memo.types import FieldValue
from research.questions.catalog_fields import field_key, field_label, is_pricing
from research.questions.field_lexicon import BY_KEY, MONEY
from research.readers.rules.name_scope import Stretch
from research.text import content_stems
from research.text.stems import fold_accents

#: Most values of one field.
MAX_VALUES = 3
_MAX_VALUE = 220
_IS = re.compile(r"\b(?:is|are|es|son) (?:an?|the|one|una?|el|la)\b|,\s(?:an?|una?)\s", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>()\[\]|\"”»']+[^\s<>()\[\]|\"”»'.,;:!?]")
_UNIT = (
    r"(?:\s*(?:/\s?|(?:per|an|a|each|por|al|cada|the)\s)(?:[^\W\d_]+)(?: (?:per|a|por|al?) [^\W\d_]+)?"
    r"|\s*(?:monthly|annually|yearly|weekly|mensual(?:es)?|anual(?:es)?|semanal(?:es)?))?"
)
_FOR_WHOM = r"(?:\s(?:for|para)\s(?:each|every|one|an?|all|cada|una?|tod[oa]s)(?:\s[^\W\d_]+){1,2})?"
_RANGE = rf"(?:{MONEY.pattern})(?:\s?(?:-|–|to|and|a|y|hasta)\s?(?:{MONEY.pattern}))?"
_DANGLING = re.compile(r"\s(?:and|or|for|in|y|o|e|en|para)$", re.IGNORECASE)
_PRICE = re.compile(_RANGE + _UNIT + _FOR_WHOM, re.IGNORECASE)


class FieldReader:
    """Reads the fields of one candidate from the stretches of text about it."""

    def __init__(
        self, name: str, stretches: Sequence[Stretch], sources: Mapping[str, SourceText], subject: frozenset[str]
    ) -> None:
        self._name = name
        self._sources = sources
        self._subject = subject
        self._stretches = stretches
        self._own_domain = self._domain_of_provider()

    def values(self, field: str) -> list[FieldValue]:
        """Return at most three values, best first; empty if the sources state none."""
        readers: dict[str, Callable[[], list[FieldValue]]] = {
            "name": self._names,
            "provider_url": self._addresses,
            "problem_solved": self._purposes,
            "proof_links": self._proof,
            "evaluation": self._evaluations,
        }
        key = field_key(field)
        if is_pricing(key):
            return self._prices()[:MAX_VALUES]
        return (readers[key]() if key in readers else self._told(key))[:MAX_VALUES]

    def _value(self, value: str, stretch: Stretch) -> FieldValue:
        source = self._sources[stretch.source_key]
        verdict = verify_quote(stretch.sentence, stretch.source_key, {stretch.source_key: source.text})
        told = " ".join(without_marks(value).split()) or value
        return FieldValue(
            value=told if len(told) <= _MAX_VALUE else told[:_MAX_VALUE].rsplit(" ", 1)[0] + "…",
            quote=stretch.sentence,
            source_key=stretch.source_key,
            url=source.reference.url or "",
            verified=verdict.status == "verified",
        )

    def _names(self) -> list[FieldValue]:
        named_first = sorted(self._stretches, key=lambda stretch: not stretch.named)
        return [self._value(self._name, stretch) for stretch in named_first[:1]]

    def _prices(self) -> list[FieldValue]:
        found = []
        for stretch in sorted(self._stretches, key=lambda one: not one.named):
            amounts = [_DANGLING.sub("", " ".join(match[0].split())) for match in _PRICE.finditer(stretch.part)]
            if amounts:
                found.append(self._value("; ".join(list(dict.fromkeys(amounts))[:3]), stretch))
            if len(found) == MAX_VALUES:
                break
        return found

    def _addresses(self) -> list[FieldValue]:
        words = _compact(self._name)
        in_text = [(match[0], stretch) for stretch in self._stretches for match in _URL.finditer(stretch.part)]
        # A URL that contains the name precedes all others.
        in_text.sort(key=lambda pair: words not in _compact(pair[0]))
        found = [self._value(address, stretch) for address, stretch in in_text[:MAX_VALUES]]
        for stretch in self._stretches:
            url = self._sources[stretch.source_key].reference.url
            if stretch.named and url and self._is_own(stretch.source_key):
                return [self._value(url, stretch), *found]
        return found

    def _purposes(self) -> list[FieldValue]:
        ranked = self._ranked("problem_solved")
        told = [stretch for stretch in ranked if stretch.named]
        # Without a sentence on its purpose, use one that defines it; else stretches that do not name it.
        told = (
            told
            or [stretch for stretch in self._stretches if stretch.named and _IS.search(stretch.part)]
            or ranked
        )
        return [self._value(stretch.sentence, stretch) for stretch in told[:MAX_VALUES]]

    def _proof(self) -> list[FieldValue]:
        """Return evidence from sources of other domains."""
        found = [one for one in self._ranked("proof_links") if not self._is_own(one.source_key)][:MAX_VALUES]
        return [
            self._value(
                self._sources[one.source_key].reference.url or self._sources[one.source_key].reference.title, one
            )
            for one in found
        ]

    def _evaluations(self) -> list[FieldValue]:
        ranked = sorted(self._ranked("evaluation"), key=lambda one: self._is_own(one.source_key))
        return [self._value(one.part, one) for one in ranked[:MAX_VALUES]]

    def _told(self, key: str) -> list[FieldValue]:
        return [self._value(stretch.part, stretch) for stretch in self._ranked(key)[:MAX_VALUES]]

    def _ranked(self, key: str) -> list[Stretch]:
        """Return the stretches that state a field, first those that name the candidate and match the question."""
        kind = BY_KEY.get(key)
        asked = set(content_stems(field_label(key), "en")) | set(content_stems(field_label(key), "es"))

        def tells(stretch: Stretch) -> bool:
            if kind and kind.told:
                return bool(kind.told.search(stretch.part))
            return bool(asked & set(content_stems(stretch.part, self._sources[stretch.source_key].language)))

        def rank(stretch: Stretch) -> tuple[bool, int]:
            stems = set(content_stems(stretch.sentence, self._sources[stretch.source_key].language))
            return not stretch.named, -len(stems & self._subject)

        return sorted((stretch for stretch in self._stretches if tells(stretch)), key=rank)

    def _is_own(self, source_key: str) -> bool:
        return bool(self._own_domain) and self._sources[source_key].domain == self._own_domain

    def _domain_of_provider(self) -> str:
        """Return the domain of the source with the name in its domain, else in its page title; "" if none."""
        words = _compact(self._name)
        for key in dict.fromkeys(stretch.source_key for stretch in self._stretches):
            source = self._sources[key]
            host = registrable_domain(source.reference.url) if source.reference.url else source.domain
            label = _compact(host.split(".")[0])
            if len(words) > 3 and (words in label or (len(label) > 3 and label in words)):
                return source.domain
        for key in dict.fromkeys(stretch.source_key for stretch in self._stretches):
            source = self._sources[key]
            if source.reference.kind in {"web", "other"} and _compact(source.reference.title).startswith(words):
                return source.domain
        return ""


def host_of(url: str) -> str:
    """Return the host of a URL without "www.", for comparison."""
    return (urlsplit(url if "//" in url else f"//{url}").hostname or "").removeprefix("www.")


def _compact(text: str) -> str:
    core = "".join(item_name(text).core) if " " in text else text
    return re.sub(r"[^a-z0-9]", "", fold_accents(core.casefold()))
