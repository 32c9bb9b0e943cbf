"""Find names of items in sentences, headings, lists and tables, scored by evidence of the requested kind."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from research.catalog.candidate_names import folded_name, item_name
from research.markdown_text import without_marks
from research.material import SourceText
from research.questions.field_lexicon import MONEY
from research.readers.rules.item_kinds import is_kind_word
from research.readers.rules.list_items import sentence_units
from research.readers.rules.listed_names import SPEAKS, begins_with_number, headed_names, is_titled, listed_names
from research.readers.rules.name_scope import MAX_SENTENCE
from research.text import content_stems
from research.text.stems import stop_words
from research.words import words_of

_CAP = r"(?:[A-ZÁÉÍÓÚÑÜ][\w'’&+-]*(?:\.\w+)*|(?<![a-z])[a-z]++[A-Z]\w*|(?<!\d)\d++[A-Za-z][A-Za-z0-9]*)"
_SMALL = r"(?:of|the|and|for|in|to|on|at|with|&|a|de|del|la|las|los|el|y|e|en|con|que|para|por|al|un|una)"
NAME = rf"{_CAP}(?: (?:{_SMALL} ){{0,3}}(?:{_CAP}|\d{{1,4}}\b)){{0,7}}"
_ACRONYM = r"(?P<acronym> \([A-Z][A-Z0-9&.-]{1,9}\))?"
_OPEN, _CLOSE = r"[“\"«'‘*_]{0,3}", r"[”\"»'’*_]{0,3}"
_IS = r"(?:is|are|was|were|has been|es|son|fue|era|ha sido)"
_ONE = r"(?:an?|the|one of|our|una?|el|la|los|las|uno de|una de|nuestr[oa])"
_VERB = (
    r"(?:offers?|provides?|runs?|costs?|charges?|helps?|teaches|brings|invites|works|serves|lets|opens?|gives"
    r"|connects|reached|reaches|enrols?|enrolled|trains|pays|supports|started|began|aims|combines|uses"
    r"|ofrece|cuesta|cobra|ayuda|enseña|invita|atiende|permite|abre|conecta|llegó|forma|paga|apoya|nació|comenzó"
    r"|combina|usa|busca|reúne|funciona)"
)
_DEFINED = re.compile(
    rf"^(?:The |El |La |Los |Las )?{_OPEN}(?P<name>{NAME}){_CLOSE}{_ACRONYM}(?:,[^,]{{1,90}},)? {_IS} {_ONE} "
    r"(?P<rest>.+)"
)
_BESIDE = re.compile(rf"(?<![\w'’&+.-]){_OPEN}(?P<name>{NAME}){_CLOSE}{_ACRONYM}, {_ONE} (?P<rest>[^,.;]{{3,90}})")
_CALLED = re.compile(
    r"\b(?P<kind>\w++) (?:called|named|known as|titled|llamad[oa]s?|denominad[oa]s?|conocid[oa]s? como"
    rf"|titulad[oa]s?) {_OPEN}(?:the |el |la )?(?P<name>{NAME}){_CLOSE}{_ACRONYM}"
)
_SUBJECT = re.compile(rf"^(?:The |El |La )?(?P<name>{NAME}){_ACRONYM} {_VERB}\b")
#: A name as subject of a verb in the third person, recognised by its ending.
_ACTS = re.compile(
    rf"^(?:The |El |La )?(?P<name>{NAME}){_ACRONYM} (?P<verb>[a-záéíóúñ]{{2,}}(?:s|ed|a|e|an|en|ó|ron))\b"
)
#: Verbs of offering, in the present only: "Ana Quispe opened a school" has a person as subject.
_OFFERING = (
    r"(?:offers|provides|runs|costs|charges|helps|teaches|brings|lends|rents|sells|gives|keeps|hosts|protects|delivers"
    r"|welcomes|trains|serves|repairs|lets|connects|pairs|supports|sends|collects|is free|are free"
    r"|ofrece|cuesta|cobra|ayuda|enseña|presta|alquila|vende|reúne|organiza|imparte|acoge|atiende|apoya|repara|forma"
    r"|entrega|protege|recoge|conecta|reparte|es gratuit[oa]|es gratis)"
)
_OFFERS = re.compile(
    r"^(?:(?:In|At|Near|En|Desde) [^,]{2,40}, )?(?P<article>The |El |La |Los |Las |the |el |la )?"
    rf"(?P<name>{NAME}){_ACRONYM}(?:,[^,]{{1,90}},| (?:in|near|at|on|en) [^,.;:]{{2,40}}?)? "
    rf"(?P<rest>{_OFFERING}\b.*)"
)
_PLACE = re.compile(
    r"(?:Port|Fort|Mount|Saint|St|San|Santa|New|Puerto|Villa|Ciudad) [A-ZÁÉÍÓÚÑ][\w'’]+$"
    r"|.* (?:City|County|Town|Village|Island|Council|Borough)$"
)
_WHERE = re.compile(r" (?:in|at|near|en) .*", re.DOTALL)
_ANYWHERE = re.compile(rf"(?<![\w“]){_OPEN}(?P<name>{NAME}){_CLOSE}{_ACRONYM}(?: (?P<next>\w+))?")
_HEADING = re.compile(r"^(?:#{1,6} +|\*\*)(?:\d+[.)] *)?(?P<name>[^\n*#|]{2,80}?)\**:?\s*$", re.MULTILINE)
_ITEM = re.compile(
    r"^[ \t]*+(?:[-*+•]|\d++[.)])[ \t]++(?:\*\*|__)?(?P<name>[^\n*_:|—–(]{2,70}?)"
    r"(?P<acronym> \([A-Z][A-Z0-9&.-]{1,9}\))?(?:\*\*|__)?"
    r"[ \t]{0,20}(?:[:—–]|[ \t]-[ \t]|\(|\*\*)[ \t]*+(?P<rest>\S.*)",
    re.MULTILINE,
)
_ROW = re.compile(r"^[ \t]*\|(?P<cells>.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[\s|:-]+$")
_NAME_COLUMN = re.compile(r"^(?:names?|nombres?|items?|title|título|provider|proveedor)$", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:Dr|Prof|Mr|Mrs|Ms|Sra?|Dra|Don|Doña)\.? $", re.IGNORECASE)
#: Least total weight of a name that is accepted; the weight of each kind of evidence follows.
ACCEPTED = 3.0
_WEIGHTS = {
    "defined": 4.0,
    "beside": 3.5,
    "called": 4.0,
    "with_kind": 2.5,
    "row": 3.0,
    "is_a": 1.5,
    "line": 0.5,
    "titled": 3.0,
    "recurring": 1.5,
    "item": 2.5,
    "item_of_kind": 4.0,
    "listed": 3.0,
    "headed": 3.0,
    "priced": 2.0,
    "offers": 2.0,
}
#: Evidence that counts for organisations too.
_OF_THINGS = frozenset(("listed", "headed", "priced"))
#: Least mentions in the text of a name from the title, the title line included.
_RECURS = 2
_ARTICLES = frozenset(("the", "el", "la", "los", "las"))
#: Characters around a mention that are examined for the kind.
_AROUND = 300
_AT = frozenset(("in", "at", "from", "near", "to", "en", "desde", "hacia"))
_TITLE_PARTS = re.compile(r"(?>(?:(?<!\s)\s++)?)[:|–—]\s++|\s-\s")


def names_in(
    sources: Mapping[str, SourceText], kinds: frozenset[str], query: str, language: str
) -> dict[str, float]:
    """Return names with their score, highest first, excluding names of people and places and plain headings."""
    finder = _Finder(sources, kinds, query, language)
    for source in sources.values():
        finder.read(source)
    return finder.names()


class _Finder:
    def __init__(
        self, sources: Mapping[str, SourceText], kinds: frozenset[str], query: str, language: str
    ) -> None:
        self._kinds = kinds
        self._language = language
        self._asked = frozenset(content_stems(query, language)) - kinds
        self._text = "\n".join(source.text for source in sources.values())
        self._lower = frozenset(re.findall(r"(?<![^\W\d_])[a-záéíóúñü]+(?![^\W\d_])", self._text))
        references = [source.reference for source in sources.values()]
        self._people = {folded_name(author) for reference in references for author in reference.authors}
        self._publishers = {folded_name(reference.publisher) for reference in references if reference.publisher}
        self._signs: dict[str, dict[str, float]] = defaultdict(dict)
        self._written: dict[str, str] = {}

    def names(self) -> dict[str, float]:
        """Return the accepted names with their scores."""
        found = {self._written[key]: self._strength(key) for key in self._signs}
        accepted = [(name, strength) for name, strength in found.items() if strength >= ACCEPTED]
        return dict(sorted(accepted, key=lambda item: -item[1]))

    def read(self, source: SourceText) -> None:
        """Collect the evidence for names from a source."""
        text = source.text
        units = list(sentence_units(text, source.language))
        for unit, following in pairwise([*units, None]):
            if unit is None:
                break
            sentence = _plain_sentence(text, unit.start, unit.end)
            self._sentence(sentence)
            goes_on = following and following.item == unit.item and "\n\n" not in text[unit.end : following.start]
            after = _plain_sentence(text, following.start, following.end) if following and goes_on else ""
            self._offer(sentence, after)
        for match in _HEADING.finditer(text):
            self._line(match["name"], "line")
        self._title(source)
        for match in _ITEM.finditer(text):
            told = self._speaks_of_kind(match["rest"], 10)
            self._line(match["name"] + (match["acronym"] or ""), "item_of_kind" if told else "item")
        for name in _rows(text, self._kinds):
            self._note(name, "row", _WEIGHTS["row"], is_line=True)
        if self._is_on_subject(source):
            for name in listed_names(text, self._speaks):
                self._note(name, "listed", _WEIGHTS["listed"], is_line=True)
            for name in headed_names(text, self._speaks):
                self._note(name, "headed", _WEIGHTS["headed"], is_line=True)

    def _title(self, source: SourceText) -> None:
        """Take a name from the page's title if the text mentions it repeatedly and mentions the kind."""
        parts = [part.strip() for part in _TITLE_PARTS.split(source.reference.title) if part.strip()]
        for part in dict.fromkeys([*parts[:1], *parts[-1:]]):
            for name in _beginnings(part):
                if sign := self._spoken_of(name, source.text):
                    self._note(name, sign, _WEIGHTS[sign], is_line=True)
                    break

    def _spoken_of(self, name: str, text: str) -> str | None:
        """Return "titled" if the kind is mentioned near the name, "recurring" if only on the page, else None."""
        mentions = list(re.finditer(rf"(?:\b(\w++) )?(?<!\w){re.escape(name)}(?!\w)", text))
        at_a_place = sum((match[1] or "").casefold() in _AT for match in mentions)
        if len(mentions) < _RECURS or at_a_place >= len(mentions) / 2:
            return None
        around = (text[max(0, match.start() - _AROUND) : match.end() + _AROUND] for match in mentions)
        if any(self._speaks_of_kind(stretch, 2 * _AROUND) for stretch in around):
            return "titled"
        return "recurring" if self._speaks_of_kind(text, len(text)) else None

    def _sentence(self, sentence: str) -> None:
        if match := _DEFINED.match(sentence):
            is_kind = self._speaks_of_kind(match["rest"], 14)
            self._note(
                _with_acronym(match), "defined" if is_kind else "is_a", _WEIGHTS["defined" if is_kind else "is_a"]
            )
        for match in _BESIDE.finditer(sentence):
            if self._speaks_of_kind(match["rest"], 8):
                self._note(_with_acronym(match), "beside", _WEIGHTS["beside"])
        for match in _CALLED.finditer(sentence):
            if is_kind_word(match["kind"], self._kinds):
                self._note(_with_acronym(match), "called", _WEIGHTS["called"])
        if match := _SUBJECT.match(sentence):
            self._note(_with_acronym(match), f"subject {sentence[:60]}", 1.0)
        elif (match := _ACTS.match(sentence)) and match["verb"] not in stop_words(self._language):
            self._note(_with_acronym(match), f"subject {sentence[:60]}", 0.75)
        for match in _ANYWHERE.finditer(sentence):
            self._named_with_kind(match, sentence)

    def _offer(self, sentence: str, after: str) -> None:
        """Take the subject of a verb of offering for an item, unless it is a place."""
        match = _OFFERS.match(sentence)
        name = _offering(sentence)
        if match is None or name is None or self._is_place(name):
            return
        name += match["acronym"] or ""
        self._note(name, f"subject {sentence[:60]}", 1.0)
        subject = self._is_asked(match["rest"])
        if MONEY.search(match["rest"]) or (MONEY.search(after) and not _offering(after)):
            self._note(name, "priced", _WEIGHTS["priced"])
        if match["article"] and subject:
            self._note(name, "offers", _WEIGHTS["offers"])

    def _is_place(self, name: str) -> bool:
        if _PLACE.match(name):
            return True
        return bool(
            re.search(rf"\b(?:in|near|from|to|en|desde|hacia) {re.escape(name)}(?! [A-ZÁÉÍÓÚÑ])", self._text)
        )

    def _is_asked(self, text: str) -> bool:
        stems = {*content_stems(text, self._language)}
        return bool(stems & self._asked) or self._speaks(text)

    def _is_on_subject(self, source: SourceText) -> bool:
        return self._is_asked(f"{source.reference.title} {source.text}")

    def _speaks(self, text: str) -> bool:
        return self._speaks_of_kind(text, 40)

    def _named_with_kind(self, match: re.Match[str], sentence: str) -> None:
        name = match["name"]
        words = (_trimmed(name) or name).split()
        if _PERSON.search(sentence[: match.start("name")]) or SPEAKS.search(sentence[match.end("name") :]):
            self._note(name, "person", -9.0)
        own = is_kind_word(words[-1], self._kinds) or is_kind_word(words[0], self._kinds)
        if own and len(words) > 1:
            self._note(_with_acronym(match), "with_kind", _WEIGHTS["with_kind"])
        elif match["next"] and match["next"][:1].islower() and is_kind_word(match["next"], self._kinds):
            self._note(name, "with_kind", _WEIGHTS["with_kind"])

    def _line(self, name: str, sign: str) -> None:
        plain = " ".join(name.strip(" *_#").split())
        if plain and not plain.endswith(("?", "!", ".", ",")) and is_titled(plain):
            self._note(plain, sign, _WEIGHTS[sign], is_line=True)

    def _note(self, name: str, sign: str, weight: float, *, is_line: bool = False) -> None:
        told = _trimmed(name)
        if told is None or (not is_line and not self._is_name(told)):
            return
        key = folded_name(told)
        if key:
            self._written.setdefault(key, told)
            self._signs[key][sign] = max(weight, self._signs[key].get(sign, weight)) if weight > 0 else weight

    def _is_name(self, name: str) -> bool:
        """Return False for a single word that also occurs in lower case: it begins a sentence."""
        words = name.split()
        return len(words) > 1 or words[0].casefold() not in self._lower or any(c.isupper() for c in words[0][1:])

    def _strength(self, key: str) -> float:
        name, signs = self._written[key], self._signs[key]
        words = {word.casefold() for word in item_name(name).core}
        if not words or all(word in words_of("headings") or is_kind_word(word, self._kinds) for word in words):
            return 0.0
        told = min(2.0, sum(weight for sign, weight in signs.items() if sign.startswith("subject")))
        strength = told + sum(weight for sign, weight in signs.items() if not sign.startswith("subject"))
        certain = {"defined", "called", "beside"} & signs.keys()
        if not certain and (key in self._people or key in self._publishers):
            return 0.0
        if not certain and not _OF_THINGS & signs.keys() and self._is_organisation(words):
            return 0.0
        if begins_with_number(name) and not certain and {"line", "titled", "recurring"}.issuperset(signs):
            return 0.0
        if not certain and set(content_stems(name, "en")) <= self._asked:
            return 0.0
        if {"line"} == signs.keys() - {"person"}:
            # A name seen only in a heading is just a heading.
            return 0.0
        return strength

    def _is_organisation(self, words: set[str]) -> bool:
        return any(word in words_of("organisations") and not is_kind_word(word, self._kinds) for word in words)

    def _speaks_of_kind(self, rest: str, within: int) -> bool:
        return any(is_kind_word(word, self._kinds) for word in re.findall(r"[^\W\d_]+", rest)[:within])


