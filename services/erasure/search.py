"""Find a child by name: in texts, and on the pages that show it."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from urllib.parse import unquote

from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from core.models import SavedFilter, Submission, UploadSplit
from pipeline.extraction.values.text import plain_text
from services.uploads.split import PageKey, entries_from_json

# What carries a child's name beside the entries: filters that people keep, names of files.


#: Letters that Unicode does not take apart into a letter and an accent.
_PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
#: How some letters are written out where a keyboard lacks them.
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa"}
)
#: What names are read as that were written in UTF-8.
_CODE_PAGES = ("cp1252", "latin-1", "cp437", "cp850", "mac-roman")
#: Scripts that do not part their words.
_UNPARTED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
#: Words in names of files that are nobody's name.
_NOBODY = frozenset(
    re.findall(
        r"\w+",
        "a again an and by child contest copy de del doc document docx el en ensayo entry essay file final for"
        " form foto from heic hoja image img is jpeg jpg la md new of old one page pagina participacion pdf photo"
        " picture png rescan s scan scanned sheet student text texto the tif tiff two txt v version"
        " webp xlsx y zip",
    )
)
#: Letters of a name without a space that are found inside of other letters: shorter ones are a part of many words.
_GLUED = 8


def filters_naming(session: Session, submission_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Return the kept filters whose words, all of them, begin words of one of the children's names."""
    names = session.scalars(
        select(Submission.student_name).where(
            Submission.id.in_(submission_ids), Submission.student_name.is_not(None)
        )
    )
    children = [_words(name or "") for name in names]
    kept = session.execute(select(SavedFilter.id, SavedFilter.name, SavedFilter.filter)).all()
    return [
        row.id
        for row in kept
        if any(_names(row.filter.get("text") or "", child) or _is_in(row.name, child) for child in children)
    ]


def forget_filters(session: Session, submission_ids: Collection[uuid.UUID]) -> None:
    """Delete them in the caller's transaction, before the entries are deleted."""
    session.execute(delete(SavedFilter).where(SavedFilter.id.in_(filters_naming(session, submission_ids))))


def is_called_after(filename: str, children: Collection[str]) -> bool:
    """Whether a file is called after one of the children.

    By the first and the last word of the name, also glued, in the possessive, encoded for the web or read in a
    wrong code page. A name of one word, or the first of two last names, is enough where the file's name has no
    other word that may be a name; of a script that does not part its words, the name inside of others.
    """
    files = [_FileName(text) for text in _spelled(filename)]
    names = {tuple(_words(text)) for child in children for text in _written(child)}
    return any(file.has(name) for file in files for name in names if name)


class _FileName:
    """The words of a file's name, parted also where only case or a digit parts them."""

    def __init__(self, name: str) -> None:
        owners = re.sub(r"['’](s?)(?=[\W_]|$)", " ", name, flags=re.IGNORECASE)
        # "ZebulonQuarrington_2.pdf" has the words of "Zebulon A. Quarrington".
        parted = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])|_", " ", owners)
        self._words = set(_words(parted))
        self._glued = set(_words(re.sub(r"[\d_]", " ", owners)))
        self._letters = "".join(_words(owners))

    def has(self, name: tuple[str, ...]) -> bool:
        """Whether it is called after a child of this name."""
        whole = "".join(name)
        if len(whole) > 1 and _UNPARTED.search(whole):
            return whole in self._letters
        if len(name) == 1:
            return self._has(*name) and self._is_of(name)
        first, last = name[0], name[-1]
        if self._has(first, last) or any(self._has_glued(one) for one in (first + last, last + first, whole)):
            return True
        return len(name) > 2 and len(name[-2]) > 1 and self._has(first, name[-2]) and self._is_of(name)

    def _has(self, *words: str) -> bool:
        """Whether it has these words, the last of them perhaps with the s of an owner."""
        return all(word in self._words for word in words[:-1]) and bool({words[-1], f"{words[-1]}s"} & self._words)

    def _has_glued(self, letters: str) -> bool:
        return any(letters == word or (len(letters) >= _GLUED and letters in word) for word in self._glued)

    def _is_of(self, name: tuple[str, ...]) -> bool:
        """Whether all of its words are of this name or nobody's."""
        own = {*name, *(f"{word}s" for word in name)}
        return all(word in own or word in _NOBODY or not word.isalpha() for word in self._words)


def _spelled(name: str) -> Iterator[str]:
    """Yield what a file's name may have been before it was encoded, or read in a wrong code page, and as it is."""
    left, seen = [name], set[str]()
    while left:
        text = left.pop()
        if text in seen:
            continue
        seen.add(text)
        yield from _written(text)
        left.append(unquote(text))
        for page in _CODE_PAGES:
            with suppress(UnicodeError):
                left.append(text.encode(page).decode())


