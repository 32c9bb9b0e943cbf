"""Write a catalog: collect its items, and write a table and a section for each item with its quotations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain

from research.candidates import field_values, name_pattern, same_item
from research.citations.claims import quantities_in
from research.citations.references import canonical_url
from research.config import Language
from research.document import Section
from research.memo import CatalogCandidate, FieldStatus, FieldValue, Finding
from research.questions.catalog_fields import is_proof
from research.questions.wording import common_field_label, field_words
from research.readers.findings import clean_quote, folded_in_place, pattern, states
from research.readers.protocol import WORDS_OF_A_CELL, ItemValue, LongCell, SourceText
from research.readers.support import faults_of, in_whole_sentences
from research.text.language import content_stems, foreign_words, phrases_for
from research.text.markdown import as_markdown, in_cell, safe_url, without_marks
from research.writing.checking import Desk, QuotedPlace, SupportedSentence, plain_sentence

#: The field whose table cells contain only links.
_LINKS = "proof_links"
#: Marks after which a cell is cut, the stronger first, and fewest words that must remain.
_CLAUSE_ENDS, _LEAST_WORDS = ((";",), (",", ")")), 4


def catalog_sections(items: Sequence[CatalogItem], desk: Desk) -> list[Section]:
    """Return a section with the table, and a section for each item."""
    names = [common_field_label(field, desk.language) for field in ("name", *desk.asked.fields)]
    short = _short(items, desk)
    rows = [
        [
            f"{in_cell(item.name)} {_marker(item.named, desk)}",
            *(_cell(item, field, short.get((item.name, field)), desk) for field in desk.asked.fields),
        ]
        for item in items
    ]
    lines = [[in_cell(name) for name in names], ["---"] * len(names), *rows]
    table = "\n".join([desk.words["table_says"], "", *(f"| {' | '.join(line)} |" for line in lines)])
    parts = [(desk.words["comparison"], table, 1), (desk.words["items"], "", 1)]
    parts += [(item.name, _details(item, desk), 2) for item in items]
    return [desk.section(*one) for one in parts]


def catalog_limits(items: Sequence[CatalogItem], desk: Desk) -> list[str]:
    """Return sentences on missing items and on the fields not found or not proven for each item."""
    wanted = desk.asked.count or 0
    found = [desk.words["fewer"].format(wanted=wanted, found=len(items))] if len(items) < wanted else []
    for item in items:
        missing = [field for field in desk.asked.fields if field not in item.fields and field not in item.unproven]
        for phrase, fields in (("field_missing", missing), ("only_said", item.unproven)):
            if fields:
                labels = ", ".join(common_field_label(field, desk.language).lower() for field in fields)
                found.append(desk.words[phrase].format(name=item.name, fields=labels))
    return found


def _short(items: Sequence[CatalogItem], desk: Desk) -> Mapping[tuple[str, str], str]:
    """Return by item and field a short text for cells whose values are too long."""
    long = [
        LongCell(item.name, field, tuple(value.value for value in values))
        for item in items
        for field, values in item.fields.items()
        if field not in (ADDRESS, _LINKS) and sum(_words(value.value) for value in values) > WORDS_OF_A_CELL
    ]
    found: dict[tuple[str, str], str] = {}
    for one, given in zip(long, desk.reader.cells(desk.asked, long) if long else [], strict=True):
        text = _in_phrases(plain_sentence(given), desk.language)
        is_supported = _is_supported_cell(text, one, desk)
        found[one.item, one.field] = text if is_supported else _in_phrases(_best_value(one, desk), desk.language)
    return found


def _is_supported_cell(text: str, cell: LongCell, desk: Desk) -> bool:
    """Return whether the values of a cell support a short text for it."""
    same = not any(foreign_words(value, desk.language) for value in cell.values)
    if not text or foreign_words(text, desk.language, cell.item):
        return False
    return not faults_of(text, cell.values, cell.item, desk.language if same else None)


def _best_value(cell: LongCell, desk: Desk) -> str:
    """Return the value with most words of the field's name."""
    asked = set(content_stems(field_words(cell.field), desk.language))
    return max(cell.values, key=lambda value: len(asked & set(content_stems(value, desk.language))))


