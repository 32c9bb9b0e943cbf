"""Names of people, schools and places in essays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum

from services.library.essays.words import (
    NO_NAMES,
    Alike,
    WordToken,
    follows,
    is_common_given_name,
    is_dictionary_word,
    is_everyday,
    is_first_name,
    is_function,
    is_name,
    is_ordinary,
    is_slip,
    listed_words,
    names_places,
)

#: Least letters of a short form of a name ("Sam"), and of a name and a word that may differ by one error.
_SHORT_FORM, _SLIP = 3, 5
#: Most letters of a short form.
_LONGEST = 30
_ENDINGS = ("", "s", "es")


class _Names:
    """Names by their beginnings and spellings, so that each word is looked up once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name for name in names if len(name) > 1 and name not in NO_NAMES)
        self._begins = {
            name[:length] for name in self._names for length in range(_SHORT_FORM, min(len(name), _LONGEST))
        }
        self._alike = Alike(sorted(self._names), _SLIP)

    def has(self, token: WordToken) -> bool:
        """Whether a word is one of the names, a plural, a short form or a misspelling of one."""
        word, capital = token.plain, token.text[0].isupper()
        if word in NO_NAMES:
            return False
        if any(word.removesuffix(ending) in self._names for ending in _ENDINGS):
            return capital or not is_ordinary(word)
        if not capital or len(word) < _SHORT_FORM or is_everyday(word):
            return False
        return word in self._begins or self._alike.has(word)


def spread(tokens: Sequence[WordToken], marks: list[WordMark | None], own: Iterable[str]) -> None:
    """Mark every mention of the names that are marked already, and of those of the entry (plain)."""
    marked = {token.plain for token, mark in zip(tokens, marks, strict=True) if mark is WordMark.NAME}
    names = _Names(own)
    others = _Names(word for word in marked if len(word) > 2)
    for index, token in enumerate(tokens):
        if names.has(token) or others.has(token):
            marks[index] = WordMark.NAME


class WordMark(Enum):
    """What a word may be."""

    NAME = "name"
    #: A name or an ordinary word; a person decides.
    DOUBT = "doubt"


_TITLES = listed_words("title")
_BEARERS = listed_words("bearer")
_NAMED = listed_words("named")
_PLACE = listed_words("place")
_SETTLED = listed_words("settled")
_STREETS = listed_words("street")
_SCHOOLED, _SCHOOLING = listed_words("schooled"), listed_words("schooling")
_OF_SCHOOLS = listed_words("school")
_HARMLESS = listed_words("harmless")
_PARTICLES = listed_words("particle")
_IS = frozenset({"is", "was", "es", "era", "are", "were", "son", "fue"})
_AND = frozenset({"and", "y", "e", "or", "o"})
_WHOM = frozenset({"him", "her", "me", "it", "us", "them", "le", "lo", "la", "por"})
_BEGIN_LIST = frozenset(
    {"by", "from", "love", "sincerely", "atentamente", "por", "de", "dear", "querido", "querida", "hi", "hey"}
)
_ACTS = (
    _IS
    | _AND
    | frozenset(
        [
            "has",
            "had",
            "says",
            "said",
            "told",
            "gave",
            "helps",
            "helped",
            "makes",
            "made",
            "taught",
            "teaches",
            "loves",
            "loved",
            "likes",
            "works",
            "will",
            "would",
            "can",
            "dice",
            "dijo",
            "tiene",
            "me",
            "le",
            "nos",
            "siempre",
            "always",
            "never",
            "also",
            "still",
            "and",
            "who",
        ]
    )
)
#: Words after which a lower-case word that is also a given name is likelier to be one.
_WITH = frozenset(["with", "con", "told", "asked", "met", "visit", "visited", "hugged", "thank", "gracias"])
#: Words that are no names anywhere.
_NEVER = NO_NAMES | _HARMLESS | _BEARERS | _OF_SCHOOLS | _SCHOOLED | _SCHOOLING | _STREETS
#: Abbreviations that a dot follows within a sentence.
_SHORT = _TITLES | {"prof", "sgt", "lt", "st", "jr"}
#: Most words of one name.
_MOST_WORDS_OF_NAME = 5


def find_names(tokens: Sequence[WordToken]) -> list[WordMark | None]:
    """Return the mark of each word of a text; None for a word that names nobody."""
    finder = _Finder(tokens)
    for index in range(len(tokens)):
        finder.after_cue(index)
    for index in range(len(tokens)):
        finder.by_itself(index)
    return finder.marks


Judge = Callable[[WordToken, WordToken | None], "WordMark | None"]


