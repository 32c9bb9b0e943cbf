"""Ask a model for findings, for items of a catalog, and to check values; choose the reader of a report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import Field

from core.llm.ledger import Model
from research.candidates import name_pattern, status_of
from research.memo import CatalogCandidate, FieldStatus, FieldValue, Finding
from research.questions.catalog_fields import search_words
from research.readers.findings import clean_quote
from research.readers.model.asking import (
    AGREEMENT_SYSTEM,
    CELLS_SYSTEM,
    DATA,
    FIND_SYSTEM,
    ITEMS_SYSTEM,
    LANGUAGE_NAMES,
    PROVEN_SYSTEM,
    Asking,
    Reply,
    Sought,
    Window,
    as_data,
    hint_of,
    opening,
    or_passages,
    window_of,
)
from research.readers.model.drafting import Drafting
from research.readers.model.planning import Planning
from research.readers.protocol import WORDS_OF_A_CELL, Agreement, Asked, Evidence, ItemValue, LongCell, SourceText
from research.readers.reader import Reader
from research.readers.support import in_whole_sentences, located, stretches_of, supported, value_of
from research.report_type import ReportType
from research.text.language import content_stems
from research.text.meaning import Meaning

#: Most tokens of passages for one question, and for all together.
_OF_A_QUESTION, _OF_ALL = 2000, 6000
#: Most findings in one window, and least bound for one question.
_MOST, _FOR_A_QUESTION = 36, 6
#: Fewest and most words of a finding.
_SHORTEST, _LONGEST = 4, 120
#: How much the score falls from one finding to the next, and the least score.
_STEP, _LEAST = 0.04, 0.3


class FoundWords(Reply):
    """A finding as a model gives it, not yet verified."""

    question: str
    passage: str
    words: str


class FoundInWindow(Reply):
    """The findings of a window, best first."""

    found: list[FoundWords] = Field(default_factory=list)


class PairGiven(Reply):
    """How the pair of an id relates."""

    id: str
    how: Agreement


class PairsGiven(Reply):
    """Pairs in any order, possibly not all."""

    pairs: list[PairGiven] = Field(default_factory=list)


class FindingReader(Asking):
    """Reads findings, and compares statements."""

    @or_passages
    def findings(
        self, asked: Asked, questions: Sequence[str], sources: Mapping[str, SourceText]
    ) -> Mapping[str, list[Finding]]:
        """See `Reader.findings`; quotations that are in no source are dropped.

        For a catalog these are passages near the questions; the model reads the items instead.
        """
        if asked.report_type is ReportType.CATALOG:
            return super().findings(asked, questions, sources)
        most_tokens = min(_OF_ALL, _OF_A_QUESTION * len(questions))
        window = window_of([*map(Sought, questions)], sources, self.meaning, most_tokens)
        if not window.key_of:
            return {question: [] for question in questions}
        by_id = {f"q{number}": question for number, question in enumerate(questions, start=1)}
        listed = "\n".join(f"{short}: {' '.join(question.split())}" for short, question in by_id.items())
        most = max(_FOR_A_QUESTION, _MOST // len(by_id))
        user = f"Report: {asked.query}\n\nQuestions:\n{listed}\n\n{window.text}"
        reply = self.ask("findings", f"{FIND_SYSTEM.format(most=most)}\n\n{DATA}", user, FoundInWindow)
        found: dict[str, list[Finding]] = {question: [] for question in questions}
        unproven = 0
        for given in reply.found:
            question, key = by_id.get(given.question), window.key_of.get(given.passage)
            finding = _finding(given.words, key, window.sources) if question and key else None
            if question is None or finding is None:
                unproven += 1
            elif len(found[question]) < most:
                found[question].append(finding)
        self.log.unproven += unproven
        if unproven and not any(found.values()):
            raise self.unusable("findings", "nothing_proven")
        return {question: _ranked(of_one) for question, of_one in found.items()}

    @or_passages
    def agreement(self, pairs: Sequence[tuple[Evidence, Evidence]]) -> list[Agreement]:
        """See `Reader.agreement`; a pair without an answer, or with two, is unrelated."""
        if not pairs:
            return []
        listed = "\n".join(
            f"<a{n}>1 {_stated(one)}\n2 {_stated(other)}</a{n}>" for n, (one, other) in enumerate(pairs, start=1)
        )
        reply = self.ask("agreement", f"{AGREEMENT_SYSTEM}\n\n{DATA}", listed, PairsGiven)
        relations: dict[str, Agreement] = {}
        for pair in reply.pairs:
            relations[pair.id] = pair.how if relations.get(pair.id, pair.how) == pair.how else "unrelated"
        return [relations.get(f"a{n}", "unrelated") for n in range(1, len(pairs) + 1)]


def _stated(one: Evidence) -> str:
    source = " ".join(map(str, filter(None, (f"{one.title},", one.publisher, one.year))))
    return f"({as_data(source)}): {as_data(clean_quote(one.finding.quote))}"


def _finding(words: str, key: str, sources: Mapping[str, SourceText]) -> Finding | None:
    place = located(words, key, sources)
    if place is None or not _SHORTEST <= len(place.quote.split()) <= _LONGEST:
        return None
    return in_whole_sentences(place, sources)


def _ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings without overlaps, with scores that fall with their rank."""
    kept: list[Finding] = []
    for one in findings:
        if not any(
            one.source_key == other.source_key
            and one.start_char < other.end_char
            and other.start_char < one.end_char
            for other in kept
        ):
            kept.append(one)
    return [replace(one, score=round(max(_LEAST, 1 - _STEP * n), 4)) for n, one in enumerate(kept)]


