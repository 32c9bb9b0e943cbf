"""Find text that was copied from another text, by runs of equal words: in one text, and in the library."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from zlib import crc32

from sqlalchemy import select, update
from sqlalchemy import text as sql_text
from sqlalchemy.orm import Session

from core.models import LibraryPassage
from services.context import Context

# Runs of words, however they are written.


#: Replaces what was taken out.
WITHDRAWN = "[withdrawn]"
#: So many equal words in a row are a copy; a shorter sentence is one if all of its words are equal.
LEAST = 8
#: From so many different runs of LEAST words on, copies are no common phrases: one of 16 words has nine, and so
#: have three of ten words.
CERTAIN = LEAST + 1
#: Sentences and quotations with fewer words are too common to be copies.
_SHORTEST, _SHORTEST_QUOTED = 4, 3

#: Marks in words that are not seen: accents that stand by themselves, soft hyphens, what has no width, directions.
_UNSEEN = (
    "\u0300-\u036f\u00ad\u061c\u180e\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff"
    "\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)
#: Raised numbers, which are those of notes.
_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_APOSTROPHES = "'\u2018\u2019\u201b\u02b9\u02bb\u02bc\u2032\u00b4\uff07`"
_LETTERS = rf"(?:[^\W_{_RAISED}]|[{_UNSEEN}])+"
#: A word, or the number of a reference. `_` may be a mark of emphasis.
_WORD = re.compile(rf"\[\d[\d,\s\u2013-]*\]|{_LETTERS}(?:[{_APOSTROPHES}]{_LETTERS})*")
_NOT_COMPARED = re.compile(f"[{_UNSEEN}{_APOSTROPHES}]+")
#: A hyphen, soft hyphen or dash at the end of a line, also where the line end has become a space.
_LINE_END = re.compile(r"(?<=[^\W\d_])[-\u00ad\u2010\u2011\u2013]\s+(?=[^\W\d_])")
_SENTENCE = re.compile(r"[^.!?…\n]+")
#: Letters that Unicode does not decompose into a letter and an accent.
PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)

WordRun = tuple[str, ...]


class WordRuns:
    """The runs of words of some texts; `without` takes copies of them out of another text.

    Case, accents, apostrophes, punctuation, the space between words, hyphens at the ends of lines and numbers of
    references make no difference. A known quotation is a copy even if it is only part of a sentence. Runs of
    `others`, who wrote them too, are no copies.
    """

    def __init__(
        self, texts: Iterable[str], quoted: Iterable[str] = (), others: Collection[WordRun] = frozenset()
    ) -> None:
        theirs = "".join(f" {' '.join(run)} \n" for run in others)
        whole = (tuple(words) for text in quoted for words in _readings(text))
        self._runs = {
            words
            for words in whole
            if len(words) >= _SHORTEST_QUOTED
            and not all(f" {' '.join(run)} " in theirs for run in _runs_in(words) or {words})
        }
        self._long = set[WordRun]()
        self._all = ""
        for one in texts:
            for words in _readings(one):
                self._all += f" {' '.join(words)} "
                self._long |= _runs_in(words)
            for sentence in _SENTENCE.findall(one):
                self._runs |= {tuple(short) for short in _readings(sentence) if _SHORTEST <= len(short) < LEAST}
        self._long.difference_update(others)
        self._runs.difference_update(others)
        self._runs |= self._long
        self._lengths = _lengths_by_first_word(self._runs)

    def copied(self, text: str) -> set[WordRun]:
        """Return the runs of LEAST words of the texts that are in this one."""
        return runs_among(text, self._long)

    def held(self, text: str) -> set[WordRun]:
        """Return the runs of the texts that are in this one, those of short sentences among them."""
        return runs_among(text, self._runs)

    def holds(self, quote: str) -> bool:
        """Whether a quotation of a few words stands in one of the texts."""
        return any(
            len(words) >= _SHORTEST_QUOTED and f" {' '.join(words)} " in self._all for words in _readings(quote)
        )

    def without(self, text: str, same_length: bool = False) -> str:
        """Return the text with WITHDRAWN in place of each copy; the same text if there is none.

        `same_length`: what follows keeps its place.
        """
        text = self._cut(text, _joined(text), same_length)
        return self._cut(text, text, same_length)

    def without_in_parts(self, parts: Sequence[str]) -> list[str]:
        """Return the parts of one text without the copies, also those that go from one part into the next.

        Each part keeps its length.
        """
        whole, cut, at = self.without("".join(parts), same_length=True), list[str](), 0
        for part in parts:
            cut.append(whole[at : at + len(part)])
            at += len(part)
        return cut

    @cached_property
    def keys(self) -> list[int]:
        """The keys of the runs of LEAST words: a text with one of the runs has its key."""
        return sorted({key for run in self._long for key in _keys(run)})

    def _cut(self, text: str, read: str, same_length: bool) -> str:
        """Return the text without the copies in a reading of it, whose words are in the same places."""
        found = _words_in(read)
        words = [word for word, _, _ in found]
        copied = [False] * len(words)
        for at, run in _copies_in(words, self._runs, self._lengths):
            copied[at : at + len(run)] = [True] * len(run)
        parts, end, at = [], 0, 0
        while at < len(words):
            if not copied[at]:
                at += 1
                continue
            last = at
            while last + 1 < len(words) and copied[last + 1]:
                last += 1
            start, stop = found[at][1], found[last][2]
            gone = stop - start
            parts += [text[end:start], WITHDRAWN.ljust(gone)[:gone] if same_length else WITHDRAWN]
            end, at = stop, last + 1
        return "".join([*parts, text[end:]])


def runs_among(text: str, runs: set[WordRun]) -> set[WordRun]:
    """Return those of the runs, of any lengths, that are in the text."""
    lengths = _lengths_by_first_word(runs)
    return {run for words in _readings(text) for _, run in _copies_in(words, runs, lengths)}


def _lengths_by_first_word(runs: Iterable[WordRun]) -> dict[str, set[int]]:
    lengths: dict[str, set[int]] = {}
    for run in runs:
        lengths.setdefault(run[0], set()).add(len(run))
    return lengths


def _copies_in(
    words: Sequence[str], runs: Collection[WordRun], lengths: Mapping[str, Collection[int]]
) -> Iterator[tuple[int, WordRun]]:
    """Yield the place of each of the runs among the words, and the run."""
    for at, word in enumerate(words):
        for length in lengths.get(word, ()):
            run = tuple(words[at : at + length])
            if run in runs:
                yield at, run


def _runs_in(words: Sequence[str]) -> set[WordRun]:
    return {tuple(words[at : at + LEAST]) for at in range(len(words) - LEAST + 1)}


def _readings(text: str) -> list[list[str]]:
    """Return the words of a text; with hyphens at line ends twice, the second time with those words whole."""
    whole = _joined(text)
    return [_plain_words(one) for one in ((text,) if whole == text else (text, whole))]


def _joined(text: str) -> str:
    """Return the text, of the same length, with unseen marks in place of hyphens at line ends."""
    return _LINE_END.sub(lambda found: "\u00ad" * len(found[0]), text)


def _plain_words(text: str) -> list[str]:
    # A reference has become "".
    return [word for one in _WORD.findall(text) if (word := _folded(one))]


def _words_in(text: str) -> list[tuple[str, int, int]]:
    """Return (word as it is compared, its start, its end)."""
    found = _WORD.finditer(text)
    return [(word, one.start(), one.end()) for one in found if (word := _folded(one.group()))]


def _folded(word: str) -> str:
    """Return a word in lower case, without accents, apostrophes and unseen marks; "" for a reference."""
    if word.isascii() and word.isalnum():
        return word.lower()
    if word[0] == "[":
        return ""
    plain = unicodedata.normalize("NFKD", _NOT_COMPARED.sub("", word))
    return _NOT_COMPARED.sub("", plain).casefold().translate(PLAIN_LETTERS)


# Copies in the library, found by an index of keys: each run of LEAST words has one, whatever stands around it.


#: Words of which a hash is made. The key of a run is the least hash in it ("winnowing", Schleimer and others,
#: SIGMOD 2003).
_HASHED = 5
#: Most characters after a passage in which runs go on that begin in it.
_MOST_AFTER = 1000


def _keys(words: Sequence[str]) -> set[int]:
    """Return the keys of all runs of LEAST words in a text."""
    hashes = [
        crc32(" ".join(words[at : at + _HASHED]).encode()) & 0x7FFFFFFF for at in range(len(words) - _HASHED + 1)
    ]
    of_run = LEAST - _HASHED + 1
    return {min(hashes[at : at + of_run]) for at in range(len(hashes) - of_run + 1)}


def run_keys(texts: Sequence[str]) -> list[list[int]]:
    """Return the keys of each part of one text, those of runs that go on in the next parts among them."""
    found, after = list[list[int]](), ""
    for text in reversed(texts):
        # A word may be hyphenated at the border: the texts are joined, not their words.
        whole = text + after
        found.append(sorted({key for words in _readings(whole) for key in _keys(words)}))
        after = _beginning(whole)
    return found[::-1]


def _beginning(text: str) -> str:
    """Return the text up to its LEASTth word."""
    text = text[:_MOST_AFTER]
    words = (one for one in _WORD.finditer(_joined(text)) if _folded(one.group()))
    ends = [one.end() for one in islice(words, LEAST)]
    return text[: ends[-1]] if len(ends) == LEAST else text


@dataclass(frozen=True)
class CopyingPassages:
    """Consecutive passages of a document that hold copies, also across their borders."""

    document_id: uuid.UUID
    positions: list[int]
    texts: list[str]


#: Passages without keys have been stored by an earlier version. A copy ends within LEAST passages that have words.
_CANDIDATES = sql_text(
    """
    with found as materialized (
      select document_id, position from public.library_passages where run_keys && cast(:keys as integer[])
      union
      select document_id, position from public.library_passages where run_keys is null
    )
    select distinct passage.document_id, passage.position, passage.text
    from found
    join public.library_documents document on document.id = found.document_id and document.submission_id is null
    join public.library_passages passage on passage.document_id = found.document_id
      and passage.position between found.position and found.position + :more
    order by passage.document_id, passage.position
    """
)
_SEQUENTIAL = sql_text("select set_config('enable_seqscan', :on, true)")


def copying_passages(session: Session, runs: WordRuns) -> Iterator[CopyingPassages]:
    """Yield the passages that copy the texts, of the documents that people added to the library."""
    if not runs.keys:
        return
    # PostgreSQL thinks each key common, and would read the whole table, which takes seconds where the index takes
    # milliseconds.
    session.execute(_SEQUENTIAL, {"on": "off"})
    rows = session.execute(
        _CANDIDATES, {"keys": runs.keys, "more": LEAST - 1}, execution_options={"yield_per": 500}
    )
    session.execute(_SEQUENTIAL, {"on": "on"})
    # In consecutive passages of one document, position and number have the same difference.
    for (document_id, _), of_one in groupby(
        enumerate(rows), key=lambda pair: (pair[1].document_id, pair[1].position - pair[0])
    ):
        passages = [row for _, row in of_one]
        texts = [row.text for row in passages]
        if runs.copied("".join(texts)):
            yield CopyingPassages(document_id, [row.position for row in passages], texts)


def store_run_keys(context: Context) -> int:
    """Store the keys of passages that have none, and return the number of their documents."""
    with context.database.session() as session:
        without = select(LibraryPassage.document_id).where(LibraryPassage.run_keys.is_(None))
        waiting = session.scalars(without.distinct()).all()
    for document_id in waiting:
        with context.database.session() as session:
            _store_keys(session, document_id)
    return len(waiting)


def _store_keys(session: Session, document_id: uuid.UUID) -> None:
    of_it = select(LibraryPassage.position, LibraryPassage.text).where(LibraryPassage.document_id == document_id)
    rows = session.execute(of_it.order_by(LibraryPassage.position).with_for_update()).all()
    keys = run_keys([row.text for row in rows])
    session.execute(
        update(LibraryPassage),
        [
            {"document_id": document_id, "position": row.position, "run_keys": own}
            for row, own in zip(rows, keys, strict=True)
        ],
    )