def _in_phrases(text: str, language: Language) -> str:
    """Return a text of at most `WORDS_OF_A_CELL` words: a longer one is cut after a clause, else a phrase."""
    words = without_marks(text).split()
    if len(words) <= WORDS_OF_A_CELL:
        return " ".join(words)
    borders = phrases_for("wording", language)["phrase_borders"].split()
    cuts = range(_LEAST_WORDS, WORDS_OF_A_CELL)
    ends = [[at for at in cuts if words[at - 1].endswith(marks)] for marks in _CLAUSE_ENDS]
    ends.append([at for at in cuts if words[at].casefold() in borders and words[at - 1].casefold() not in borders])
    kept = next((found[-1] for found in ends if found), WORDS_OF_A_CELL - 1)
    # With a space, so that a figure before it does not look cut.
    return f"{' '.join(words[:kept]).rstrip(' ,;:')} …"


def _words(text: str) -> int:
    return len(text.split())


def _cell(item: CatalogItem, field: str, short: str | None, desk: Desk) -> str:
    values = item.fields.get(field, ())
    if field == _LINKS and values:
        return " ".join(_link(value, desk) for value in values)
    if short is not None:
        carried = " ".join(_marker(value, desk) for value in _carrying(short, values, desk.language))
        return _compared(f"{_cell_text(short, desk)} {carried}", values, desk)
    texts = ["" if value.repeats else f"{_value_text(value, field, desk)} " for value in values]
    return _compared(
        _in_line([f"{text}{_marker(value, desk)}" for text, value in zip(texts, values, strict=True)], values),
        values,
        desk,
    )


def _in_line(texts: Sequence[str], values: Sequence[Proven]) -> str:
    """Return the texts of values on one line, a value that repeats others behind them without a mark between."""
    between = (" " if value.repeats else "; " for value in values)
    return "".join(chain.from_iterable(zip(between, texts, strict=True))).removeprefix("; ")


def _carrying(short: str, values: Sequence[Proven], language: str) -> list[Proven]:
    """Return the values that have words of a short cell which no earlier one has; else the first."""
    left = set(content_stems(short, language))
    found = []
    for value in values:
        own = left & set(content_stems(value.value, language))
        left -= own
        found += [value] if own else []
    return found or [*values[:1]]


def _details(item: CatalogItem, desk: Desk) -> str:
    """Return a line for each field: its value, with its quotation unless an earlier line has it."""
    quoted: set[str] = set()
    lines = []
    for field in desk.asked.fields:
        values = item.fields.get(field, ())
        line = _in_line([_quoted(value, field, desk, quoted) for value in values], values)
        text = _compared(line, values, desk)
        urls = (
            safe_url(desk.sources.by_key[value.place.key].reference.url) for value in values if is_proof(field)
        )
        links = "".join(f" <{url}>" for url in dict.fromkeys(urls) if url)
        lines.append(f"- **{as_markdown(common_field_label(field, desk.language))}:** {text}{links}")
    return "\n".join(lines)


def _compared(text: str, values: Sequence[Proven], desk: Desk) -> str:
    """Return the text of a field, with a note if a value contradicts the first."""
    if not values:
        return desk.words["not_found"]
    return text if all(value.adds for value in values[1:]) else f"{text} {desk.words['two_sources']}"


def _quoted(value: Proven, field: str, desk: Desk, quoted: set[str]) -> str:
    quote, marker = in_cell(clean_quote(value.place.quote)), _marker(value, desk)
    if field == ADDRESS or quote in quoted:
        return marker if value.repeats else f"{_value_text(value, field, desk)} {marker}"
    quoted.add(quote)
    whole = f"{desk.words['left']}{quote}{desk.words['right']} {marker}"
    is_quote = value.repeats or in_cell(without_marks(value.value)) == quote
    return whole if is_quote else f"{_value_text(value, field, desk)} – {whole}"


def _value_text(value: Proven, field: str, desk: Desk) -> str:
    """Return a value as Markdown."""
    return f"<{safe_url(value.value)}>" if field == ADDRESS else _cell_text(without_marks(value.value), desk)


def _cell_text(text: str, desk: Desk) -> str:
    """Return a text for a cell; text in another language gets quotation marks."""
    is_foreign = bool(foreign_words(text, desk.language))
    return f"{desk.words['left']}{in_cell(text)}{desk.words['right']}" if is_foreign else in_cell(text)


