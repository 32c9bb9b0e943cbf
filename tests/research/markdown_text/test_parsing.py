"""Markdown as a person reads it."""

from research.markdown_text.parsing import paragraphs_of

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