# Ask a model for the items of a catalog in the sources, and for their values.


#: Most tokens of passages, of a first reading and of one that follows known items.
_ITEMS_OF_ALL, _OF_KNOWN = 5400, 3200
#: Most names of known items in a prompt.
_MOST_KNOWN = 30
#: Most values of a field of an item; there are several if passages complete or contradict each other.
_MOST_VALUES = 4
#: Most cells to shorten in one request.
_MOST_CELLS = 60
#: Most characters of a name and of a reason.
_LONGEST_NAME, _LONGEST_REASON = 120, 200
#: A web address, with or without its scheme.
_ADDRESS = re.compile(
    r"(?:https?://|(?<![\w-])(?<![\w-]\.))(?:[\w-]+\.)+[a-z]{2,}(?:/[^\s<>\"')\]]*)?", re.IGNORECASE
)


class ValueGiven(Reply):
    """The value of a field as a model gives it, not yet verified."""

    field: str
    value: str
    passage: str
    words: str
    adds: bool = False


class ItemGiven(Reply):
    """An item as a model gives it."""

    name: str
    passage: str
    left_out: str | None = None
    values: list[ValueGiven] = Field(default_factory=list)


class ItemsInWindow(Reply):
    """The items of a window."""

    items: list[ItemGiven] = Field(default_factory=list)


class CellGiven(Reply):
    """A cell of an id in a few words, not yet verified."""

    id: str
    cell: str


class CellsGiven(Reply):
    """Cells in any order, possibly not all."""

    cells: list[CellGiven] = Field(default_factory=list)


