"""Find a child: by name in texts, by sentences in reports, and on the pages that show it."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, groupby
from urllib.parse import unquote

from sqlalchemy import delete, func, literal, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import Session

from core.models import (
    LibraryDocument,
    LibraryPassage,
    LibraryStatus,
    Report,
    ReportCall,
    ReportPassage,
    ReportSource,
    ReportSupervision,
    ReportVersion,
    SavedFilter,
    Submission,
    SubmissionField,
    SubmissionStatus,
    UploadSplit,
)
from core.models.base import in_array
from pipeline.extraction.values.text import plain_text
from pipeline.profiles import FieldKind, all_profiles, family_fields, fields_of_kind, text_fields
from research.readers.findings import clean_quote
from services.library.copies import CERTAIN, LEAST, PLAIN_LETTERS, WordRun, WordRuns, copying_passages, runs_among
from services.uploads.split import PageKey, entries_from_json

# What carries a child's name beside the entries: filters that people keep, names of files.


#: How some letters are written out where a keyboard lacks them.
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa"}
)
#: Code pages that UTF-8 names are misread in.
_CODE_PAGES = ("cp1252", "latin-1", "cp437", "cp850", "mac-roman")
#: Scripts without spaces between words.
_UNPARTED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
#: Words in names of files that are no person's name.
_NOBODY = frozenset(
    re.findall(
        r"\w+",
        "a again an and by child class contest copy de del doc document docx el en ensayo entry escuela essay"
        " file final for form foto from grade grado heic hoja image img is jpeg jpg la md new of"
        " old one page pagina participacion pdf photo picture png rescan room s scan scanned school sheet student"
        " text texto the tif tiff two txt v version webp xlsx y zip",
    )
)
#: From this likeness on a word may be another one, misspelled.
_ALIKE = 0.8
#: Letters of a beginning that tells a name from others, and digits of a part of a telephone number.
_SHORT_WORD, _DIGITS = 3, 7
#: Least letters of a joined name that is searched for inside words: shorter ones are part of many words.
_GLUED = 8


def filters_naming(session: Session, submission_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Return the kept filters that search for one of these entries, and those called after one of the children.

    A filter does so by words of the child's name, also misspelled, with nothing else but the school and the grade;
    by the first and the last word of the name; or by a telephone number, an address or a name of the family.
    """
    kept = session.execute(select(SavedFilter.id, SavedFilter.name, SavedFilter.filter)).all()
    if not kept:
        return []
    rows = session.execute(
        select(Submission, SubmissionField.name, SubmissionField.value)
        .outerjoin(SubmissionField, SubmissionField.submission_id == Submission.id)
        .where(Submission.id.in_(submission_ids))
    )
    values = defaultdict[Submission, dict[str, str]](dict)
    for entry, name, value in rows:
        values[entry] |= {name: value} if value is not None else {}
    entries = [_Searched.of(entry, given) for entry, given in values.items()]
    return [
        row.id
        for row in kept
        if any(one.is_searched(row.filter.get("text") or "") or one.is_named(row.name) for one in entries)
    ]


@dataclass(frozen=True)
class _Searched:
    """What one entry is searched by, in folded words."""

    name: list[str]
    #: Words that say nothing of the child alone.
    beside: set[str]
    #: Each name of the family, telephone number (digits alone) and address.
    families: list[list[str]]
    phones: list[str]
    emails: list[str]

    @classmethod
    def of(cls, entry: Submission, values: Mapping[str, str]) -> _Searched:
        return cls(
            name=_words(entry.student_name or ""),
            beside={*_words(entry.school_name or ""), *_words(entry.grade or "")},
            families=[_words(values[one]) for one in family_fields() if one in values],
            phones=[_digits(values[one]) for one in fields_of_kind(FieldKind.PHONE) if one in values],
            emails=[plain_text(values[one]) for one in fields_of_kind(FieldKind.EMAIL) if one in values],
        )

    def is_named(self, text: str) -> bool:
        """Whether a text has the first and the last word of the child's name."""
        return _has_ends(self.name, _words(text), 1.0)

    def is_searched(self, text: str) -> bool:
        """Whether a search for this text is one for the entry."""
        words, digits = _words(text), _digits(text)
        if any(_has_ends(one, words, _ALIKE) for one in (self.name, *self.families)):
            return True
        if len(digits) >= _DIGITS and any(digits in phone or phone in digits for phone in self.phones if phone):
            return True
        if any(len(one) > _SHORT_WORD and one in plain_text(text) for one in self.emails):
            return True
        own = [word for word in words if word not in self.beside and not word.isdigit()]
        # One letter or two begin anybody's name.
        tells = any(len(word) >= _SHORT_WORD or word in self.name for word in own)
        return tells and all(self._may_be(word) for word in own)

    def _may_be(self, word: str) -> bool:
        begins = any(part.startswith(word) for part in self.name)
        return begins or bool(get_close_matches(word, self.name, 1, _ALIKE))