def _link(value: Proven, desk: Desk) -> str:
    """Return a proof for the table: a link to the source's page and its marker."""
    source = desk.sources.by_key[value.place.key]
    url, marker = safe_url(source.reference.url), _marker(value, desk)
    return f"[{in_cell(source.domain or source.reference.title)}](<{url}>) {marker}" if url else marker


def _marker(value: Proven, desk: Desk) -> str:
    return desk.book.marker(value.value, value.place)


# Collect the items of a catalog, with the values that sources prove.


#: The field of the item's own page; its value is proved by the page, or by a text with its URL.
ADDRESS = "provider_url"
#: The end of the name in a page's title, and most words of its first part besides the name ("at School").
_TITLE_END = re.compile(r"[:|–—]|\s-\s")
_MORE_WORDS = 2
#: Most difference of two figures for the same, as a share: if one is rough, and if shares are rounded.
_ROUGH, _ROUNDED = Decimal("0.2"), Decimal("0.02")
#: "41 in 2019" is no share.
_YEARS = range(1500, 2101)
_SHARE = re.compile(r"(?<![\w.,])([\w.,]+) (?:of|out of|in|de|de cada) (?:the |los |las )?([\w.,]+)")
#: Units of shares and of years; currencies by sign and stem; the word after a figure, unless it is a name.
_OF_ALL, _YEAR = "of all", "in the year"
_CURRENCIES = {
    "$": "$",
    "dollar": "$",
    "dolar": "$",
    "€": "€",
    "euro": "€",
    "eur": "€",
    "£": "£",
    "pound": "£",
    "libr": "£",
}
_UNIT = re.compile(r"[\s-]*([^\W\d_A-Z][^\W\d_]*)")
#: Most values of a field of an item, unless more sources have one.
_MOST_VALUES = 4


@dataclass(frozen=True)
class Proven:
    """A value and the quotation that supports it."""

    value: str
    place: QuotedPlace
    #: Whether it completes the values before it; otherwise it is the field's best value, or contradicts that.
    adds: bool = False
    #: Whether it says nothing that values before it do not say; then its quotation and marker alone are shown.
    repeats: bool = False


@dataclass(frozen=True)
class CatalogItem:
    """An item, and for each field its best value, then values that complete, contradict or repeat it."""

    name: str
    #: A place where a source names the item.
    named: Proven
    fields: Mapping[str, Sequence[Proven]]
    #: Fields with values, none of them proven.
    unproven: tuple[str, ...] = ()


def items_of(candidates: Sequence[CatalogCandidate], desk: Desk) -> list[CatalogItem]:
    """Return the items that a source names and that have a value, most complete first, at most the count.

    Quotations that are in no source are recorded as fabricated.
    """
    items = [item for one in candidates if (item := _item(one, desk)) and item.fields]
    return sorted(items, key=_completeness, reverse=True)[: desk.asked.count]


def with_told(
    items: Sequence[CatalogItem], sentences: Sequence[SupportedSentence], desk: Desk
) -> list[CatalogItem]:
    """Return the items with values for empty fields from the sentences of the summary that the reader confirms.

    A sentence tells a field of an item if it names this item alone and states a fact of the field's kind.
    """
    told = [
        (item, field, one.text, place)
        for one in sentences
        for item in [named[0] for named in [_named_in(one.text, items)] if len(named) == 1]
        for field in desk.asked.fields
        if field not in item.fields and field != ADDRESS and states(one.text, field)
        for place in one.places[:1]
    ]
    asked = [ItemValue(item.name, field, text, place.quote, place.key) for item, field, text, place in told]
    proven = desk.reader.proven(desk.asked, asked, desk.sources.by_key) if asked else []
    found: dict[str, dict[str, Sequence[Proven]]] = {}
    for (item, field, _, place), value in zip(told, proven, strict=True):
        if value:
            found.setdefault(item.name, {}).setdefault(field, [Proven(value, place)])
    return [_with_fields(item, found.get(item.name, {})) for item in items]


def _with_fields(item: CatalogItem, found: Mapping[str, Sequence[Proven]]) -> CatalogItem:
    unproven = tuple(field for field in item.unproven if field not in found)
    return replace(item, fields={**item.fields, **found}, unproven=unproven)


def _named_in(text: str, items: Sequence[CatalogItem]) -> list[CatalogItem]:
    return [item for item in items if name_pattern(item.name).search(text)]