def _with_acronym(match: re.Match[str]) -> str:
    return match["name"] + (match["acronym"] or "")


def _beginnings(part: str) -> Iterator[str]:
    """Yield the title as a name, then shorter beginnings: "Harbour Choir in Schools", "Harbour Choir"."""
    words = part.split()
    for length in range(len(words), 1, -1):
        name = _trimmed(" ".join(words[:length]))
        if name is not None and len(name.split()) > 1 and is_titled(name):
            yield name
    if len(words) == 1 and (name := _trimmed(part)) and is_titled(name):
        yield name


def _trimmed(name: str) -> str | None:
    """Strip function words around a name; None if 2 to 80 characters do not remain."""
    words = name.strip(" *_“”\"«»'‘’,;:.").split()
    while words and words[0].casefold() in words_of("leading") and not _is_article_of(words):
        words = words[1:]
    # "Applications for the Lantern Scholarship"
    if len(words) > 3 and words[2].casefold() in _ARTICLES and words[0].casefold() in words_of("headings"):
        words = words[3:]
    while words and words[-1].casefold() in words_of("joining"):
        words = words[:-1]
    told = " ".join(words)
    return told if 2 <= len(told) <= 80 and any(char.isalpha() for char in told) else None


def _is_article_of(words: list[str]) -> bool:
    """Return whether the article belongs to the name: "El Rincón", not "The Harbour Programme"."""
    return len(words) == 2 and words[0] in {"El", "La", "Los", "Las"}


def _offering(sentence: str) -> str | None:
    """Return the subject of a verb of offering, of more than one word and without its place, or None."""
    match = _OFFERS.match(sentence)
    told = _trimmed(match["name"]) if match else None
    if told is None or len(told.split()) < 2:
        return None
    bare = _WHERE.sub("", told)
    return bare if len(bare.split()) > 1 else told


def _plain_sentence(text: str, start: int, end: int) -> str:
    sentence = " ".join(text[start : min(end, start + MAX_SENTENCE)].split())
    return without_marks(re.sub(r"^#+\s+", "", sentence))


def _rows(text: str, kinds: frozenset[str]) -> Iterator[str]:
    """Yield the first cells of tables whose first header is the kind or "Name"."""
    header: list[str] | None = None
    end = -1
    for match in _ROW.finditer(text):
        cells = [cell.strip(" *_") for cell in match["cells"].split("|")]
        if match.start() > end + 1:
            header = None
        end = match.end()
        if header is None:
            header = cells
        elif not _RULE.match(match["cells"]) and (_NAME_COLUMN.match(header[0]) or is_kind_word(header[0], kinds)):
            yield without_marks(cells[0])
