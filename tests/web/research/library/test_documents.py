"""The library's pages: list, search, add, read, remove with undo, retry."""

from __future__ import annotations

import io
import uuid

import pytest
from sqlalchemy import select, update

from core.confined.mupdf import pymupdf
from core.models import LibraryDocument
from services.context import Context
from services.library.reading import read_library_document
from tests.support.research.library import add_and_read, document_of

PAPER = """---
title: Reading Nights
authors: [Tamsin Okafor]
publisher: Alder County Schools
year: 2021
---
# Reading Nights

Fathers & mothers read aloud in nine schools, and the libraries lend more books.
"""


def rows(context: Context) -> list[LibraryDocument]:
    return context.database.scalars(select(LibraryDocument).order_by(LibraryDocument.created_at))


def pdf(pages: int = 1) -> bytes:
    with pymupdf.open() as document:
        for number in range(pages):
            page = document.new_page(width=300, height=200)
            text = f"Page {number + 1}. Fathers and children build a kite together on a windy Saturday in spring."
            page.insert_textbox(pymupdf.Rect(20, 20, 280, 180), text * 3, fontsize=9)
        return bytes(document.tobytes())


def test_the_empty_library_says_what_to_do(signed_in) -> None:
    page = signed_in("officer").get("/research/library").text
    assert "The library is empty." in page and "/research/library/add" in page
    assert "/research/library/add" not in signed_in("auditor").get("/research/library").text


def test_files_are_added_and_listed(signed_in, context: Context) -> None:
    client = signed_in("officer")
    files = [(io.BytesIO(PAPER.encode()), "paper.md"), (io.BytesIO(b"Fathers sing."), "song.txt")]
    data = {"files": files, "kind": "academic", "collection": " Songs ", "publisher": ""}
    response = client.post("/research/library/add", data=data, follow_redirects=True)
    assert "2 documents are being read." in response.text and "paper.md" in response.text
    assert {(row.kind, row.collection, row.status) for row in rows(context)} == {("academic", "Songs", "queued")}
    for row in rows(context):
        read_library_document(context, row.id)
    again = {"files": [(io.BytesIO(PAPER.encode()), "copy.md")], "kind": "book"}
    assert (
        "1 file is already in the library"
        in client.post("/research/library/add", data=again, follow_redirects=True).text
    )
    page = client.get("/research/library").text
    assert "Reading Nights" in page and "Tamsin Okafor" in page and "Ready" in page


@pytest.mark.parametrize("data", [{"kind": "web"}, {"kind": "essay", "files": (io.BytesIO(b"x"), "x.txt")}])
def test_what_does_not_fit_is_refused(signed_in, context: Context, data: dict[str, object]) -> None:
    assert signed_in("officer").post("/research/library/add", data=data).status_code == 400
    assert rows(context) == []


def test_the_text_is_searched_and_filters_narrow(signed_in, context: Context) -> None:
    add_and_read(context, PAPER)
    add_and_read(context, "# Kites\n\nChildren build kites.", "kites.md", "book", collection="Wind")
    client = signed_in("auditor")
    page = client.get("/research/library?q=Who lends more books?").text
    assert "<mark>lend</mark>" in page and "<mark>books</mark>" in page and "Kites" not in page
    assert "Fathers &amp; mothers" in page
    assert "Kites" in client.get("/research/library?kind=book").text
    assert "Reading Nights" not in client.get("/research/library?collection=Wind").text
    assert "No documents match." in client.get("/research/library?language=es").text
    assert "No documents match." in client.get("/research/library?q=zebras").text
    assert client.get("/research/library?kind=none&status=1&language=xx&page=").status_code == 200


def test_the_list_is_asked_again_only_when_it_changed(signed_in, context: Context) -> None:
    found = add_and_read(context, PAPER)
    client = signed_in("officer")
    first = client.get("/research/library/rows")
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/research/library/rows", headers=tag).status_code == 304
    client.post(f"/research/library/{found}/remove")
    assert client.get("/research/library/rows", headers=tag).status_code == 200