def as_candidate(item: CatalogItem) -> CatalogCandidate:
    """Return the item for a memo: the values shown, and the fields without a proven one."""
    values = {
        field: [
            FieldValue(one.value, one.place.quote, one.place.key, verified=True, adds=one.adds) for one in proven
        ]
        for field, proven in item.fields.items()
    }
    return CatalogCandidate(item.name, fields=dict.fromkeys(item.unproven, FieldStatus.PARTIAL), values=values)


def evidence_for(items: Sequence[CatalogItem], sources: Mapping[str, SourceText]) -> list[Finding]:
    """Return the sentences that prove the items' values, except their URLs."""
    places = [
        one.place for item in items for field, of_one in item.fields.items() if field != ADDRESS for one in of_one
    ]
    found = (Finding(one.key, one.quote, one.start, one.end, one.page_no, score=1.0) for one in places)
    return [in_whole_sentences(one, sources) for one in found]


def _completeness(item: CatalogItem) -> tuple[int, int]:
    """Return the numbers of fields and of their sources."""
    keys = {one.place.key for field, values in item.fields.items() if field != ADDRESS for one in values}
    return len(item.fields), len(keys)


def _item(candidate: CatalogCandidate, desk: Desk) -> CatalogItem | None:
    """Return the item with every value whose quotation is in a source; None if no source names it."""
    pattern = name_pattern(candidate.name)
    naming = {key: count for key, text in desk.sources.texts.items() if (count := len(pattern.findall(text)))}
    if not naming:
        return None
    found: dict[str, Sequence[Proven]] = {}
    unproven = []
    for field in desk.asked.fields:
        values = field_values(candidate, field) if field != ADDRESS else []
        if proven := [known for value in values if (known := _located(value, desk))]:
            found[field] = _kept(proven, desk.language)
        elif values:
            unproven.append(field)
    keys = {value.place.key for values in found.values() for value in values}
    named = _verbatim(candidate.name, max(naming, key=lambda key: (key in keys, naming[key])), desk)
    if named is None:
        return None
    if ADDRESS in desk.asked.fields and (own := next(_addresses(candidate, desk), None)):
        found[ADDRESS] = [own]
    return CatalogItem(named.value, named, found, tuple(unproven))


def _kept(values: Sequence[Proven], language: Language) -> list[Proven]:
    """Return the first value, one of every other source, and what else says something new, up to `_MOST_VALUES`.

    The reader has already checked whether the quotations support the values for this item. A value of another
    source contradicts the first if it has other figures, and repeats the others if it says nothing new.
    """
    first, *rest = values
    kept = [replace(first, adds=False)]
    for one in rest:
        known = {stem for other in kept for stem in content_stems(other.value, language)}
        is_new = not known.issuperset(content_stems(one.value, language))
        if all(one.place.key != other.place.key for other in kept):
            adds = not is_new or one.adds or not _has_other_figures(one, kept, language)
            kept.append(replace(one, adds=adds, repeats=not is_new))
        elif is_new and len(kept) < _MOST_VALUES:
            kept.append(replace(one, adds=True))
    return kept


@dataclass(frozen=True)
class _Figure:
    """A number of a value."""

    values: frozenset[Decimal]
    #: `_OF_ALL`, `_YEAR`, a currency's sign, or the stem of the word after it; "" if there is none.
    unit: str
    is_rough: bool = False
    #: Of a share, the numbers that it is told by.
    told_by: frozenset[Decimal] = frozenset()

    def agrees(self, other: _Figure) -> bool:
        """Return whether both are the same, or near each other: shares, and what is rough in one unit."""
        if self.unit != other.unit:
            return bool((self.told_by or self.values) & (other.told_by or other.values))
        is_rough = self.is_rough or other.is_rough
        most = _ROUNDED if self.unit == _OF_ALL else _ROUGH if is_rough else Decimal(0)
        return any(abs(a - b) <= most * max(a, b) for a in self.values for b in other.values)


def _has_other_figures(one: Proven, known: Sequence[Proven], language: Language) -> bool:
    """Return whether each has a figure that the other lacks; years count only if neither has anything else.

    Shares are the same in other forms ("51 of 64", "four out of five", "80 percent").
    """
    told, own = _figures("; ".join(other.value for other in known), language), _figures(one.value, language)
    if any(figure.unit != _YEAR for figure in (*told, *own)):
        told, own = ([figure for figure in figures if figure.unit != _YEAR] for figures in (told, own))
    return _has_more(told, own) and _has_more(own, told)


