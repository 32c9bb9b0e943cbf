"""Headings of foreign Markdown, and the text below them."""

from __future__ import annotations

import pytest

from research.markdown_text.outline import outline, title_in


def headings(text: str) -> list[tuple[int, str]]:
    return [(part.level, part.heading) for part in outline(text).parts]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## A *b* `c` &amp; d ##\n\nx", [(1, "A b c & d")]),
        ("One\n===\n\nx\n\nTwo\n---\n\ny", [(1, "Two")]),
        ("Two lines\nabove a rule\n---\n\nx", [(1, "")]),
        ("```\n# no heading\n```", [(1, "")]),
        ("- item\n\n  # in the item\n", [(1, "")]),
        ("> # quoted", [(1, "")]),
        ("#no heading", [(1, "")]),
        ("| A |\n| --- |\n| x |", [(1, "")]),
    ],
)
def test_headings(text: str, found: list[tuple[int, str]]) -> None:
    assert [one for one in headings(text) if one[1]] == [one for one in found if one[1]]


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ('---\ntitle: "Fathers: a study"   # ours\n---\n', "Fathers: a study"),
        ("---\ntitle: >\n  Two\n  lines\n---\n", "Two lines"),
        ("---\ntitle: [1\n---\n", ""),
        ("---\n- title\n---\n", ""),
        ("", ""),
    ],
)
def test_title_of_the_front_matter(front: str, title: str) -> None:
    assert title_in(front) == title
