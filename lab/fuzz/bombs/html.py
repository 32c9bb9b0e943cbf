"""Web pages that are nested without end, or that a reader must look through again and again."""

from __future__ import annotations

_SENTENCE = "<p>Fathers who read to their children stay longer in the programme.</p>"


def nested_blocks() -> bytes:
    """Half a million blocks within each other."""
    return _page("<div>" * 500_000 + _SENTENCE)


def nested_marks() -> bytes:
    """A hundred thousand marks of emphasis within each other, in one paragraph."""
    return _page("<p>" + "<b>" * 100_000 + "a" + "</b>" * 100_000 + _SENTENCE)


def nested_marks_that_pass() -> bytes:
    """Two hundred blocks, each around two hundred marks of emphasis."""
    return _page("<div>" * 200 + "<p>" + "<i>" * 200 + "a" + "</i>" * 200 + "</p>" + "</div>" * 200 + _SENTENCE)


def nested_tables() -> bytes:
    """Twenty thousand tables within each other, without an end."""
    return _page("<table><tr><td>" * 20_000 + _SENTENCE)


def marks_that_cross() -> bytes:
    """Marks of emphasis that end in another order than they begin, over thousands of paragraphs."""
    return _page("<p><b><i><u><s><em>a</b>" * 20_000)


def attributes() -> bytes:
    """An element with two hundred thousand attributes, and a class of ten megabytes."""
    many = "".join(f' a{number}="x"' for number in range(200_000))
    return _page(f"<div{many} class='{'c ' * 5_000_000}'>{_SENTENCE}</div>")


def meta_tags() -> bytes:
    """Three hundred thousand meta tags."""
    return _page(_SENTENCE, "<meta name='citation_author' content='A. Author'>" * 300_000)


def meta_tags_never_ended() -> bytes:
    """Three million beginnings of meta tags."""
    return _page("<meta " * 3_000_000)


def meta_tag_of_names() -> bytes:
    """Meta tags that are nothing but names of attributes."""
    return _page("<meta " + "a:-" * 600 + ">" + ("<meta " + "a" * 1990 + ">") * 2000)


def links() -> bytes:
    """A million links to one another address each."""
    return _page("<p>" + "".join(f'<a href="https://a.example/{number}">a</a> ' for number in range(300_000)))


def links_within_links() -> bytes:
    """Ten thousand links within each other."""
    return _page("<p>" + '<a href="https://a.example/"><span>' * 10_000 + _SENTENCE)


def entities() -> bytes:
    """Five million entities."""
    return _page("<p>" + "&amp;&#0;&#x110000;" * 2_000_000)


def document_type_that_multiplies() -> bytes:
    """A document type whose entities are ten of the next."""
    names = "".join(f'<!ENTITY e{n} "{f"&e{n + 1};" * 10}">' for n in range(12))
    return f"<!DOCTYPE html [{names}<!ENTITY e12 'x'>]><html><body><p>&e0;</p>{_SENTENCE}</body></html>".encode()


def comments_and_scripts() -> bytes:
    """Comments and scripts that begin and never end."""
    return _page("<!-- " * 1_000_000 + _SENTENCE + "<script>" * 500_000)


def data_of_the_page() -> bytes:
    """Descriptions in JSON-LD that are nested fifty thousand deep."""
    data = '{"@type":"Article","author":' * 50_000
    return _page(_SENTENCE, f'<script type="application/ld+json">{data}</script>' * 3)


def dates_everywhere() -> bytes:
    """A hundred thousand dates, and texts that almost are dates."""
    text = "2024-01-0 12/12/20 published 1 January 20 © 1999-20 " * 3
    return _page(f"<time datetime='{text}'>{text}</time>" * 20_000)


def paragraphs() -> bytes:
    """Half a million short paragraphs."""
    return _page("<p>a</p>" * 500_000)


def items_of_lists() -> bytes:
    """Lists within each other, five hundred deep, a hundred times."""
    return _page(("<ul><li>a" * 500 + "</ul>" * 500) * 100)


def _page(body: str, head: str = "") -> bytes:
    return f"<!doctype html><html><head><title>T</title>{head}</head><body>{body}</body></html>".encode()


def cells_over_many_columns() -> bytes:
    """A table whose cells say that each takes a million columns and rows."""
    return _page("<table>" + '<tr><td colspan="1000000" rowspan="1000000">a</td></tr>' * 2_000 + "</table>")


def forms_within_forms() -> bytes:
    """A hundred thousand forms and fields, none of which ends."""
    return _page("<form><select><option>" * 100_000)


def names_of_one_mark() -> bytes:
    """A mark whose name has ten million letters."""
    return _page("<" + "a" * 10_000_000 + ">text")


def styles_and_templates() -> bytes:
    """Templates within each other, each with a style."""
    return _page("<template><style>a{}</style>" * 50_000)
