"""References: identifiers, titles and authors of works, citation keys, and comparison of works."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import unescape
from importlib.resources import files
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from rapidfuzz.distance import OSA
from stdnum import isbn
from w3lib.url import canonicalize_url

from research.document import Reference, first_free
from research.sources.base import Hit
from research.text.language import ORDINALS, SMALL, fold_accents, in_dictionary, stop_words

if TYPE_CHECKING:
    from tldextract import TLDExtract

#: Fields that references to the same work may complete for each other.
FIELDS = ("title", "authors", "year", "publisher", "url", "doi", "isbn", "as_written")


@dataclass(frozen=True, slots=True)
class WorkIdentity:
    """The normalised identifiers of a work."""

    title: str | None
    url: str | None
    doi: str | None
    #: Whether the DOI was given as such, not extracted from a URL.
    doi_given: bool
    isbns: frozenset[str]
    #: Identifiers by collection: "arxiv", "pmid" and others.
    numbers: Mapping[str, str]


def same_reference(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether both are the same work by `title`, `url`, `doi`, `isbn`, any of which may be null or missing.

    The first of these that both have decides: DOI, the number in a collection (arXiv, PubMed, JSTOR …), ISBN
    (another ISBN is another edition, unless the URL is the same), canonical URL, title. References with equal
    titles are the same work unless something contradicts (preprint and article, page and PDF); with a short title,
    only if their URLs are not on different domains.
    """
    return same_work(identity_of(a), identity_of(b))


def identity_of(reference: Mapping[str, Any]) -> WorkIdentity:
    """Return the normalised identifiers of a reference."""
    url, doi = _text(reference.get("url")), _text(reference.get("doi"))
    given = normal_doi(doi)
    isbn = reference.get("isbn")
    return WorkIdentity(
        title=_text(reference.get("title")),
        url=canonical_url(url),
        doi=given or normal_doi(url),
        doi_given=given is not None,
        isbns=frozenset(isbns_of(isbn if isinstance(isbn, str) else "; ".join(map(str, isbn or ())))),
        numbers=collection_ids(url, doi),
    )


def same_work(a: WorkIdentity, b: WorkIdentity) -> bool:
    """Decide as `same_reference` does, for identities already extracted."""
    if a.doi and b.doi:
        return a.doi == b.doi
    shared = a.numbers.keys() & b.numbers.keys()
    if any(a.numbers[collection] == b.numbers[collection] for collection in shared):
        return True
    if shared - SEVERAL_NUMBERS:
        return False
    page = url_without_format(a.url)
    if a.isbns & b.isbns or (page and page == url_without_format(b.url)):
        return True
    if a.isbns and b.isbns:
        return False
    return _titles_agree(a, b)


def _titles_agree(a: WorkIdentity, b: WorkIdentity) -> bool:
    found = agreement(a.title, b.title)
    if found == "none" or not (a.url and b.url):
        return found != "none"
    if registrable_domain(a.url) != registrable_domain(b.url):
        return found == "strong"
    # Numbers distinguish two pages of a site: dates, issues, ids of articles.
    first, second = set(re.findall(r"\d+", a.url)), set(re.findall(r"\d+", b.url))
    return first <= second or second <= first


def _text(value: Any) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


class CitationRegistry:
    """Assigns keys to sources; the same additions in the same order get the same keys."""

    def __init__(self, references: Iterable[Reference] = ()) -> None:
        """Start with references that have keys already."""
        self._references = {one.key: one for one in references}
        #: One of each distinct reference to the work, by key.
        self._identities = {key: [identity_of(vars(one))] for key, one in self._references.items()}

    def add(self, item: Hit | Reference) -> str:
        """Add a source and return its key; a known work keeps its key and gains the fields that it lacked."""
        found = {name: getattr(item, name, None) for name in (*FIELDS, "kind")}
        identity = identity_of(found)
        key = next((key for key, known in self._identities.items() if _is_of(identity, known)), None)
        if key is None:
            key = make_key(item.authors, item.year, item.publisher, item.title, self._references)
            self._references[key] = Reference(key=key, **found)
        known = self._references[key]
        update = {name: found[name] for name in FIELDS if found[name] and not getattr(known, name)}
        if known.kind == "other":
            update["kind"] = found["kind"]
        self._references[key] = known.model_copy(update=update)
        identities = self._identities.setdefault(key, [])
        if identity not in identities:
            identities.append(identity)
        return key

    def reference(self, key: str) -> Reference:
        """Return the source with this key. Raises KeyError."""
        return self._references[key]


