"""Markdown as a person reads it, and the text below its headings."""

from __future__ import annotations

import pytest

from research.text.markdown import markdown_outline, paragraphs_of, title_in

PAGE = """# Reading *evenings*

Fathers **came** to [412 evenings](https://example.org/a_b) in
Cedar Falls. ![logo](x.png)

[![picture](y.png)](https://example.org)

1. First `item`
2. Second

| Programme | Cost |
| --- | --- |
| Harbor \\| Falls | $14 |

> Quoted words

    code
<div>markup</div>
"""


def test_marks_addresses_and_pictures_are_gone() -> None:
    assert paragraphs_of(PAGE) == [
        "Reading evenings",
        "Fathers came to 412 evenings in Cedar Falls. ",
        "First item",
        "Second",
        "Programme | Cost",
        "Harbor | Falls | $14",
        "Quoted words",
        "code\n",
    ]


def headings(text: str) -> list[tuple[int, str]]:
    return [(part.level, part.heading) for part in markdown_outline(text).parts]


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
