"""Front matter as anybody may write it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config import Settings
from services.library.passages import authors_of, doi_of, front_matter_facts, isbn_of, title_of, year_of
from services.library.reading import read_markdown


@pytest.mark.parametrize(
    ("line", "year"),
    [
        ("date: 2026-13-45", 2026),
        ("date: !!timestamp nothing", None),
        ("year: 1984", 1984),
        ("year: ~", None),
        ("year: " + "9" * 5000, None),
        ("date: 2024-02-30 25:61:61 +99:99", 2024),
        ("x: !!int abc", None),
        ("x: !!bool maybe", None),
        ("x: " + "[" * 1500, None),
        ("x: &a [*a]", None),
    ],
)
def test_impossible_values_are_no_error(line: str, year: int | None) -> None:
    text = read_markdown(f"---\ntitle: A\n{line}\n---\n# A heading\n\nWords.\n".encode(), Settings())
    assert text.facts.year == year and text.blocks[-1].text == "Words."


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab1-:!&*[]{}>|~#\n '\"%@`é\t0"), max_size=120))
def test_any_front_matter_is_read(front: str) -> None:
    read_markdown(f"---\ntitle: A\n{front}\n---\nWords.\n".encode(), Settings())


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_facts_of_any_text_are_bounded(text: str) -> None:
    assert len(title_of(text)) <= 400 and all(0 < len(name) <= 200 for name in authors_of(text))
    assert year_of(text) is None or 1500 <= (year_of(text) or 0) < 2100
    assert len(isbn_of(text) or "") in (0, 10, 13) and (doi_of(text) or text) in text
    front_matter_facts({"title": text, "authors": [text], "date": text, "isbn": text, "language": text})