def _has_ends(name: Sequence[str], words: Collection[str], alike: float) -> bool:
    """Whether the first and the last word of a name are among these words, or words so much alike."""
    return len(name) > 1 and all(get_close_matches(end, words, 1, alike) for end in (name[0], name[-1]))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def forget_filters(session: Session, submission_ids: Collection[uuid.UUID]) -> None:
    """Delete them in the caller's transaction, before the entries are deleted."""
    session.execute(delete(SavedFilter).where(SavedFilter.id.in_(filters_naming(session, submission_ids))))


def is_called_after(filename: str, children: Collection[str]) -> bool:
    """Whether a file is called after one of the children.

    Matches the first and the last word of the name, or the first of two last names, also joined, possessive,
    URL-encoded or misread in a wrong code page, and a name of one word. The file's name must have no other word
    that may be a name: it could be another child's. In scripts without spaces it may be inside other letters.
    """
    files = [_FileName(text) for text in _spelled(filename)]
    names = {tuple(_words(text)) for child in children for text in _written(child)}
    return any(file.has(name) for file in files for name in names if name)


class _FileName:
    """The words of a file's name, also split at changes of case and at digits."""

    def __init__(self, name: str) -> None:
        owners = re.sub(r"['’](s?)(?=[\W_]|$)", " ", name, flags=re.IGNORECASE)
        # "ZebulonQuarrington_2.pdf" has the words of "Zebulon A. Quarrington".
        parted = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])|_", " ", owners)
        self._words = set(_words(parted))
        self._glued = set(_words(re.sub(r"[\d_]", " ", owners)))
        self._letters = "".join(_words(owners))
        self._endings = set(re.findall(r"\.(\w{1,4})(?=\.|$)", plain_text(name)))

    def has(self, name: tuple[str, ...]) -> bool:
        """Whether it is called after a child of this name."""
        whole = "".join(name)
        if len(whole) > 1 and _UNPARTED.search(whole):
            return whole in self._letters
        if len(name) == 1:
            return self._has(*name) and self._is_of(name)
        first, last = name[0], name[-1]
        if (self._has(first, last) and self._is_of(name)) or any(
            self._has_glued(one) for one in (first + last, last + first, whole)
        ):
            return True
        return len(name) > 2 and len(name[-2]) > 1 and self._has(first, name[-2]) and self._is_of(name)

    def _has(self, *words: str) -> bool:
        """Whether it has these words, the last of them perhaps with a possessive s."""
        return all(word in self._words for word in words[:-1]) and bool({words[-1], f"{words[-1]}s"} & self._words)

    def _has_glued(self, letters: str) -> bool:
        return any(letters == word or (len(letters) >= _GLUED and letters in word) for word in self._glued)

    def _is_of(self, name: tuple[str, ...]) -> bool:
        """Whether all of its words are of this name or of no name."""
        own = {*name, *(f"{word}s" for word in name), *self._endings}
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
    """Whether a text has the full name of one of the children, its words one after the other."""
    words = f" {' '.join(_words(text))} "
    named = [child for child in map(_words, children) if len(child) > 1]
    return any(f" {' '.join(child)} " in words for child in named)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", plain_text(text).translate(PLAIN_LETTERS).replace("'", ""))