def _has_more(figures: Sequence[_Figure], others: Sequence[_Figure]) -> bool:
    """Return whether a figure agrees with none of the others; those of its unit go before those of other units."""
    units = {other.unit for other in others} - {""}
    return any(
        not any(one.agrees(other) for other in others if one.unit not in units or other.unit in (one.unit, ""))
        for one in figures
    )


def _figures(text: str, language: Language) -> list[_Figure]:
    """Return the figures of a text, the two numbers of a share ("51 of 64") as one."""
    folded = folded_in_place(text)
    rough = [found.end() for found in pattern("rough").finditer(folded)]
    shares = {found.span(): share for found in _SHARE.finditer(text) if (share := _share(found))}
    found = list(shares.values())
    for one in quantities_in(text):
        after = text[one.start + len(one.text) :]
        word = _UNIT.match(after)
        stem = next(iter(content_stems(word[1], language)), "") if word else ""
        signs = [sign for sign in (text[: one.start].rstrip()[-1:], after.lstrip()[:1]) if sign in _CURRENCIES]
        unit = _CURRENCIES.get(signs[0] if signs else stem, stem)
        is_rough = any(end <= one.start and not folded[end : one.start].strip(" us$€£") for end in rough)
        if one.percent:
            found.append(_Figure(frozenset(value / 100 for value in one.values), _OF_ALL, told_by=one.values))
        elif not unit and len(one.text) == 4 and int(max(one.values)) in _YEARS:
            found.append(_Figure(one.values, _YEAR))
        elif not any(start <= one.start < end for start, end in shares):
            found.append(_Figure(one.values, unit, is_rough))
    return found


def _share(found: re.Match[str]) -> _Figure | None:
    """Return the quotient of "51 of 64"; None if it is none."""
    parts, wholes = (frozenset(chain(*(one.values for one in quantities_in(word)))) for word in found.groups())
    pairs = {(a, b) for a in parts for b in wholes if a <= b > 0 and int(b) not in _YEARS}
    return _Figure(frozenset(a / b for a, b in pairs), _OF_ALL, told_by=parts | wholes) if pairs else None


def _located(value: FieldValue, desk: Desk) -> Proven | None:
    """Locate the value's quotation in the sources; None if it is in none."""
    place = desk.sources.place(value.quote, value.source_key)
    if place is None:
        desk.book.fabricated(value.value, value.quote, value.source_key)
        return None
    return Proven(" ".join((value.value.strip() or place.quote).split()), place, value.adds)


def _verbatim(words: str, key: str, desk: Desk) -> Proven | None:
    """Locate a name or URL in a source, ignoring white space and case; None if it is absent."""
    found = name_pattern(words).search(desk.sources.texts[key]) if words.strip() else None
    return Proven(" ".join(words.split()), desk.sources.at(key, *found.span())) if found else None


def _addresses(candidate: CatalogCandidate, desk: Desk) -> Iterator[Proven]:
    """Yield the item's URLs, each with its place in a text, or that of the name on the page itself."""
    urls = {key: source.reference.url or "" for key, source in desk.sources.by_key.items()}
    given = [candidate.provider_url or "", *(value.value.strip() for value in field_values(candidate, ADDRESS))]
    for url in filter(safe_url, dict.fromkeys(given)):
        pages = [key for key, known in urls.items() if known and canonical_url(known) == canonical_url(url)]
        bare = re.sub(r"^https?://(?:www\.)?|/$", "", url)
        places = [(candidate.name, key) for key in pages[:1]] + [(bare, key) for key in urls]
        if proof := next(filter(None, (_verbatim(words, key, desk) for words, key in places)), None):
            yield replace(proof, value=url)
    for key, source in desk.sources.by_key.items():
        is_own = source.reference.kind == "web" and _is_titled(source.reference.title, candidate)
        if is_own and safe_url(urls[key]) and (own := _verbatim(candidate.name, key, desk)):
            yield replace(own, value=urls[key])


def _is_titled(title: str, candidate: CatalogCandidate) -> bool:
    """Return whether a page is the item's own: before a colon its title has the name and little else."""
    head = _TITLE_END.split(title, maxsplit=1)[0].split()
    name = candidate.name.split()
    return len(head) <= len(name) + _MORE_WORDS and any(
        same_item(candidate.name, " ".join(head[:length])) for length in range(len(name), len(head) + 1)
    )
