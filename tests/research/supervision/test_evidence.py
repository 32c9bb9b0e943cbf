"""Which sentences close a gap: those about its concept, and nothing where there are none."""

from __future__ import annotations

from research.document import Reference
from research.material import SourceText
from research.memo.worker_result import Finding
from research.sources.base import Passage
from research.supervision.integration.evidence import findings_for
from tests.support.research.supervised import issue

TEXT = (
    "Attachment theory holds that children explore from a secure base. Schools are open on Mondays and Fridays. "
    "Fathers read aloud to their children on many evenings. The theory of attachment was first told by Bowlby."
)


def source(key: str, text: str, language: str = "en") -> SourceText:
    return SourceText(Reference(key=key, title=key), "example.org", (Passage(text, 0, len(text)),), language)


def test_sentences_about_the_concept_stand_where_they_are_found() -> None:
    found = findings_for(issue("attachment theory"), {"a": source("a", TEXT)}, [])
    assert {one.quote for one in found} == {
        "Attachment theory holds that children explore from a secure base.",
        "The theory of attachment was first told by Bowlby.",
    }
    assert all(TEXT[one.start_char : one.end_char] == one.quote for one in found)


def test_headings_say_nothing() -> None:
    text = (
        "Attachment theory and the making of good schools\n\nAttachment theory holds that children explore freely."
    )
    (found,) = findings_for(issue("attachment theory"), {"a": source("a", text)}, [])
    assert found.quote == "Attachment theory holds that children explore freely."


def test_what_is_about_something_else_closes_nothing() -> None:
    other = Finding("a", "Fathers read aloud to their children on many evenings.", 109, 163, score=0.9)
    assert findings_for(issue("dual coding"), {"a": source("a", TEXT)}, [other]) == []


def test_a_thin_section_takes_what_researchers_found_on_its_subject() -> None:
    texts = {key: source(key, TEXT) for key in ("a", "b")}
    cost = [
        Finding("a", "An evening costs nine dollars.", 0, 30, score=0.2),
        Finding("b", "It costs.", 0, 9, score=0.7),
    ]
    other = Finding("b", "Fathers read aloud.", 0, 19, score=0.9)
    found = findings_for(issue("What it costs", issue_type="thin_section"), texts, [*cost, other])
    assert [one.source_key for one in found] == ["b", "a"]


def test_a_statement_is_borne_out_by_most_of_its_words() -> None:
    claim = "Programmes cost between two and twenty dollars a child."
    text = (
        "Bringing men to the door at a cost below twenty dollars a child has few rivals. "
        "Two dollars come off the price if both of them have read aloud."
    )
    found = findings_for(issue(claim, issue_type="unsupported_claim"), {"a": source("a", text)}, [])
    assert [one.quote[:8] for one in found] == ["Bringing"]


def test_a_description_need_not_stand_word_for_word() -> None:
    topic = "secure base from which children explore new books"
    found = findings_for(issue(topic), {"a": source("a", TEXT)}, [])
    assert [one.quote for one in found] == ["Attachment theory holds that children explore from a secure base."]


def test_each_source_is_read_in_its_language() -> None:
    spanish = "La teoría del apego dice que los niños exploran desde una base segura y tranquila."
    found = findings_for(issue("teoría del apego"), {"a": source("a", spanish, "es")}, [])
    assert [one.quote for one in found] == [spanish]


def test_no_source_has_all_of_them() -> None:
    text = " ".join(f"Attachment theory explains the evening number {n} of fathers." for n in range(9))
    found = findings_for(issue("attachment theory"), {"a": source("a", text), "b": source("b", TEXT)}, [])
    assert [one.source_key for one in found].count("a") == 4
    assert [one.source_key for one in found].count("b") == 2
