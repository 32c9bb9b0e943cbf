"""Words, numbers and parts of a request, and the names by which requests know the common fields.

Words have classes: verbs that ask for a list, nouns for a kind of text, units of measure (`classes.toml`), nouns
for things to list and for subjects to explain (`nouns.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from text_to_num import text2num

from research.text.language import fold_accents, table_of, word_list

# The common fields of catalogs and their names in requests: `fields.toml`.


_WORDS = re.compile(r"[^\W_]+")
ARTICLES = word_list("articles")
#: Words after a field's name that only narrow it: "cost per pupil".
_PER = re.compile(r"\s(?:per|por|each)\b.*")


@dataclass(frozen=True)
class CommonField:
    """A common field, as in the file."""

    label: Mapping[str, str]
    search: Mapping[str, str]
    names: Sequence[str]
    group: str = ""


@cache
def catalog_common_fields() -> Mapping[str, CommonField]:
    """Return the common fields by key."""
    return {key: CommonField(**kind) for key, kind in table_of("fields").items()}


def common_field_label(field: str, language: str) -> str:
    """Return the label of a common field in a language; a field named by the question keeps its words."""
    kind = catalog_common_fields().get(field)
    words = field_words(field)
    return kind.label[language] if kind else words[:1].upper() + words[1:]


def field_words(field: str) -> str:
    """Return a field's key as words."""
    return " ".join(field.replace("_", " ").split())


def plain_name(named: str) -> str:
    """Return the words of a field's name, folded, without leading articles."""
    words = _WORDS.findall(fold_words(named.replace("_", " ")))
    while len(words) > 1 and words[0] in ARTICLES:
        words = words[1:]
    return " ".join(words)


def common_key(plain: str) -> str | None:
    """Return the key of the common field with this name; None if there is none."""
    key = plain.replace(" ", "_")
    return key if key in catalog_common_fields() else _keys().get(_singular(plain))


def label_key(named: str) -> str | None:
    """Return the key of the common field with this label, in the singular or plural; None for other words."""
    plain = _singular(plain_name(named))
    key = _keys().get(plain)
    labels = catalog_common_fields()[key].label.values() if key else ()
    return key if any(_singular(plain_name(label)) == plain for label in labels) else None


def kindred_key(plain: str) -> str | None:
    """Return the key of the common field that a name belongs to: "cost per pupil" and "hourly rate" are costs."""
    return common_key(plain) or common_key(_PER.sub("", plain)) or common_key(plain.rpartition(" ")[2])


def _singular(plain: str) -> str:
    if plain.endswith("iones"):
        return plain.removesuffix("es")
    return plain.removesuffix("s") if not plain.endswith(("ss", "us", "is")) else plain


@cache
def _keys() -> Mapping[str, str]:
    """The key of each name and label, in the singular."""
    found: dict[str, str] = {}
    for key, kind in catalog_common_fields().items():
        for name in (*kind.names, *kind.label.values()):
            found.setdefault(_singular(plain_name(name)), key)
    return found


# The words, numbers and parts of a request, in English or Spanish, with their places in the text.


_CLASSES = ("classes", "nouns")
_LETTERS = r"(?:[^\W\d_]|[\u0300-\u036f])+"
_TOKEN = re.compile(rf"\n\s*|\d+(?:[.,:/]\d+)*|{_LETTERS}(?:['’]{_LETTERS})*|[^\w\s]")
_WHOLE = re.compile(r"\d{1,3}(?:[.,]\d{3})+|\d{1,9}")
#: Characters of a request that are read.
_LONGEST = 4000
_MOST_NUMBER_WORDS = 5
_GROUPS = {"dozen": 12, "docena": 12, "decena": 10, "quincena": 15, "veintena": 20, "centenar": 100}
_GROUPS |= {"couple": 2, "pair": 2, "par": 2, "trio": 3, "score": 20}
_HALF = {"half", "media"}
_ARTICLES = {"a", "an", "un", "una"}
#: Words between the ends of a range; "and" only after "between".
_TO = {"to", "or", "a", "o", "u", "-", "–"}
_AND = {"and", "y"}
_BETWEEN = {"between", "entre"}

