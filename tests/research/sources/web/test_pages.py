"""The text of pages of many kinds."""

from __future__ import annotations

from contextlib import suppress
from unittest.mock import Mock

import httpx
import pytest

from core.confined.mupdf import pymupdf
from research.sources.base import FetchedText, NoTextError
from research.sources.exchange import HttpResponse
from research.sources.pages import fetched_text
from tests.support.servers.web_pages import html

URL = "https://news.example.org/reading"
ENGLISH = "Fathers came to 412 evenings in Cedar Falls, and every child took a book home."
SPANISH = "Los padres asistieron a 38 tardes de lectura y cada niño llevó un libro a casa."


def read(data: bytes, content_type: str = "text/html; charset=utf-8") -> FetchedText:
    headers = {"Content-Type": content_type} if content_type else {}
    return fetched_text(HttpResponse(200, httpx.Headers(headers), data, URL))


def pdf(*pages: str, **options: object) -> bytes:
    with pymupdf.open() as document:
        for text in pages:
            document.new_page().insert_textbox((72, 72, 300, 700), text)
        document.set_metadata({"title": "Reading with fathers"})
        return bytes(document.tobytes(**options))


def test_html_without_its_furniture() -> None:
    date = '<meta property="article:published_time" content="2021-03-04">'
    page = html("Reading evenings", ENGLISH, "They cost <b>14 dollars</b> a <a href='/f'>family</a>.", head=date)
    text = read(page.body)
    assert ENGLISH in text.text
    assert "They cost 14 dollars a family." in text.text
    assert (text.year, text.url) == (2021, URL)


def test_a_table_is_read_by_rows() -> None:
    rows = "".join(f"<tr><td>Programme {n}</td><td>{n}0 dollars</td></tr>" for n in range(1, 5))
    text = read(
        html("Costs", ENGLISH, f"</p><table><tr><th>Name</th><th>Cost</th></tr>{rows}</table><p>").body
    ).text
    assert "Programme 3 | 30 dollars" in text
    assert "---" not in text


@pytest.mark.parametrize(
    ("encoding", "content_type"),
    [
        ("utf-8", "text/html; charset=utf-8"),
        ("utf-8", "text/html"),
        ("iso-8859-1", "text/html; charset=ISO-8859-1"),
        ("cp1252", "text/html"),
        ("utf-16", "text/html"),
        ("cp1252", "text/html; charset=unheard-of"),
        ("utf-8", 'TEXT/HTML; Charset="UTF-8"'),
        ("utf-8", ""),
    ],
)
def test_characters_are_read_in_their_encoding(encoding: str, content_type: str) -> None:
    data = html("Lectura", SPANISH, language="es").body.decode().replace("charset=utf-8", "").encode(encoding)
    text = read(data, content_type)
    assert SPANISH in text.text


def test_a_page_may_say_its_own_encoding() -> None:
    page = html("Lectura", SPANISH, head='<meta charset="iso-8859-15">').body.decode()
    assert SPANISH in read(page.encode("iso-8859-15"), "text/html").text


def test_a_pdf_page_by_page() -> None:
    text = read(pdf(ENGLISH, SPANISH), "application/pdf")
    assert [(passage.page_no, passage.text.strip()) for passage in text.passages] == [(1, ENGLISH), (2, SPANISH)]


def test_a_pdf_is_known_by_its_bytes() -> None:
    assert ENGLISH in read(pdf(ENGLISH), "application/octet-stream").text
    assert ENGLISH in read(pdf(ENGLISH), "text/html").text


def test_plain_text_and_markdown() -> None:
    assert read(f"{ENGLISH}\n\n{SPANISH}".encode(), "text/plain").text == f"{ENGLISH}\n\n{SPANISH}"
    assert read(f"# Title\n\n**Fathers** [came](http://x) to {ENGLISH}".encode(), "text/markdown").text == (
        f"Title\n\nFathers came to {ENGLISH}"
    )


@pytest.mark.parametrize("media_type", ["text/xml", "application/rss+xml"])
def test_a_feed_is_not_read(media_type: str) -> None:
    feed = f"<rss><channel><item><title>{ENGLISH}</title></item></channel></rss>"
    with pytest.raises(NoTextError, match="a page of type"):
        read(feed.encode(), media_type)


def test_xhtml_is_read_without_following_its_entities() -> None:
    page = html("Reading evenings", f"{ENGLISH} &e; {ENGLISH}").body.replace(b"<!doctype html>", b"")
    assert ENGLISH in read(b'<?xml version="1.0"?>' + page, "application/xhtml+xml").text
    entity = b'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/os-release">]>'
    with suppress(NoTextError):
        assert "VERSION_ID" not in read(entity + page, "application/xhtml+xml").text


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (b"", "text/html"),
        (b"<html></html>", "text/html"),
        (html("Sign in", "Please log in to continue reading.").body, "text/html"),
        (
            b"<html><body><noscript>Please enable JavaScript.</noscript><script>x()</script></body></html>",
            "text/html",
        ),
        (pdf(""), "application/pdf"),
        (pdf(ENGLISH, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="word", owner_pw="word"), "application/pdf"),
        (pdf(ENGLISH)[:300], "application/pdf"),
        (b"no pdf", "application/pdf"),
        (b"\x89PNG....", ""),
        (b"<a><b></a>", "application/xhtml+xml"),
        (b"<?xml version='1.0'?><a/>", "application/xhtml+xml"),
        (b"\x00" * 50, "text/plain"),
        (b"<" * 5000, "text/html"),
        (b"<div>" * 30_000, "text/html"),
    ],
    ids=range(14),
)
def test_nothing_to_quote(data: bytes, content_type: str) -> None:
    with pytest.raises(NoTextError):
        read(data, content_type)


@pytest.mark.parametrize("name", ["zlib", "hex", "undefined", "idna", "punycode", "unicode_escape"])
def test_encodings_of_no_page(name: str) -> None:
    page = html("Reading evenings", ENGLISH, head=f'<meta charset="{name}">').body.replace(b"charset=utf-8", b"")
    for content_type in ("text/html", f"text/html; charset={name}"):
        with pytest.raises(NoTextError, match=name.replace("_", ".")):
            read(page, content_type)


@pytest.mark.parametrize("fault", [TypeError, AttributeError, IndexError, ZeroDivisionError])
def test_a_page_that_the_extraction_cannot_take(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trafilatura.bare_extraction", Mock(side_effect=fault))
    with pytest.raises(NoTextError):
        read(html("Reading evenings", ENGLISH).body)