# The texts of entries, and who has copied from them.


#: Condition: the passage is one of the source.
OF_SOURCE = (ReportSource.report_id == ReportPassage.report_id) & (ReportSource.key == ReportPassage.source_key)


def texts_of(session: Session, submission_ids: Collection[uuid.UUID]) -> tuple[list[str], list[uuid.UUID]]:
    """Return the texts of entries as they were read, as the library has them, and as reports keep them.

    Each text comes twice, the second time as reports print it: without marks and numbers. Also returns the ids of
    the documents in the library that are essays of these entries.
    """
    documents = select(LibraryDocument.id).where(LibraryDocument.submission_id.in_(submission_ids))
    essays = select(SubmissionField.value).where(
        SubmissionField.submission_id.in_(submission_ids),
        SubmissionField.name.in_(text_fields()),
        SubmissionField.value.is_not(None),
    )
    passages = (
        select(LibraryPassage.text)
        .where(LibraryPassage.document_id.in_(documents))
        .order_by(LibraryPassage.document_id, LibraryPassage.position)
    )
    kept = (
        select(ReportPassage.text)
        .join(ReportSource, OF_SOURCE)
        .where(ReportSource.library_document_id.in_(documents))
        .order_by(ReportPassage.report_id, ReportPassage.source_key, ReportPassage.position)
    )
    *texts, found = session.execute(select(*map(in_array, (essays, passages, kept, documents)))).one()
    return [" ".join(one(text) for text in of_one) for of_one in texts for one in (str, clean_quote)], found


@dataclass(frozen=True)
class Copies:
    """Who has copied from entries, without what other entries of the season have too, such as the question."""

    #: Documents that people added to the library.
    documents: set[uuid.UUID]
    #: Uploaded reports, such as a former export.
    reports: set[uuid.UUID]
    #: Those of them whose copies are too long to be common phrases.
    certain: set[uuid.UUID]
    #: What they have of the entries and others wrote too, or a form prints.
    shared: set[WordRun]


def find_copies(
    session: Session, season_id: uuid.UUID, submission_ids: Collection[uuid.UUID], texts: Sequence[str]
) -> Copies:
    """Return who has copied the texts of these entries. Reads the season's other essays only if somebody has."""
    runs = WordRuns(texts)
    documents = _unread_copies(session, runs)
    for found in copying_passages(session, runs):
        documents.setdefault(found.document_id, set()).update(runs.held("".join(found.texts)))
    reports = _uploaded_copies(session, runs)
    copied = set[WordRun]().union(*documents.values(), *reports.values())
    shared = _of_others(session, season_id, submission_ids, copied)
    own = {key: _long(held - shared) for key, held in (*documents.items(), *reports.items())}
    return Copies(
        documents={key for key in documents if own[key]},
        reports={key for key in reports if own[key]},
        certain={key for key in reports if len(own[key]) >= CERTAIN},
        shared=shared,
    )


def _long(runs: Iterable[WordRun]) -> set[WordRun]:
    return {run for run in runs if len(run) >= LEAST}


def _of_others(
    session: Session, season_id: uuid.UUID, submission_ids: Collection[uuid.UUID], runs: set[WordRun]
) -> set[WordRun]:
    """Return those of the runs that forms print or other entries of the season have."""
    if not _long(runs):
        return set()
    essays = session.scalars(
        select(SubmissionField.value)
        .join(Submission, Submission.id == SubmissionField.submission_id)
        .where(
            Submission.season_id == season_id,
            Submission.status != SubmissionStatus.SUPERSEDED.value,
            Submission.id.not_in(submission_ids),
            SubmissionField.name.in_(text_fields()),
            SubmissionField.value.is_not(None),
        )
        .execution_options(yield_per=200)
    )
    printed = (" ".join(text for one in form.printed for text in one.texts) for form in all_profiles().values())
    left = set(runs)
    with closing(essays):
        for text in chain(printed, essays):
            if not _long(left):
                break
            left -= runs_among(str(text), left)
    return runs - left