class Cataloguing(Asking):
    """Reads the items of a catalog, and says in its cells what they are."""

    @or_passages
    def cells(self, asked: Asked, long: Sequence[LongCell]) -> list[str]:
        """See `Reader.cells`; only the first ones of a large table."""
        by_id = {f"c{n}": one for n, one in enumerate(long[:_MOST_CELLS], start=1)}
        listed = "\n".join(
            f"<{short}>{as_data(f'{one.item} | {hint_of(one.field)} | ' + '; '.join(one.values))}</{short}>"
            for short, one in by_id.items()
        )
        system = f"{CELLS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language], most=WORDS_OF_A_CELL)}\n\n{DATA}"
        reply = self.ask("cells", system, f"Request: {asked.query}\n\n{listed}", CellsGiven)
        texts = {given.id: given.cell for given in reply.cells}
        return [texts.get(f"c{n}", "") for n, _ in enumerate(long, start=1)]

    @or_passages
    def items(
        self, asked: Asked, sources: Mapping[str, SourceText], known: Sequence[CatalogCandidate] = ()
    ) -> list[CatalogCandidate]:
        """See `Reader.items`: items named by the sources, with the values whose words are in them."""
        quotes = {value.quote for one in known for held in one.values.values() for value in held if value.quote}
        most_tokens = _OF_KNOWN if known else _ITEMS_OF_ALL
        window = window_of(_sought(asked, known), sources, self.meaning, most_tokens, quotes)
        if not window.key_of:
            return []
        fields = "\n".join(f"- {field}: {hint_of(field)}" for field in asked.fields)
        names = "; ".join(_with_missing(one, asked) for one in known[:_MOST_KNOWN])
        known_names = f"\n\nKnown already: {names}" if known else ""
        user = f"Request: {asked.query}\n\nFields:\n{fields}{known_names}\n\n{window.text}"
        system = f"{ITEMS_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        reply, before = self.ask("items", system, user, ItemsInWindow), self.log.unproven
        found = [one for item in reply.items if (one := self._candidate(item, asked, window))]
        if self.log.unproven > before and not any(item.values for item in found):
            raise self.unusable("items", "nothing_proven")
        return found

    def _candidate(self, item: ItemGiven, asked: Asked, window: Window) -> CatalogCandidate | None:
        """Return the item if a source names it and it answers the request, else None."""
        if not _is_named(item, window):
            self.log.unproven += 1
            return None
        if item.left_out:
            left_out = (item.name, item.left_out[:_LONGEST_REASON])
            self.log.left_out += [left_out] if left_out not in self.log.left_out else []
            return None
        values: dict[str, list[FieldValue]] = {}
        for given in item.values:
            if given.field not in asked.fields or given.field == "name":
                continue
            held = values.get(given.field, [])
            found = _value(given, asked, window)
            if found is None:
                self.log.unproven += 1
            elif len(held) < _MOST_VALUES:
                # Two values from one source complete each other.
                adds = given.adds or any(one.source_key == found.source_key for one in held)
                values[given.field] = [*held, replace(found, adds=bool(held) and adds)]
        return CatalogCandidate(item.name, values=values)


def _sought(asked: Asked, known: Sequence[CatalogCandidate]) -> list[Sought]:
    """Return what is looked for: the items, and each field of them; of known items, those not proven yet."""
    wanted = [Sought(_words_of(field, asked), one.name, field) for one in known for field in _missing(one, asked)]
    if not known:
        wanted = [Sought(f"{_words_of(field, asked)}: {asked.query}", field=field) for field in _told(asked)]
    return [*wanted, Sought(asked.query), *(Sought(asked.query, one.name) for one in known)]


def _told(asked: Asked) -> list[str]:
    """Return the fields that passages tell; code finds the address of an item."""
    return [field for field in asked.fields if field != "provider_url"]


def _missing(known: CatalogCandidate, asked: Asked) -> list[str]:
    return [one for one in _told(asked) if status_of(known, one) is not FieldStatus.FOUND]


def _with_missing(known: CatalogCandidate, asked: Asked) -> str:
    """Return the name of a known item, with its fields that no source has proven yet."""
    missing = _missing(known, asked)
    return f"{known.name} (not yet: {', '.join(missing)})" if missing else known.name


def _words_of(field: str, asked: Asked) -> str:
    return f"{search_words(field, asked.language)} {hint_of(field)}"


def _is_named(item: ItemGiven, window: Window) -> bool:
    """Return whether a source has the name."""
    names = name_pattern(item.name)
    return 0 < len(item.name) <= _LONGEST_NAME and any(names.search(one.text) for one in window.sources.values())


def _value(given: ValueGiven, asked: Asked, window: Window) -> FieldValue | None:
    """Return the value if a source has its words and they support it; for a web address, the one in the words."""
    key = window.key_of.get(given.passage)
    place = located(given.words, key, window.sources) if key else None
    if place is None:
        return None
    source = window.sources[place.source_key]
    value = value_of(given.value, place.quote, source, asked.language)
    if value and given.field == "provider_url":
        address = _ADDRESS.search(place.quote)
        value = address[0].rstrip(".,;") if address else None
    if value is None:
        return None
    return FieldValue(value, place.quote, place.source_key, source.reference.url or "", verified=True)


# Ask a model how much of each value its quotation supports, many in one request.


#: Most values in one request.
_BATCH = 40
#: Words at both ends that identify a longer quotation in its stretch.
_ENDS = 6


class ValueCheck(Reply):
    """How much of the value of an id its words say, and the value for which they do if it is a part."""

    id: str
    says: Literal["all", "part", "none"]
    part: str = ""