def _is_of(identity: WorkIdentity, known: Sequence[WorkIdentity]) -> bool:
    """Return whether a reference is to the same work as the known ones; a work has only one given DOI."""
    given = {one.doi for one in known if one.doi_given}
    if given and identity.doi_given and identity.doi not in given:
        return False
    return any(same_work(one, identity) for one in known)


# Normalise identifiers of works: URL, DOI, ISBN, and the number in a collection that a URL gives.


_DATA = tomllib.loads(files(__package__).joinpath("addressed_works.toml").read_text(encoding="utf-8"))
_DOI_PAGES = [(re.compile(pattern), doi) for pattern, doi in _DATA["dois"].items()]
_NUMBERS = [
    (name, re.compile(pattern, re.IGNORECASE))
    for name, patterns in _DATA["collections"].items()
    for pattern in patterns
]
#: Collections in which a work may have several numbers; in others, different ones mean different works.
SEVERAL_NUMBERS = frozenset(_DATA["several_numbers"])
#: Optional parts of the numbers of a collection.
_LEFT_OUT = {"pii": ("(", ")", "-"), "ojs": ("/index.php",)}
#: Query parameters whose value may be a DOI.
_DOI_PARAMETERS = frozenset({"id", "doi", "article", "articleid", "uri"})
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d{1,9}){0,9}/[^\s\"<>]{1,500}", re.IGNORECASE)
_SENTENCE_MARKS = ".,;:'\u2019\u201d/"
_OPENING = {")": "(", "]": "[", "}": "{"}
_ISBN = re.compile(
    r"(?<![\dX])(?:97[89][\s-]?)?\d(?:[\s\u2010-\u2015-]?\d){8}[\s\u2010-\u2015-]?[\dX](?![\dX])", re.IGNORECASE
)
_REWRITES = {
    step: [(re.compile(pattern, re.IGNORECASE), new) for pattern, new in rules]
    for step, rules in tomllib.loads(files(__package__).joinpath("urls.toml").read_text(encoding="utf-8")).items()
}


def normal_doi(value: str | None) -> str | None:
    """Return the DOI in a text or URL, in lower case and without its surroundings; None if there is none."""
    text = (value or "").strip()
    is_address = bool(re.match(r"(?i)https?://", text))
    if is_address:
        text = doi_of_address(text) or re.split(r"[?#]", text)[0]
    match = _DOI.search(unquote(text))
    if match is None:
        return None
    doi = _without_tail(match[0].lower())
    if is_address:
        doi = _without_tail(_rewritten("doi_in_url", doi))
    return _rewritten("doi", doi) if "/" in doi else None


def doi_of_address(url: str) -> str | None:
    """Return the DOI, in lower case, given by the URL of a publisher's page or by a query parameter, or None."""
    page, _, query = url.split("#")[0].partition("?")
    for pattern, doi in _DOI_PAGES:
        if match := pattern.search(unquote(page).lower()):
            return str(doi).format(match[1])
    handed_on = (value.lower() for name, value in parse_qsl(query) if name.lower() in _DOI_PARAMETERS)
    return next((value for value in handed_on if _DOI.match(value.removeprefix("doi:"))), None)


def collection_ids(*addresses: str | None) -> dict[str, str]:
    """Return the identifiers found in URLs and DOIs, by collection ("arxiv", "pmid", "jstor" …)."""
    found: dict[str, str] = {}
    for address in filter(None, addresses):
        plain = unquote(address).split("#")[0]
        for collection, pattern in _NUMBERS:
            if match := pattern.search(plain):
                number = " ".join(match.groups())
                number = number if collection in _DATA["case_sensitive"] else number.lower()
                for part in _LEFT_OUT.get(collection, ()):
                    number = number.replace(part, "")
                found.setdefault(collection, number)
    return found


def isbns_of(text: str | None) -> list[str]:
    """Return all valid ISBNs in a text as thirteen digits, omitting those with a wrong check digit."""
    found = (re.sub(r"[^\dX]", "", match[0].upper()) for match in _ISBN.finditer(text or ""))
    return list(dict.fromkeys(isbn.to_isbn13(number) for number in found if isbn.is_valid(number)))


def _without_tail(doi: str) -> str:
    """Strip punctuation that belongs to the surrounding sentence; balanced brackets belong to the DOI and stay."""
    while doi and (doi[-1] in _SENTENCE_MARKS or doi.count(doi[-1]) > doi.count(_OPENING.get(doi[-1], doi[-1]))):
        doi = doi[:-1]
    return doi


def canonical_url(url: str | None) -> str | None:
    """Return the URL without scheme variants, "www.", default ports, tracking and fragment; None if invalid.

    An AMP page or a snapshot in the Internet Archive gets the URL of the original page.
    """
    text = _rewritten("given", unicodedata.normalize("NFC", url or "").strip())
    if not re.match(r"https://[^\s/?#:]\S*$", text):
        return None
    try:
        return _rewritten("canonical", canonicalize_url(text))
    except ValueError:
        return None