def _written(name: str) -> tuple[str, str]:
    """Return a name as it is, and with its letters written out: Müller, Mueller."""
    return name, unicodedata.normalize("NFC", name).translate(_WRITTEN_OUT)


def is_named_in(text: str, children: Collection[str]) -> bool:
    """Whether a text says the whole name of one of the children, its words one after the other."""
    words = f" {' '.join(_words(text))} "
    named = [child for child in map(_words, children) if len(child) > 1]
    return any(f" {' '.join(child)} " in words for child in named)


def _names(text: str, child: Collection[str]) -> bool:
    words = _words(text)
    return bool(words) and all(any(part.startswith(word) for part in child) for word in words)


def _is_in(name: str, child: Collection[str]) -> bool:
    """Whether the filter is called after the child: by its whole name."""
    return len(child) > 1 and set(child) <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", plain_text(text).translate(_PLAIN).replace("'", ""))


# Find text that was copied from another text, by runs of equal words.


#: What stands where something was taken out.
WITHDRAWN = "[withdrawn]"
#: So many equal words in a row are a copy; a sentence with fewer words is one as a whole.
LEAST = 8
#: Shorter sentences are anybody's, and so are quotations of fewer words.
_SHORTEST, _SHORTEST_QUOTED = 4, 3

#: `_` may be a mark of emphasis.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?…\n]+")


class WordRuns:
    """The runs of words of some texts; `without` takes copies of them out of another text.

    Case, punctuation and the space between words make no difference. What is known to be quoted is a copy as a
    whole, be it a part of a sentence.
    """

    def __init__(self, texts: Iterable[str], quoted: Iterable[str] = ()) -> None:
        whole = (tuple(_plain_words(text)) for text in quoted)
        self._runs = {words for words in whole if len(words) >= _SHORTEST_QUOTED}
        for text in texts:
            words = _plain_words(text)
            self._runs.update(tuple(words[at : at + LEAST]) for at in range(len(words) - LEAST + 1))
            for sentence in _SENTENCE.findall(text):
                short = _plain_words(sentence)
                if _SHORTEST <= len(short) < LEAST:
                    self._runs.add(tuple(short))
        self._lengths = sorted({len(run) for run in self._runs}, reverse=True)

    def without(self, text: str) -> str:
        """Return the text with WITHDRAWN in place of each copy; the same text where there is none."""
        found = list(_WORD.finditer(text))
        words = [match.group().casefold() for match in found]
        copied = [False] * len(words)
        for length in self._lengths:
            for at in range(len(words) - length + 1):
                if tuple(words[at : at + length]) in self._runs:
                    copied[at : at + length] = [True] * length
        parts, end, at = [], 0, 0
        while at < len(words):
            if not copied[at]:
                at += 1
                continue
            last = at
            while last + 1 < len(words) and copied[last + 1]:
                last += 1
            parts += [text[end : found[at].start()], WITHDRAWN]
            end, at = found[last].end(), last + 1
        return "".join([*parts, text[end:]])


def _plain_words(text: str) -> list[str]:
    return [match.group().casefold() for match in _WORD.finditer(text)]


# The pages of an entry in every file that has them: a corrected split has copied pages into another file.


def covered_pages(session: Session, submissions: Iterable[Submission]) -> set[PageKey]:
    """Return the pages of these entries, with the pages that they were copied from and to."""
    pages = {key for submission in submissions for key in pages_of(submission)}
    while True:
        links = _links(session, {page.upload_id for page in pages})
        more = {other for pair in links if not pages.isdisjoint(pair) for other in pair} - pages
        if not more:
            return pages
        pages |= more


def pages_of(submission: Submission) -> Iterator[PageKey]:
    """Yield the pages of an entry in its own file."""
    for number in range(submission.page_start, submission.page_end + 1):
        yield PageKey(submission.upload_id, number)


def splits_around(session: Session, upload_ids: Collection[uuid.UUID]) -> list[UploadSplit]:
    """Return all corrections from or to these files, undone ones included."""
    touching = or_(UploadSplit.upload_ids.overlap(list(upload_ids)), UploadSplit.made_upload_id.in_(upload_ids))
    return list(session.scalars(select(UploadSplit).where(touching)))


def _links(session: Session, upload_ids: Collection[uuid.UUID]) -> list[tuple[PageKey, PageKey]]:
    """Return (page, its copy) for each page that was copied from or to these files."""
    found = []
    for split in splits_around(session, upload_ids):
        if split.made_upload_id is not None:
            planned = [page.key for _, entry in entries_from_json(split.plan) for page in entry.pages]
            copies = [PageKey(split.made_upload_id, number) for number in range(1, len(planned) + 1)]
            found += list(zip(planned, copies, strict=True))
    return found