def test_the_progress_of_vectors_and_their_failure(signed_in, context: Context) -> None:
    found = add_and_read(context, PAPER)
    client = signed_in("officer")

    def shown(**values: object) -> str:
        context.database.execute(update(LibraryDocument).where(LibraryDocument.id == found).values(**values))
        return client.get("/research/library/rows").text + client.get(f"/research/library/{found}").text

    page = shown(embedding="running", passages_embedded=3, passages_total=7)
    assert 'max="7" value="3"' in page and "Being prepared for search by meaning" in page
    page = shown(embedding="failed", error_code="embedding_unavailable")
    assert "Search by meaning failed" in page and "Until it does, texts are found by keyword." in page
    client.post(f"/research/library/{found}/retry")
    assert document_of(context, found).embedding == "queued"
    assert "meaning" not in shown(embedding="ready")


def test_a_document_by_passage(signed_in, context: Context) -> None:
    data = pdf(3)
    found = add_and_read(context, data, "kites.pdf", "book")
    client = signed_in("auditor")
    page = client.get(f"/research/library/{found}?passage=1").text
    assert 'class="passage lit" id="passage-1"' in page and f"/{found}/pages/2.webp" in page
    picture = client.get(f"/research/library/{found}/pages/2.webp")
    assert picture.content_type == "image/webp" and picture.data[8:12] == b"WEBP"
    assert client.get(f"/research/library/{found}/pages/4.webp").status_code == 404
    original = client.get(f"/research/library/{found}/original")
    assert original.data == data and "attachment" in original.headers["Content-Disposition"]


def test_a_long_document_comes_in_stretches(signed_in, context: Context) -> None:
    text = "\n\n".join(f"Paragraph {number} tells of fathers. " * 25 for number in range(100))
    found = add_and_read(context, text, "long.txt")
    client = signed_in("officer")
    page = client.get(f"/research/library/{found}?passage=57").text
    assert "Paragraph 57 " in page and "Paragraph 39 " not in page
    assert "from=0" in page and "from=80" in page
    assert "Paragraph 99 " in client.get(f"/research/library/{found}?from=999999").text


def test_removing_can_be_taken_back(signed_in, context: Context) -> None:
    found = add_and_read(context, PAPER)
    client = signed_in("officer")
    page = client.post(f"/research/library/{found}/remove", follow_redirects=True).text
    assert "removed from the library" in page and f"/research/library/{found}/restore" in page
    assert client.get(f"/research/library/{found}").status_code == 404
    assert client.post(f"/research/library/{found}/remove").status_code == 404
    back = client.post(f"/research/library/{found}/restore", follow_redirects=True)
    assert "being read again" in back.text and document_of(context, found).status == "queued"
    read_library_document(context, found)
    assert "aloud in nine schools" in client.get(f"/research/library/{found}").text


def test_the_same_file_added_meanwhile_stands(signed_in, context: Context) -> None:
    found = add_and_read(context, PAPER)
    client = signed_in("officer")
    client.post(f"/research/library/{found}/remove")
    add_and_read(context, PAPER)
    assert client.post(f"/research/library/{found}/restore").status_code == 409


def test_a_failed_document_says_why_and_is_tried_again(signed_in, context: Context) -> None:
    found = add_and_read(context, b"%PDF-1.4 cut", "cut.pdf")
    client = signed_in("officer")
    page = client.get("/research/library").text
    assert "This file is damaged" in page and f"/research/library/{found}/retry" in page
    client.post(f"/research/library/{found}/retry")
    assert document_of(context, found).status == "queued"
    assert client.post(f"/research/library/{found}/retry").status_code == 409
    assert client.post(f"/research/library/{uuid.UUID(int=5)}/retry").status_code == 409


def test_essays_come_in_by_a_button(signed_in, context: Context) -> None:
    assert "0 approved essays" in signed_in("officer").post("/research/library/essays", follow_redirects=True).text
