"""Words of an essay: which are known, which may be a contact."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from rapidfuzz.distance import OSA
from spellchecker import SpellChecker

from pipeline.extraction.labelling.features import commonness, name_rank, school_kind
from pipeline.extraction.values.text import plain_text
from pipeline.pages.text_trust import COMMON_WORDS

# The words of an essay, with their places and how they are written.


#: A word; hyphens divide words, apostrophes do not.
WORD = re.compile(r"[^\W\d_]++(?>(?:['’][^\W\d_]++)*)")
_POSSESSIVE = re.compile(r"['’][sS]$")
_ENDS_SENTENCE = re.compile(r"[.!?…:;\n“”\"¿¡()\[\]*•–—]")
_BESIDE = frozenset((" ", "-", "\n", "  ", "‐", ' "', " '"))
#: Least share of capital letters at which capitals mean nothing.
_SHOUTED = 0.6


@dataclass(frozen=True, slots=True)
class WordToken:
    """A word of a text and its place in it."""

    text: str
    start: int
    end: int
    #: In lower case, without accents and without a possessive ending.
    plain: str
    #: Begins with a capital letter, in a text that is not written in capitals throughout.
    capital: bool
    #: Is the first word of a sentence, a line or a quotation, where a capital means nothing.
    begins: bool
    #: The text between the word before and this one.
    before: str


def word_tokens(text: str) -> list[WordToken]:
    """Return the words of a text in order."""
    letters = [char for char in text if char.isalpha()]
    shouted = sum(char.isupper() for char in letters) > _SHOUTED * len(letters)
    found: list[WordToken] = []
    end = 0
    for match in WORD.finditer(text):
        word, before = match[0], text[end : match.start()]
        begins = not found or bool(_ENDS_SENTENCE.search(before))
        bare = plain_text(_POSSESSIVE.sub("", word)).replace("'", "")
        found.append(
            WordToken(word, match.start(), match.end(), bare, word[0].isupper() and not shouted, begins, before)
        )
        end = match.end()
    return found


def follows(tokens: Sequence[WordToken], index: int) -> bool:
    """Whether only a space, a line's end or a hyphen is between a word and the one before, or an initial's dot."""
    if not 0 < index < len(tokens):
        return False
    before = tokens[index].before
    return before in _BESIDE or (before in (". ", ".") and len(tokens[index - 1].text) <= 2)


# Whether a word is a name of people, and whether it is an ordinary word.


_LISTS = [line.split() for line in (Path(__file__).parent / "words.txt").read_text("utf-8").splitlines()]


def listed_words(*names: str) -> frozenset[str]:
    """Return the words (plain) of some of the lists of `words.txt`."""
    return frozenset(word for first, *words in _LISTS if first in names for word in words)


#: Words in a name field that are not part of a name: kinship terms, honorifics, particles.
NO_NAMES = listed_words("kin", "honorific", "particle")
_WORDS_TOO, _EVERYDAY = listed_words("word"), listed_words("everyday")
_NONE = "9"
#: Least uses in a language's frequency list of a word that is ordinary, even if it may be a name.
_OFTEN = {"en": 9_000, "es": 400}
#: Fewest letters of a stem, endings of forms of English and Spanish words, and those of their listed forms.
_STEM = 3
_ENDINGS = tuple(listed_words("ending"))
_STEM_ENDINGS = ("", "e", "o", "a", "ar", "er", "ir", "ando", "ado", "ido", "s", "y")
#: Fewest letters of words that may be a misspelled listed word.
_SLIP = 4


@cache
def _dictionary() -> dict[str, bool]:
    """Return {plain word of English and Spanish: whether it is used often}."""
    words: dict[str, bool] = {}
    for language, often in _OFTEN.items():
        for word, count in SpellChecker(language=language).word_frequency.dictionary.items():
            bare = plain_text(word)
            words[bare] = words.get(bare, False) or count >= often
    return words


@cache
def _rank(word: str) -> int:
    """Return how common a word is in English or Spanish, whichever is lower: 0 the commonest, 9 unlisted."""
    return min(int(digit) for digit in commonness(word))


def is_function(word: str) -> bool:
    """Whether a word is one of the commonest of a language, such as articles and prepositions."""
    return _rank(word) <= 1 or word in COMMON_WORDS


def is_everyday(word: str) -> bool:
    """Whether a word is among the commonest few thousand of a language."""
    return _rank(word) < 9 or word in COMMON_WORDS or word in _EVERYDAY


def is_ordinary(word: str) -> bool:
    """Whether a word is often used other than as a name."""
    return is_everyday(word) or word in _WORDS_TOO or _dictionary().get(word, False)


def is_dictionary_word(word: str) -> bool:
    """Whether a word, or another form of it, is in a dictionary of English or Spanish."""
    words = _dictionary()
    return is_listed_word(word) or any(
        word.endswith(ending)
        and len(word) - len(ending) >= _STEM
        and any(word.removesuffix(ending) + other in words for other in _STEM_ENDINGS)
        for ending in _ENDINGS
    )


def is_listed_word(word: str) -> bool:
    """Whether a word as it is written, or without a plural ending, is in a dictionary of English or Spanish."""
    words = _dictionary()
    return is_everyday(word) or any(word.removesuffix(ending) in words for ending in ("", "s", "es"))


def is_slip(word: str) -> bool:
    """Whether a word is an everyday one with one letter too many, too few, wrong or out of place."""
    return _everyday().has(word)


@cache
def _everyday() -> Alike:
    return Alike(sorted(word for word in _dictionary() if is_everyday(word)), _SLIP)


def is_first_name(word: str) -> bool:
    """Whether a word is a given name."""
    return len(word) > 1 and name_rank(word)[0] != _NONE


def is_common_given_name(word: str) -> bool:
    """Whether a word is a common given name."""
    least_common = "3" if is_everyday(word) else "4"
    return len(word) > 2 and name_rank(word)[0] <= least_common


def is_name(word: str) -> bool:
    """Whether a word is a given name or a surname."""
    return len(word) > 1 and name_rank(word) != _NONE * 2


def names_places(word: str) -> bool:
    """Whether schools and streets are often named by a word."""
    return bool(school_kind(word))


# Find e-mail addresses, telephone numbers, handles, links and street addresses in an essay.


MAIL, PHONE, HANDLE, LINK, ADDRESS = "[e-mail]", "[phone]", "[handle]", "[link]", "[address]"
_STREETS = "|".join(sorted(listed_words("street"), key=len, reverse=True))
_CALLES = "|".join(sorted(listed_words("calle"), key=len, reverse=True))
_DEVICES = "|".join(sorted(listed_words("device"), key=len, reverse=True))
_PATTERNS = (
    (MAIL, re.compile(r"(?<![\w.+-])[\w.+-]++(?: @ |@ ?)[\w-]++(?>(?: ?\.[\w-]++)+)")),
    (
        MAIL,
        re.compile(
            r"(?<![\w.+-])[\w.+-]++ (?:at|arroba) [\w-]++ (?:dot|punto) (?:com|org|net|edu|mx|us)\b", re.IGNORECASE
        ),
    ),
    (
        LINK,
        re.compile(
            r"\bhttps?://\S++|\bwww\.\S++|(?<![\w.-])[\w-]++\.(?:com|org|net|edu)(?>(?:/\S*+)?)(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (HANDLE, re.compile(r"(?<![\w@])@ ?\w++(?>(?:\.\w++)*)")),
    (
        HANDLE,
        re.compile(
            rf"\b(?:{_DEVICES})(?>(?: (?:name|is|es|de|account|cuenta|handle))*)(?: ?:)? ['\"]?"
            r"(?P<it>\w{0,60}[_\d.][\w.]*+)",
            re.IGNORECASE,
        ),
    ),
    (
        HANDLE,
        re.compile(
            r"(?<![\w.])(?=\w{0,40}[_\d])(?=\w{0,40}[^\W\d_]{3})[^\W\d_]\w*_\w*+|(?<![\w.])[^\W\d_]{3,30}\d{2,8}(?!\w)"
        ),
    ),
    (PHONE, re.compile(r"(?<!\w)\+?\(?\d(?:[\s().-]{0,3}\d){6,14}(?!\w)")),
    (
        ADDRESS,
        re.compile(
            rf"(?<!\w)\d{{1,6}}[a-z]? (?:(?:n|s|e|w|north|south|east|west)\.? )?"
            rf"(?:[^\W_]{{1,30}}[ -]){{1,4}}(?:{_STREETS})\b\.?"
            r"(?:,? (?:apt|apartment|unit|suite|#)\.? ?#?\w{1,6}\b)?",
            re.IGNORECASE,
        ),
    ),
    (
        ADDRESS,
        re.compile(
            rf"\b(?:{_CALLES})\.? (?:(?:de|del|la|las|los|el|san|santa) ){{0,2}}(?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]{{1,30}}"
            r"(?:(?: (?:de|del|la|las|los|y))* (?-i:[A-ZÁÉÍÓÚÑ])[^\W\d_]{1,30}){0,3}"
            r"(?:,? ?(?:#|no\.?|núm\.?|número)? ?\d{1,6}\b)?",
            re.IGNORECASE,
        ),
    ),
    (
        ADDRESS,
        re.compile(
            rf"\b(?:{_CALLES})\.? (?:[^\W\d_]{{1,30}} ){{1,4}}(?:#|no\.?|núm\.?|número)? ?\d{{1,6}}\b",
            re.IGNORECASE,
        ),
    ),
)


def without_contacts(text: str) -> str:
    """Return the text with a word in brackets for each way to reach a person."""
    for mask, pattern in _PATTERNS:
        text = pattern.sub(partial(_masked, mask), text)
    return text


def _masked(mask: str, found: re.Match[str]) -> str:
    """Return the mask for the group "it" if the pattern has one, else for the whole match."""
    if "it" not in found.re.groupindex:
        return mask
    return found[0][: found.start("it") - found.start()] + mask


# Find the words of a list that differ from a word by one letter.


#: Most letters of words that are compared, and most words of the list that differ in one letter.
_MOST_LETTERS, _MOST_ALIKE = 30, 8


class Alike:
    """A list of words, indexed by what is left of each without one letter."""

    def __init__(self, words: Iterable[str], least: int) -> None:
        """`least`: fewest letters of words that are compared."""
        self._least = least
        self._shorter: dict[str, list[str]] = {}
        for word in words:
            if least <= len(word) <= _MOST_LETTERS:
                for key in _without_a_letter(word):
                    alike = self._shorter.setdefault(key, [])
                    if len(alike) < _MOST_ALIKE:
                        alike.append(word)

    def has(self, word: str) -> bool:
        """Whether a word of the list has one letter more, less or different, or two letters swapped."""
        if not self._least <= len(word) <= _MOST_LETTERS:
            return False
        keys = (key for key in _without_a_letter(word) if key in self._shorter)
        return any(OSA.distance(one, word, score_cutoff=1) <= 1 for key in keys for one in self._shorter[key])


def _without_a_letter(word: str) -> Iterator[str]:
    yield word
    yield from (word[:place] + word[place + 1 :] for place in range(len(word)))