def registrable_domain(url: str | None) -> str:
    """Return the registrable domain ("example.co.uk") of a URL or host; the host if it has none.

    Uses the Public Suffix List bundled with tldextract. Returns "" for text without a host.
    """
    host = urlsplit(canonical_url(url) or "").hostname or ""
    return (host and _suffixes()(host).top_domain_under_public_suffix) or host


def url_without_format(canonical: str | None) -> str | None:
    """Return a canonical URL without a suffix such as .html or .pdf; None for the URL of a whole site."""
    is_page = re.search(r"[/?]", (canonical or "").removeprefix("https://"))
    return _rewritten("page", canonical) if canonical and is_page else None


def _rewritten(step: str, url: str) -> str:
    for pattern, new in _REWRITES[step]:
        url = pattern.sub(new, url)
    return url


@cache
def _suffixes() -> TLDExtract:
    # It loads a client for HTTP, which is not used: the list is the bundled one, without a download or a cache.
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)


# Read authors' names, and make citation keys: "ortiz2019", then "ortiz2019b" for the next of name and year.


MAX_NAME_CHARS = 24
_NAME_DATA = tomllib.loads(files(__package__).joinpath("names.toml").read_text(encoding="utf-8"))
_ORGANISATION = re.compile(rf"\b(?:{'|'.join(_NAME_DATA['organisations'])})", re.IGNORECASE)
_SPECIAL = str.maketrans(_NAME_DATA["letters"])


def split_name(name: str) -> tuple[str, str]:
    """Return given and family name; an organisation or a single word is all family name."""
    family, comma, given = name.partition(",")
    if comma:
        return given.strip(), family.strip()
    words = name.split()
    if len(words) < 2 or _ORGANISATION.search(name):
        return "", name
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _NAME_DATA["particles"]:
        first -= 1
    return " ".join(words[:first]), " ".join(words[first:])


def make_key(
    authors: Sequence[str], year: int | None, publisher: str | None, title: str, taken: Collection[str]
) -> str:
    """Return a key that is not taken: first author's surname, else publisher, else title, followed by the year."""
    names = [_author(authors[0]) if authors else "", _words(publisher or "", 2), _words(title, 1), "source"]
    stem = next(filter(None, names)) + (str(year) if year else "")
    # Without a year, a letter appended directly could make another name.
    joint = "" if year else "-"
    return first_free(lambda number: f"{stem}{joint}{_letter(number)}" if number else stem, taken)


def _letter(number: int) -> str:
    """Return b, c … z, then z2, z3 …"""
    return ascii_lowercase[number] if number < len(ascii_lowercase) else f"z{number - len(ascii_lowercase) + 2}"


def _author(name: str) -> str:
    if _ORGANISATION.search(name):
        return _words(name, 2)
    family, comma, _ = name.partition(",")
    words = [word for word in _plain(family).split() if word not in _NAME_DATA["titles"]]
    chosen = "".join(words) if comma else (words or [""])[-1]
    return _as_name(chosen)


def _words(text: str, most: int) -> str:
    stops = stop_words("en") | stop_words("es")
    words = [word for word in _plain(text).split() if word not in stops and not word[0].isdigit()]
    return _as_name("".join(words[:most]))


def _plain(text: str) -> str:
    folded = fold_accents(text.casefold().translate(_SPECIAL)).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", " ", folded.replace("'", ""))


def _as_name(text: str) -> str:
    """Return the text from its first letter on, at most `MAX_NAME_CHARS` characters."""
    return re.sub(r"^[^a-z]+", "", text)[:MAX_NAME_CHARS]


# Compare titles to decide whether they belong to the same work.


#: Strength of the evidence that titles agree: "none" for generic ones like "Introduction" or "Annual report".
Agreement = Literal["none", "weak", "strong"]
STRONG_WORDS, STRONG_CHARS = 4, 20
#: A missing subtitle is accepted if the main title has at least this many words and characters.
MAIN_TITLE_WORDS, MAIN_TITLE_CHARS = 2, 12
#: Words shorter than this are never treated as misspelt.
MISSPELT_LENGTH = 5
#: Fewest words of a title in which a plural instead of a singular counts as a slip.
PLURAL_WORDS = 6
#: Fewest characters of a truncated title that can be compared.
CUT_CHARS = 30