class _Finder:
    """Marks the words of one essay; each word is looked at a bounded number of times."""

    def __init__(self, tokens: Sequence[WordToken]) -> None:
        self.tokens = tokens
        self.marks: list[WordMark | None] = [None] * len(tokens)

    # Judge a word by the words around it.

    def after_cue(self, index: int) -> None:
        """Mark the name that the word at `index` introduces, if it introduces one."""
        word = self.tokens[index].plain
        if word in _TITLES:
            self._name(index + 1, self._after_title)
        elif word in _BEARERS:
            self._after_bearer(index)
        elif word in _NAMED or word in ("name", "names", "nombre", "nombres"):
            self._name(self._past(index + 1, _IS | _WHOM), self._after_named)
        elif word in _BEGIN_LIST and (self.tokens[index].begins or word in ("love", "dear", "querido", "querida")):
            self._name(index + 1, self._after_greeting)
        if word in _PLACE or word in _SETTLED:
            self._place(index)
        if word in _STREETS:
            self._before(index, 3)
        if word in _SCHOOLED or word in _SCHOOLING:
            self._school(index)

    def _past(self, index: int, words: frozenset[str]) -> int:
        return index + 1 if index < len(self.tokens) and self.tokens[index].plain in words else index

    def _after_bearer(self, index: int) -> None:
        at = index + 1
        if at < len(self.tokens) and self.tokens[at].plain in _IS:
            token = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
            if token is not None and not token.capital and self._is_unknown(token):
                self._extend(at + 1)
            return
        self._name(at, self._after_kin)

    def _name(self, index: int, judge: Judge) -> None:
        """Mark a name that begins at `index`, and those that follow it in a list."""
        for _ in range(_MOST_WORDS_OF_NAME * 2):
            if index >= len(self.tokens) or not _close(self.tokens, index):
                return
            if self.tokens[index].plain in _TITLES or self.tokens[index].plain in _BEARERS:
                return
            mark = judge(self.tokens[index], self.tokens[index + 1] if index + 1 < len(self.tokens) else None)
            if mark is None:
                return
            if mark is WordMark.DOUBT:
                self.marks[index] = self.marks[index] or mark
                return
            index = self._extend(index)
            if index < len(self.tokens) and self.tokens[index].plain in _AND:
                index += 1
            elif index >= len(self.tokens) or "," not in self.tokens[index].before:
                return
            judge = self._after_kin

    def _extend(self, index: int) -> int:
        """Mark the words of the name that begins at `index`; return the index after it."""
        self.marks[index] = WordMark.NAME
        at = index + 1
        while at < len(self.tokens) and at - index < _MOST_WORDS_OF_NAME and follows(self.tokens, at):
            token = self.tokens[at]
            if token.plain in _PARTICLES and at + 1 < len(self.tokens) and self.tokens[at + 1].capital:
                at += 1
                continue
            if not (self._goes_on(token) if token.capital else self._is_small_name(token)):
                break
            self.marks[at] = WordMark.NAME
            at += 1
        return at

    def _goes_on(self, token: WordToken) -> bool:
        return not is_function(token.plain) and token.plain not in _NEVER

    def _is_unknown(self, token: WordToken) -> bool:
        return (
            len(token.plain) > 2
            and not is_dictionary_word(token.plain)
            and not is_slip(token.plain)
            and self._goes_on(token)
        )

    def _is_small_name(self, token: WordToken) -> bool:
        """Whether a word in lower case can only be a name."""
        word = token.plain
        if not self._goes_on(token):
            return False
        if is_common_given_name(word) and not is_ordinary(word):
            return True
        return (is_name(word) and not is_dictionary_word(word)) or self._is_unknown(token)

    def _after_title(self, token: WordToken, _next: WordToken | None) -> WordMark | None:
        word = token.plain
        if token.capital:
            return None if is_function(word) and not is_name(word) else WordMark.NAME
        if is_function(word) or word in NO_NAMES or (is_everyday(word) and not is_name(word)):
            return None
        return WordMark.NAME

    def _after_named(self, token: WordToken, following: WordToken | None) -> WordMark | None:
        word = token.plain
        if token.capital:
            return WordMark.NAME if is_common_given_name(word) or self._goes_on(token) else None
        if is_function(word) or word in NO_NAMES:
            return None
        if is_first_name(word) and (not is_everyday(word) or is_common_given_name(word)):
            return WordMark.NAME
        return WordMark.NAME if self._is_small_name(token) else None

    def _after_greeting(self, token: WordToken, _next: WordToken | None) -> WordMark | None:
        if token.capital:
            return (
                WordMark.NAME
                if self._goes_on(token) and (is_name(token.plain) or not is_everyday(token.plain))
                else None
            )
        return WordMark.NAME if self._is_small_name(token) else None

    def _after_kin(self, token: WordToken, following: WordToken | None) -> WordMark | None:
        word = token.plain
        if token.capital:
            if is_function(word) and not is_common_given_name(word):
                return None
            return WordMark.NAME if self._goes_on(token) or is_common_given_name(word) else None
        if self._is_small_name(token):
            return WordMark.NAME
        if not is_common_given_name(word) or word in NO_NAMES or word in _HARMLESS:
            return None
        if is_function(word) and following is not None and not following.before.strip():
            return WordMark.DOUBT if following.plain in _ACTS else None
        return WordMark.DOUBT

    def _place(self, index: int) -> None:
        """Mark a place after "in", "from" or "de"; in lower case only where somebody lives or was born."""
        at = index + 1
        settled = self.tokens[index].plain in _SETTLED
        if settled and at < len(self.tokens) and self.tokens[at].plain in _PLACE | {"de", "up"}:
            at = self._past(at + 1, _PLACE)
        settled = settled or (index > 0 and self.tokens[index - 1].plain in _SETTLED)
        if at >= len(self.tokens) or not follows(self.tokens, at):
            return
        token = self.tokens[at]
        if not self._goes_on(token):
            return
        if token.capital:
            named = settled or not is_everyday(token.plain) or names_places(token.plain)
        else:
            place = names_places(token.plain) and not is_ordinary(token.plain)
            named = settled and (place or self._is_small_name(token))
        if named:
            self._extend(at)

    def _before(self, index: int, most: int) -> None:
        """Mark the words in front of "Street" or "Elementary" that make up its name."""
        for at in range(index, max(0, index - most), -1):
            if not follows(self.tokens, at):
                return
            token = self.tokens[at - 1]
            word = token.plain
            if word in _SCHOOLED or word in _SCHOOLING or word in _OF_SCHOOLS or word in _STREETS:
                continue
            if token.capital:
                if is_function(word) or word in NO_NAMES or (token.begins and is_everyday(word)):
                    return
                self.marks[at - 1] = WordMark.NAME
                continue
            named = is_name(word) and not is_ordinary(word)
            if not (named or self._is_small_name(token) or (names_places(word) and not is_function(word))):
                return
            self.marks[at - 1] = WordMark.NAME

    def _school(self, index: int) -> None:
        self._before(index, 4)
        at = index + 1
        while (
            at < len(self.tokens)
            and at - index < 4
            and (self.tokens[at].plain in _SCHOOLED | _SCHOOLING | _PARTICLES | {"called", "llamada", "named"})
        ):
            at += 1
        if at >= len(self.tokens) or not follows(self.tokens, at):
            return
        token = self.tokens[at]
        spanish = self.tokens[index].plain not in _SCHOOLED | {"school", "academy"}
        if (token.capital and self._goes_on(token) and (spanish or not is_everyday(token.plain))) or (
            not token.capital and spanish and self._is_small_name(token)
        ):
            self._extend(at)

    # Judge a word by itself.

    def by_itself(self, index: int) -> None:
        """Mark a word that is a name by how it is written, or that could be one."""
        token = self.tokens[index]
        if self.marks[index] is WordMark.NAME or len(token.plain) < 2:
            return
        if token.plain in NO_NAMES or token.plain in _HARMLESS or token.plain in _BEARERS:
            return
        if not token.capital:
            mark = self._small(index)
        elif token.begins:
            mark = self._first(index)
        else:
            mark = self._inside(index)
        self.marks[index] = mark or self.marks[index]

    def _small(self, index: int) -> WordMark | None:
        word = self.tokens[index].plain
        if is_first_name(word) and not is_ordinary(word) and len(word) > 2:
            return WordMark.NAME if is_common_given_name(word) or not is_dictionary_word(word) else None
        before = self.tokens[index - 1].plain if index else ""
        if (
            before in _WITH
            and is_common_given_name(word)
            and not is_function(word)
            and follows(self.tokens, index)
        ):
            return WordMark.DOUBT
        return None

    def _inside(self, index: int) -> WordMark | None:
        """Judge a word with a capital letter within a sentence."""
        token = self.tokens[index]
        word = token.plain
        if token.text.isupper() and len(word) > 1 and is_dictionary_word(word):
            return None
        beside = (index and self.marks[index - 1] is WordMark.NAME and follows(self.tokens, index)) or (
            follows(self.tokens, index + 1)
            and self.marks[index + 1] is WordMark.NAME
            and self.tokens[index + 1].capital
        )
        if is_common_given_name(word) or (beside and self._goes_on(token)):
            return WordMark.NAME
        if is_everyday(word) or word in _OF_SCHOOLS or word in _STREETS:
            return None
        if is_name(word) or is_name(word.removesuffix("s")) or not is_dictionary_word(word):
            return WordMark.NAME
        return WordMark.DOUBT

    def _first(self, index: int) -> WordMark | None:
        """Judge the first word of a sentence."""
        token = self.tokens[index]
        word = token.plain
        following = self.tokens[index + 1] if follows(self.tokens, index + 1) else None
        named = following is not None and self.marks[index + 1] is WordMark.NAME and following.capital
        if is_function(word):
            return None
        if is_name(word) and not is_ordinary(word):
            return WordMark.NAME
        if is_ordinary(word):
            doubtful = is_common_given_name(word) and (
                named or (following is not None and following.plain in _ACTS)
            )
            return WordMark.DOUBT if doubtful else None
        if is_dictionary_word(word) or is_slip(word):
            return WordMark.NAME if named else None
        if (
            following is None
            or named
            or following.plain in _ACTS
            or (following.capital and self._goes_on(following))
        ):
            return WordMark.NAME
        return WordMark.DOUBT


def _close(tokens: Sequence[WordToken], index: int) -> bool:
    """Whether a word follows the one before with at most a comma or a quotation mark between, or a title's dot."""
    before = tokens[index].before
    if len(before) > 4 or any(char in before for char in "!?;:\n()"):
        return False
    return "." not in before or (index > 0 and tokens[index - 1].plain in _SHORT)