MARKS = frozenset(",;:.?!/+&\n()–—-•*¿¡|…")
ENDS = frozenset(".?!\n")
JOINING = frozenset(("and", "y", "e", "or", "o", "u", "plus", "mas"))
LEADING_TO = frozenset(("with", "con", "w", "including", "incluyendo", "their", "showing", "listing", "giving"))
LEADING_TO |= {"indicando", "each", "need", "include", "includes", "incluye", "incluya", "incluyan", "indicating"}
LEADING_TO |= {"indica", "indique", "sus", "give", "gives", "state", "da"}


@dataclass(frozen=True, slots=True)
class QueryToken:
    """A word, a number in digits or a mark."""

    text: str
    #: Lower case, without accents; "\\n" for a line break.
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Number:
    """A number in digits or words; of a range the upper end. `start` and `end` count tokens."""

    value: int
    start: int
    end: int
    is_range: bool = False


@dataclass(frozen=True, slots=True)
class QueryPart:
    """The tokens between two marks or joining words. `start` and `end` count tokens."""

    start: int
    end: int
    #: The tokens before and after it: a mark, "and", "with"; "^" and "$" at the ends of the text.
    opens: str
    closes: str
    sentence: int
    words: tuple[str, ...]


def fold_words(text: str) -> str:
    """Lower case without accents."""
    return fold_accents(text.casefold()).replace("’", "'")


def query_tokens(text: str) -> list[QueryToken]:
    """Return the tokens of a text; a long one is cut."""
    return [
        # A lone accent folds to "".
        QueryToken(match[0], "\n" if match[0][0] == "\n" else fold_words(match[0]) or match[0], *match.span())
        for match in _TOKEN.finditer(text[:_LONGEST])
    ]


def query_numbers(tokens: Sequence[QueryToken]) -> list[Number]:
    """Return the numbers in order: "5", "twenty five", "half a dozen", "five (5)", "3-5", "entre 3 y 5"."""
    found: list[Number] = []
    at = 0
    while at < len(tokens):
        number = _number_at(tokens, at)
        if number is None:
            at += 1
            continue
        found.append(_range(tokens, number) or number)
        at = found[-1].end
    return found


def query_parts(tokens: Sequence[QueryToken]) -> list[QueryPart]:
    """Return the parts of a request: between marks, conjunctions, and words like "with" that lead to a list."""
    found: list[QueryPart] = []
    start, opens, sentence = 0, "^", 0
    for at, token in enumerate(tokens):
        if not (_is_mark(tokens, at) or token.word in JOINING or token.word in LEADING_TO):
            continue
        if start < at:
            found.append(_part(tokens, start, at, opens, token.word, sentence))
            opens = token.word
        elif token.word not in JOINING:
            opens = token.word
        sentence += token.word in ENDS
        start = at + 1
    if start < len(tokens):
        found.append(_part(tokens, start, len(tokens), opens, "$", sentence))
    return found


def _part(tokens: Sequence[QueryToken], start: int, end: int, opens: str, closes: str, sentence: int) -> QueryPart:
    return QueryPart(start, end, opens, closes, sentence, tuple(token.word for token in tokens[start:end]))


def _is_mark(tokens: Sequence[QueryToken], at: int) -> bool:
    """Return whether a token is a mark that ends a part; the hyphen in a word does not."""
    if tokens[at].word not in MARKS:
        return False
    within = 0 < at < len(tokens) - 1 and tokens[at - 1].end == tokens[at].start
    return not (tokens[at].word == "-" and within and tokens[at].end == tokens[at + 1].start)


def _number_at(tokens: Sequence[QueryToken], at: int) -> Number | None:
    found = _group(tokens, at) or _plain(tokens, at)
    if found and [token.word for token in tokens[found.end : found.end + 3 : 2]] == ["(", ")"]:
        repeated = _plain(tokens, found.end + 1)
        if repeated and repeated.value == found.value:
            return Number(found.value, at, found.end + 3)
    return found