def _uploaded_copies(session: Session, runs: WordRuns) -> dict[uuid.UUID, set[WordRun]]:
    """Return the runs in the uploaded reports with a version that copies one of the texts."""
    versions = session.execute(
        select(ReportVersion.report_id, ReportVersion.document)
        .join(Report, Report.id == ReportVersion.report_id)
        .where(Report.origin == "uploaded")
        .order_by(ReportVersion.report_id)
        .execution_options(yield_per=10)
    )
    found: dict[uuid.UUID, set[WordRun]] = {}
    for report_id, of_one in groupby(versions, key=lambda row: row.report_id):
        # Versions share most of their texts.
        texts = {text for row in of_one for text in strings_in(row.document)}
        held = {run for text in texts for run in runs.held(text)}
        if _long(held):
            found[report_id] = held
    return found


def _unread_copies(session: Session, runs: WordRuns) -> dict[uuid.UUID, set[WordRun]]:
    """Return the runs in documents without passages of which a report keeps a copy of one of the texts."""
    whole = func.string_agg(ReportPassage.text, aggregate_order_by(literal(""), ReportPassage.position))
    sources = session.execute(
        select(ReportSource.library_document_id, whole.label("text"))
        .join(ReportPassage, OF_SOURCE)
        .join(LibraryDocument, LibraryDocument.id == ReportSource.library_document_id)
        .where(LibraryDocument.submission_id.is_(None), LibraryDocument.status != LibraryStatus.READY.value)
        .group_by(ReportSource.report_id, ReportSource.key)
        .execution_options(yield_per=10)
    )
    found: dict[uuid.UUID, set[WordRun]] = {}
    for row in sources:
        if runs.copied(row.text):
            found.setdefault(row.library_document_id, set()).update(runs.held(row.text))
    return found


def supervised_copies(session: Session, runs: WordRuns) -> set[uuid.UUID]:
    """Return the reports whose supervision stores a model's reply that copies one of the texts.

    A supervision shows passages of the library to the model without making them sources of the report.
    """
    replies = session.execute(
        select(ReportCall.report_id, ReportCall.reply)
        .where(ReportCall.report_id.in_(select(ReportSupervision.report_id)))
        .execution_options(yield_per=100)
    )
    return {row.report_id for row in replies if any(map(runs.copied, strings_in(row.reply)))}


def strings_in(value: object) -> Iterator[str]:
    """Yield all texts of a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings_in(part)


# The pages of an entry in every file that has them: a corrected split has copied pages into another file.


def covered_pages(session: Session, submissions: Iterable[Submission]) -> tuple[set[PageKey], list[UploadSplit]]:
    """Return the pages of these entries, with the pages that they were copied from and to.

    Also returns all corrections from or to the files of these pages.
    """
    pages = {key for submission in submissions for key in page_keys_of(submission)}
    while True:
        splits = splits_around(session, {page.upload_id for page in pages})
        links = [link for split in splits for link in _links(split)]
        more = {other for pair in links if not pages.isdisjoint(pair) for other in pair} - pages
        if not more:
            return pages, splits
        pages |= more


def page_keys_of(submission: Submission) -> Iterator[PageKey]:
    """Yield the pages of an entry in its own file."""
    for number in range(submission.page_start, submission.page_end + 1):
        yield PageKey(submission.upload_id, number)


def splits_around(session: Session, upload_ids: Collection[uuid.UUID]) -> list[UploadSplit]:
    """Return all corrections from or to these files, undone ones included."""
    touching = or_(UploadSplit.upload_ids.overlap(list(upload_ids)), UploadSplit.made_upload_id.in_(upload_ids))
    return list(session.scalars(select(UploadSplit).where(touching)))


def _links(split: UploadSplit) -> list[tuple[PageKey, PageKey]]:
    """Return (page, its copy) for each page that a correction has copied."""
    if split.made_upload_id is None:
        return []
    planned = [page.key for _, entry in entries_from_json(split.plan) for page in entry.pages]
    copies = [PageKey(split.made_upload_id, number) for number in range(1, len(planned) + 1)]
    return list(zip(planned, copies, strict=True))
