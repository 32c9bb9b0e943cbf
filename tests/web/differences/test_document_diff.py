"""Two versions of a document, compared."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from research.document import Reference, ReportDocument, Section
from web.differences import SectionDiff, document_diff


def document(*sections: tuple[str, str], references: tuple[str, ...] = ()) -> ReportDocument:
    return ReportDocument(
        title="Fathers",
        sections=tuple(Section(key=key, heading=key.title(), body=body) for key, body in sections),
        references=tuple(Reference(key=key, title=key) for key in references),
    )


def only(before: str, after: str) -> SectionDiff:
    return document_diff(document(("one", before)), document(("one", after))).sections[0]


def test_what_stands_is_the_same() -> None:
    one = document(("one", "A text.\n\nAnother."), references=("lee2021",))
    assert document_diff(one, one).same


def test_a_rewritten_paragraph_stands_beside_what_it_was_made_of() -> None:
    before = "Fathers read aloud in the evening.\n\nCosts are low."
    found = only(
        before, "A new first paragraph, about boats.\n\nFathers read aloud every evening.\n\nCosts are low."
    )
    assert [one.change for one in found.paragraphs] == ["added", "changed", "same"]
    assert [one.text for one in found.paragraphs[1].segments if one.kind == "added"] == ["every"]


def test_rows_of_a_table_are_told_apart() -> None:
    head = "| Name | Cost |\n| --- | --- |\n| Breakfast | $4 |"
    found = only(f"{head}\n| Reading | $0 |", f"{head}\n| Boats | $9 |\n| Reading | $0 |")
    assert [one.change for one in found.paragraphs] == ["same", "same", "same", "added", "same"]


def test_sections_added_removed_and_moved() -> None:
    before = document(("a", "One."), ("b", "Two."), ("c", "Three."), ("d", "Four."))
    found = document_diff(before, document(("d", "Four."), ("a", "One."), ("c", "Three."), ("e", "Five.")))
    assert {one.key: one.change for one in found.sections} == {
        "a": "same",
        "b": "removed",
        "c": "same",
        "d": "same",
        "e": "added",
    }
    assert [one.key for one in found.sections if one.moved] == ["d"]
    assert [one.key for one in found.sections].index("b") == 2


def test_references_come_and_go() -> None:
    found = document_diff(document(references=("ortiz2019",)), document(references=("lee2021",)))
    assert [one.key for one in found.references_added] == ["lee2021"]
    assert [one.key for one in found.references_removed] == ["ortiz2019"]


def test_a_long_text_is_compared_by_its_words() -> None:
    words = [f"word{number % 97}" for number in range(30_000)]
    changed = [*words[:100], "new", *words[101:]]
    found = only(" ".join(words), " ".join(changed))
    assert (found.words("added"), found.words("removed")) == (1, 1)


_BODIES = st.lists(st.text("ab |.\n", max_size=30), max_size=8).map("\n\n".join)


@given(_BODIES, _BODIES)
def test_both_texts_can_be_read_from_it(before: str, after: str) -> None:
    found = only(before, after)
    for text, side in ((before, "before"), (after, "after")):
        shown = "".join(segment.text for one in found.paragraphs for segment in getattr(one, side))
        assert "".join(shown.split()) == "".join(text.split())


def test_of_large_documents_the_changed_sections_come_first_as_far_as_there_is_room() -> None:
    text = "Fathers and kites. " * 1000
    before = document(*((f"s{number}", text) for number in range(30)))
    turned = text[::-1]
    after = document(*((f"s{number}", turned if number % 2 else text) for number in range(30)))
    diff = document_diff(before, after)
    assert not diff.same and diff.changed and diff.changed_left_out and diff.same_left_out
    assert len(diff.changed) + diff.changed_left_out == len(diff.sections) - len(diff.changed) + diff.same_left_out
    shown = [part for one in diff.sections for part in one.paragraphs]
    assert sum(len(text) for part in shown for _, text in part.segments) < 200_000


def test_a_section_too_large_to_compare_is_counted() -> None:
    diff = document_diff(document(("one", "a" * 200_000)), document(("one", "b" * 200_000)))
    assert (diff.sections, diff.changed_left_out, diff.same) == ((), 1, False)
