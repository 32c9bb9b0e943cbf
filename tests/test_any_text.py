"""What takes a person's text takes any: it raises typed errors only, and keeps what its result promises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import AppError
from core.messages import code_of, heading
from pipeline.extraction.values import fields, kinds, names, text
from pipeline.extraction.values import names as label_words
from pipeline.extraction.values import names as schools
from pipeline.pages.text_trust import plausible_letters, plausible_word
from pipeline.profiles import FieldKind
from research import memo as memo_context
from research import report_type
from research.citations import references
from research.citations.references import same_reference
from research.exports import markdown
from research.questions import asking, catalog_fields
from research.questions.asking import asked_of_essays, aspects_of, question_on
from research.readers.protocol import distinct
from research.sources import exchange, pages
from research.text import language
from research.text import markdown as parsing
from research.text.markdown import as_markdown
from services.accounts.person import normal_email
from services.keyset import Cursor
from services.library.media_type import decode
from services.school_lists import read_school_file, school_text
from services.school_names import cleaned_name
from tests.support.long import examples
from web.differences import word_diff
from web.research.requests import counts_problem, typed_limits
from web.security.requests import own_path

#: Texts of everything, and texts of what the product looks for: digits of other scripts, marks, halves of markup.
PIECES = (
    *"aB1 .,;:-'\"@#()[]<>|*_/\\?&=~`\n\t²٣½ñé´’“…­\u200b\u2028\x00\x0b",
    *(
        "k-12",
        "3rd",
        "grade ",
        "School",
        "Mr. ",
        "name: ",
        "10.1000/",
        "https://",
        "www.",
        "[@a#b]",
        "---",
        "```",
        "2026",
    ),
    *(
        "99999999999999999999",
        "doi:",
        "ISBN 978",
        "Ñ",
        "ß",
        "İ",
        "ﬁ",
        "e\u0301",
        "👩‍👧",
        "\ufeff",
        "con ",
        "five ",
        "|-|",
    ),
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
KINDS = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE)
LISTED = {"Oak School": ["Oak"], "Elm School": []}


def of_kinds(function: Callable[[FieldKind, str], Any]) -> Callable[[str], Any]:
    """Call a function for each kind of field."""
    return lambda given: [function(kind, given) for kind in KINDS]


TAKE_ANY: dict[str, Callable[[str], Any]] = {
    "find_email": kinds.find_email,
    "email_is_valid": kinds.email_is_valid,
    "public_suffix": kinds.ends_in_public_suffix,
    "find_phone": kinds.find_phone,
    "phone_is_possible": kinds.phone_is_possible,
    "found_in_text": lambda t: [kinds.found_in_text(f, t, t) for f in ("grade", "phone", "email", "student_name")],
    "can_be_found": lambda t: [kinds.can_be_found(f, t) for f in ("grade", "phone", "email", "student_name")],
    "parse_grade": kinds.parse_grade,
    "explicit_grades": kinds.explicit_grades,
    "holds_label_word": of_kinds(lambda kind, t: label_words.holds_label_word(kind, t, "freeform")),
    "mended": of_kinds(fields.mended),
    "mended_name": fields.mended_name,
    "is_date": names.is_date,
    "is_teacher": names.is_teacher,
    "is_print": names.is_print,
    "is_misread_label": names.is_misread_label,
    "counts_as_sentence": names.counts_as_sentence,
    "same_person": lambda t: names.same_person(t, t[::-1]),
    "without_room": schools.without_room,
    "ends_in_room": schools.ends_in_room,
    "is_sure_school": schools.is_sure_school,
    "match_school": lambda t: schools.match_school(t, LISTED),
    "similar_schools": lambda t: schools.similar_schools(t, LISTED, 3),
    "plausible_word": plausible_word,
    "plausible_letters": lambda t: plausible_letters(t.split()),
    "read": report_type.read,
    "terms_of": lambda t: [asking.terms_of(t, code) for code in ("en", "es")],
    "required_fields_of": catalog_fields.required_fields_of,
    "field_key": catalog_fields.field_key,
    "asked_of_essays": asked_of_essays,
    "distinct": lambda t: distinct(t.split("\n")),
    "aspects_of": lambda t: [question_on(one, t) for code in ("en", "es") for one in aspects_of(t, code)],
    "outline": parsing.markdown_outline,
    "from_markdown": lambda t: markdown.from_markdown(f"# References\n\n{t}"),
    "same_reference": lambda t: same_reference({"url": t, "doi": t}, {"url": f"http://[{t}", "title": t}),
    "agreement": lambda t: references.agreement(t, t[::-1]),
    "says_something": lambda t: pages.has_enough_text(t.split("\n")),
    "detect_language": language.detect_language,
    "content_stems": lambda t: [language.content_stems(t, code) for code in ("en", "es")],
    "word_diff": lambda t: word_diff(t, t[::-1]),
    "heading": heading,
    "code_of": code_of,
    "counts_problem": lambda t: counts_problem({"count": t}),
    "budget_of": lambda t: typed_limits(dict.fromkeys(("max_cost", "max_calls", "max_minutes"), t), {}),
    "decode": lambda t: decode(t.encode("utf-8", "surrogatepass")),
}
MAY_REFUSE: dict[str, Callable[[str], Any]] = {
    "normal_email": normal_email,
    "cleaned_name": cleaned_name,
    "read_school_file": read_school_file,
    "read_school_rows": lambda t: read_school_file(f"name,aliases\n{t}"),
    "school_text": lambda t: school_text(t.encode("utf-16")),
    "cursor": Cursor.decode,
    "cursor_of_text": lambda t: Cursor.decode(t, str),
    "checked_url": exchange.checked_url,
    "checked_host": lambda t: exchange.checked_url(f"https://{t}"),
}
IDEMPOTENT: dict[str, Callable[[str], str]] = {
    "plain_text": text.plain_text,
    "squeezed": text.squeezed,
    "tidied": text.tidied,
    "casefolded": kinds.casefolded,
    "one_line": memo_context.printable_line,
    "fold_accents": language.fold_accents,
    "normal_doi": lambda t: references.normal_doi(t) or "",
    "isbns_of": lambda t: "; ".join(references.isbns_of(t)),
    "own_path": lambda t: own_path(t, "/"),
}


@pytest.mark.parametrize("name", TAKE_ANY)
@settings(max_examples=examples(25, 1000), deadline=None)
@given(given_text=TEXTS)
def test_any_text_is_taken(name: str, given_text: str) -> None:
    TAKE_ANY[name](given_text)


@pytest.mark.parametrize("name", MAY_REFUSE)
@settings(max_examples=examples(25, 1000), deadline=None)
@given(given_text=TEXTS)
def test_what_is_refused_is_refused_by_its_name(name: str, given_text: str) -> None:
    try:
        MAY_REFUSE[name](given_text)
    except AppError as error:
        assert error.code


@pytest.mark.parametrize("name", IDEMPOTENT)
@settings(max_examples=examples(25, 1000), deadline=None)
@given(given_text=TEXTS)
def test_twice_is_as_once(name: str, given_text: str) -> None:
    once = IDEMPOTENT[name](given_text)
    assert IDEMPOTENT[name](once) == once


@settings(max_examples=examples(50, 1000), deadline=None)
@given(TEXTS, st.integers(1, 60))
def test_results_are_bounded(given_text: str, limit: int) -> None:
    assert 0 <= names.person_certainty(given_text) <= 1 and 0 <= schools.school_certainty(given_text) <= 1
    assert memo_context.size(memo_context.cut_to_bytes(given_text, limit)) <= limit
    assert 0 <= text.word_count(given_text) <= len(given_text)
    spans = language.split_sentences(given_text, "en")
    assert all(0 <= begin < end <= len(given_text) for begin, end in spans) and spans == sorted(spans)
    assert len(as_markdown(given_text)) <= 6 * len(given_text) + 6


@settings(max_examples=examples(25, 1000), deadline=None)
@given(TEXTS)
def test_a_path_of_ones_own_leads_nowhere_else(given_text: str) -> None:
    host = httpx.URL("https://own.example/sign-in").join(own_path(given_text, "/")).host
    assert host == "own.example"
