"""Markdown that is nested without end, or that a parser must look through again and again."""

from __future__ import annotations

_SENTENCE = "Fathers who read to their children stay longer in the programme. "


def nested_quotes() -> bytes:
    """A paragraph in a hundred thousand quotations."""
    return (">" * 100_000 + " " + _SENTENCE).encode()


def nested_quotes_of_many_lines() -> bytes:
    """Two thousand lines, each a quotation deeper than the last."""
    return "\n".join("> " * depth + _SENTENCE for depth in range(2000)).encode()


def nested_lists() -> bytes:
    """Five thousand items, each below the last."""
    return "\n".join("  " * depth + "- " + _SENTENCE for depth in range(5000)).encode()


def list_markers_in_one_line() -> bytes:
    """A line of a hundred thousand list markers."""
    return ("- " * 100_000 + "a").encode()


def open_brackets() -> bytes:
    """A million brackets that are opened and never closed."""
    return ("[" * 1_000_000 + "a").encode()


def closed_brackets() -> bytes:
    """A hundred thousand links within each other."""
    return ("[" * 100_000 + "a" + "](b)" * 100_000).encode()


def pictures_within_each_other() -> bytes:
    """Fifty thousand pictures, each the description of the next."""
    return ("![" * 50_000 + "a" + "](b)" * 50_000).encode()


def parentheses() -> bytes:
    """A link whose address is of a million parentheses."""
    return ("[a](" + "(" * 1_000_000).encode()


def stars() -> bytes:
    """A million stars, then letters among stars."""
    return ("*" * 1_000_000 + "a" + "**a " * 200_000 + "a*_" * 200_000).encode()


def backticks() -> bytes:
    """Runs of backticks of all lengths, none of which has its like."""
    return "".join("`" * length + "a" for length in range(3000)).encode()


def angles() -> bytes:
    """A million angles, beginnings of tags and of comments."""
    return ("<" * 500_000 + "<a " * 500_000 + "<!-- " * 300_000 + "<![CDATA[" * 100_000).encode()


def definitions() -> bytes:
    """Two hundred thousand definitions of links, and as many uses of none of them."""
    return ("".join(f"[a{number}]: /b\n" for number in range(200_000)) + "\n" + "[x]" * 200_000).encode()


def entities() -> bytes:
    """A million entities and beginnings of entities."""
    return ("&amp;&#x1F;&quot" * 1_000_000).encode()


def table_of_many_columns() -> bytes:
    """A table of a hundred thousand columns and rows of one cell."""
    columns = 100_000
    return ("|a" * columns + "|\n" + "|-" * columns + "|\n" + "|b|\n" * 50_000).encode()


def headings() -> bytes:
    """A million headings."""
    return ("# a\n" * 1_000_000).encode()


def underlines() -> bytes:
    """A paragraph of a million lines, each of which could be a heading's."""
    return ("a\n" * 1_000_000 + "===").encode()


def front_matter_that_multiplies() -> bytes:
    """YAML with anchors of which each is ten times the next."""
    rows = ["a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    rows += [f"a{number}: &a{number} [{','.join([f'*a{number - 1}'] * 10)}]" for number in range(1, 12)]
    return ("---\n" + "\n".join([*rows, "title: *a11", "authors: *a11"]) + "\n---\n" + _SENTENCE).encode()


def front_matter_of_great_depth() -> bytes:
    """YAML of eight thousand brackets."""
    return ("---\ntitle: " + "[" * 4000 + "]" * 4000 + "\n---\n" + _SENTENCE).encode()


def front_matter_that_merges() -> bytes:
    """YAML of mappings that merge each other, and themselves."""
    rows = ["a0: &a0 {x: 1}", "s: &s [*s]"]
    rows += [f"a{number}: &a{number} {{<<: [{','.join([f'*a{number - 1}'] * 9)}]}}" for number in range(1, 30)]
    return ("---\n" + "\n".join([*rows, "title: *s", "<<: *a29"]) + "\n---\n" + _SENTENCE).encode()


def front_matter_of_numbers_and_dates() -> bytes:
    """YAML with numbers of thousands of digits, to the base of sixty, and dates that are none."""
    rows = ["year: " + "9" * 7000, "date: 2024-99-99", "n: 1" + ":59" * 200, "isbn: .inf", "title: !!binary x"]
    return ("---\n" + "\n".join(rows) + "\n---\n" + _SENTENCE).encode()


def backticks_of_all_lengths() -> bytes:
    """Openings of code of one to three thousand backticks, none of which ends."""
    return b" a ".join(b"`" * length for length in range(1, 3_000))


def blocks_of_html() -> bytes:
    """Three hundred thousand blocks of HTML that end in no blank line."""
    return b"<div>\n" * 300_000


def titles_with_rules() -> bytes:
    """A paragraph of a million lines with a rule of a title below the last."""
    return b"a\n" * 1_000_000 + b"=\n"


def links_of_one_definition() -> bytes:
    """A million references to one definition at the end."""
    return b"[a] " * 1_000_000 + b"\n\n[a]: https://example.org\n"