def _group(tokens: Sequence[QueryToken], at: int) -> Number | None:
    """Return "a dozen", "half a dozen", "media docena", "un par"; "dozen" alone too."""
    words = [token.word for token in tokens[at : at + 4]]
    is_half = any(word in _HALF for word in words[:2])
    for length, word in enumerate(words, 1):
        if word in _GROUPS and (length > 1 or _GROUPS[word] > 9):
            return Number(_GROUPS[word] // (2 if is_half else 1), at, at + length)
        if word not in _HALF and word not in _ARTICLES and word != "-":
            return None
    return None


def _plain(tokens: Sequence[QueryToken], at: int) -> Number | None:
    value, end = _value(tokens, at)
    if value is None:
        return None
    size = _GROUPS.get(tokens[end].word.removesuffix("s"), 0) if end < len(tokens) else 0
    return Number(value * size, at, end + 1) if size > 9 else Number(value, at, end)


def _value(tokens: Sequence[QueryToken], at: int) -> tuple[int | None, int]:
    """Return the value of the longest number that begins at a token, and the token after it."""
    word = tokens[at].word
    if word[0].isdigit():
        return (int(re.sub(r"\D", "", word)) if _WHOLE.fullmatch(word) else None), at + 1
    if word in _ARTICLES:
        return None, at
    for language in ("en", "es"):
        value, end = None, at
        for until in range(at + 1, min(at + _MOST_NUMBER_WORDS, len(tokens)) + 1):
            read = _in_words([token.text.lower() for token in tokens[at:until]], language)
            if read is None and tokens[until - 1].word not in {"-", "y", "and"}:
                break
            if read is not None:
                value, end = read, until
        if value is not None:
            return value, end
    return None, at


def _in_words(words: Sequence[str], language: str) -> int | None:
    if not words[0][0].isalpha() or not words[-1][0].isalpha():
        return None
    try:
        return int(text2num(" ".join(words).replace(" - ", "-"), language))
    except ValueError:
        return None


def _range(tokens: Sequence[QueryToken], low: Number) -> Number | None:
    between = low.start > 0 and tokens[low.start - 1].word in _BETWEEN
    if low.end + 1 >= len(tokens) or tokens[low.end].word not in (_TO | _AND if between else _TO):
        return None
    high = _number_at(tokens, low.end + 1)
    return Number(high.value, low.start, high.end, True) if high and low.value < high.value < 1000 else None


def shapes_of(tokens: Sequence[QueryToken], numbers: Sequence[Number]) -> Iterator[tuple[str, int]]:
    """Yield each word with its token, a number as the class of its size: "<few>", "<dozens>", "<year>"."""
    at, starting = 0, {number.start: number for number in numbers}
    while at < len(tokens):
        if number := starting.get(at):
            yield _size(number, tokens), at
            at = number.end
        else:
            word = tokens[at].word
            yield (("<time>" if ":" in word else "<other>") if word[0].isdigit() else word), at
            at += 1


def _size(number: Number, tokens: Sequence[QueryToken]) -> str:
    digits = tokens[number.start].word
    if number.end == number.start + 1 and len(digits) == 4 and digits.isdigit() and 1200 <= number.value <= 2100:
        return "<year>"
    bounds = ((1, "<one>"), (12, "<few>"), (30, "<dozens>"), (100, "<many>"))
    return next((name for most, name in bounds if number.value <= most), "<large>")


@cache
def classes_of(word: str) -> tuple[str, ...]:
    """Return the classes of a folded word, in the order of the files."""
    whole, beginnings = _lexicon()
    found = dict.fromkeys(whole.get(word, ()))
    for length in range(3, len(word) + 1):
        found.update(dict.fromkeys(beginnings.get(word[:length], ())))
    return tuple(found)


@cache
def _lexicon() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    whole: dict[str, list[str]] = {}
    beginnings: dict[str, list[str]] = {}
    for file in _CLASSES:
        for name, words in table_of(file).items():
            for word in words.split():
                target = beginnings if word.endswith("*") else whole
                target.setdefault(word.removesuffix("*"), []).append(name)
    return whole, beginnings