class ValueChecks(Reply):
    """Checks in any order, possibly not of all values."""

    checks: list[ValueCheck] = Field(default_factory=list)


class Proving(Asking):
    """Checks values against their quotations."""

    @or_passages
    def proven(
        self, asked: Asked, values: Sequence[ItemValue], sources: Mapping[str, SourceText]
    ) -> list[str | None]:
        """See `Reader.proven`; a value without a clear answer is treated as without a model.

        Web addresses are not asked for, because code read them from the words.
        """
        wanted = [value for value in values if value.field != "provider_url"]
        supported: dict[ItemValue, str | None] = {}
        for start in range(0, len(wanted), _BATCH):
            supported |= self._said(asked, wanted[start : start + _BATCH], sources)
        plain = super().proven(asked, values, sources)
        return [
            one.value if one.field == "provider_url" else supported.get(one, quoted)
            for one, quoted in zip(values, plain, strict=True)
        ]

    def _said(
        self, asked: Asked, values: Sequence[ItemValue], sources: Mapping[str, SourceText]
    ) -> dict[ItemValue, str | None]:
        fields = "\n".join(f"- {field}: {hint_of(field)}" for field in dict.fromkeys(one.field for one in values))
        by_id = {f"v{n}": value for n, value in enumerate(values, start=1)}
        by_source: dict[str, dict[str, ItemValue]] = {}
        for short, value in by_id.items():
            by_source.setdefault(value.source_key, {})[short] = value
        listed = "\n".join(_of_source(of_one, sources[key]) for key, of_one in by_source.items())
        user = f"Request: {asked.query}\n\nFields:\n{fields}\n\n{listed}"
        system = f"{PROVEN_SYSTEM.format(language=LANGUAGE_NAMES[asked.language])}\n\n{DATA}"
        supported: dict[ItemValue, set[str | None]] = {}
        for check in self.ask("proven", system, user, ValueChecks, part="values").checks:
            if known := by_id.get(check.id):
                answer = _supported_value(check, known, sources[known.source_key], asked)
                supported.setdefault(known, set()).add(answer)
        return {value: answers.pop() for value, answers in supported.items() if len(answers) == 1}


def _supported_value(check: ValueCheck, value: ItemValue, source: SourceText, asked: Asked) -> str | None:
    part = check.part
    if check.says == "part" and supported(part, value.quote, source, asked.language):
        return part if _is_part(part, value, asked) else None
    return value.value if check.says == "all" else None


def _is_part(part: str, value: ItemValue, asked: Asked) -> bool:
    """Return whether the value or its quotation has most content words of a part."""
    stems = set(content_stems(f"{value.value} {value.quote}", asked.language))
    own = content_stems(part, asked.language)
    return 2 * sum(stem in stems for stem in own) > len(own)


def _of_source(by_id: Mapping[str, ItemValue], source: SourceText) -> str:
    """Return the stretches of a source with the quotations, and below each the values to check."""
    lines, shorts = [opening(source)], list(by_id)
    for stretch in stretches_of([(value.item, value.quote) for value in by_id.values()], source):
        lines += [
            f"<text>{_line(stretch.text)}</text>",
            *(_check_line(shorts[n], by_id[shorts[n]]) for n in stretch.holds),
        ]
    return "\n".join([*lines, "</source>"])


def _check_line(short: str, value: ItemValue) -> str:
    words = value.quote.split()
    if len(words) > 2 * _ENDS:
        words = [*words[:_ENDS], "…", *words[-_ENDS:]]
    quote = as_data(" ".join(words))
    line = f'{_line(value.item)} | {value.field} | value: "{_line(value.value)}" | words: "{quote}"'
    return f"<{short}>{line}</{short}>"


def _line(text: str) -> str:
    return as_data(" ".join(text.split()))


# Choose the reader of a report: the only place of `research` that asks whether there is a model.


class ModelReader(Planning, FindingReader, Cataloguing, Proving, Drafting):
    """The reader with a model, whose parts are the base classes; passages replace unusable replies."""


def open_reader(model: Model | None, meaning: Meaning) -> Reader:
    """Return the reader that asks the model; without a model, the one that returns passages."""
    return Reader(meaning) if model is None else ModelReader(meaning, model=model)