_TITLE_DATA = tomllib.loads(files(__package__).joinpath("titles.toml").read_text(encoding="utf-8"))
#: The normalised spelling of each variant, and the digits of each number in words.
_ONE_SPELLING = {other: word for word, rest in _TITLE_DATA["same"].items() for other in rest.split()} | {
    word: str(number) for word, number in (SMALL | ORDINALS).items()
}
_AMERICAN = [(re.compile(british), american) for british, american in _TITLE_DATA["american"].items()]
_TITLE_REWRITES = [(re.compile(pattern), new) for pattern, new in _TITLE_DATA["rewrites"]]
_SUBTITLE = re.compile(r"\s{0,9}(?::|\s[-\u2013\u2014|\u00b7]++\s|\u2014|\||\.\s++(?=\S)|\?\s++(?=\S))\s*+")
_CUT = re.compile(r"(?>(?:(?<!\s)\s++)?)(?:\u2026|\.\.\.)\s*+$")


class _Title(NamedTuple):
    words: tuple[str, ...]
    text: str
    #: The words before and after each colon or dash: what follows may be a subtitle or a site or journal.
    cuts: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    was_cut: bool


def agreement(first: str | None, second: str | None) -> Agreement:
    """Return how strongly two titles agree; any difference in numbers, editions or years means "none".

    Case, accents, punctuation, markup, articles, "and", number words and British or American spelling are ignored.
    One wrong letter is accepted if the result is in no dictionary, and in a long title a plural. A subtitle may be
    missing, and so may the end if an ellipsis marks it.
    """
    one, other = _title(first or ""), _title(second or "")
    if not one.words or not other.words:
        return "none"
    if _same_words(one.words, other.words) or _is_cut(one, other) or _is_cut(other, one):
        if one.text in _TITLE_DATA["generic"] or len(one.words) < 2:
            return "none"
        return "strong" if len(one.words) >= STRONG_WORDS and len(one.text) >= STRONG_CHARS else "weak"
    for plain, longer in ((one, other), (other, one)):
        for main, rest in longer.cuts:
            long_enough = len(main) >= MAIN_TITLE_WORDS and len(" ".join(main)) >= MAIN_TITLE_CHARS
            if long_enough and _same_words(main, plain.words) and not _makes_another(rest):
                return "strong" if len(main) >= STRONG_WORDS else "weak"
    return "none"


def _makes_another(rest: tuple[str, ...]) -> bool:
    """Return whether the text after a title marks another work: a part, an edition, a year or a reply."""
    numbers = [word for word in rest if word.isdigit()]
    is_part = rest[:1] != () and rest[0] in _TITLE_DATA["units"] and bool(numbers)
    is_year = rest[:1] == tuple(numbers[:1]) and (len(rest) == 1 or len(rest[0]) == len("2019"))
    return is_part or is_year or not set(rest).isdisjoint(_TITLE_DATA["answers"])


@lru_cache(maxsize=4096)
def _title(text: str) -> _Title:
    plain = fold_accents(unescape(text)).casefold()
    for pattern, new in _TITLE_REWRITES:
        plain = pattern.sub(new, plain)
    whole = _CUT.sub("", plain)
    cuts = [
        (_title_words(whole[: found.start()]), _title_words(whole[found.end() :]))
        for found in _SUBTITLE.finditer(whole)
    ]
    words = _title_words(whole)
    return _Title(words, " ".join(words), tuple(cuts), was_cut=whole != plain)


def _title_words(text: str) -> tuple[str, ...]:
    return tuple(
        _one_spelling(word) for word in re.findall(r"[^\W_]+", text) if word not in _TITLE_DATA["left_out"]
    )


def _one_spelling(word: str) -> str:
    word = _ONE_SPELLING.get(word, word)
    if len(word) > MISSPELT_LENGTH:
        for pattern, american in _AMERICAN:
            word = pattern.sub(american, word)
    return word


def _is_cut(short: _Title, long: _Title) -> bool:
    """Return whether `short` is `long` truncated, perhaps within a word."""
    return short.was_cut and len(short.text) >= CUT_CHARS and long.text.startswith(short.text)


def _same_words(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    if "".join(one) == "".join(other):
        return True
    if len(one) != len(other):
        return False
    unlike = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    return len(unlike) <= max(1, len(one) // 5) and all(_is_misspelt(a, b, len(one)) for a, b in unlike)


def _is_misspelt(one: str, other: str, words: int) -> bool:
    """Return whether two words differ by a wrong letter that makes no word, or in a long title by a plural."""
    if min(len(one), len(other)) < MISSPELT_LENGTH or any(map(str.isdigit, one + other)) or one[0] != other[0]:
        return False
    if words >= PLURAL_WORDS and (one in {f"{other}s", f"{other}es"} or other in {f"{one}s", f"{one}es"}):
        return True
    return OSA.distance(one, other, score_cutoff=1) <= 1 and not (in_dictionary(one) and in_dictionary(other))
