"""A document of a person's own: read, looked at, offered to be deepened."""

from __future__ import annotations

import io
import re

import pytest

TEXT = b"""# Fathers at school

## Reading aloud

Reading aloud helps [1].

### Whom it helps

Everybody [2].

## References

[1] Ortiz, A. (2019). Aloud. Invented Press.
[2] Lee, B. (2021). Cost. Invented Press.
"""


def sent(data: bytes, name: str, **more: str) -> dict[str, object]:
    return {"file": (io.BytesIO(data), name), **more}


def test_it_is_read_and_shown(signed_in) -> None:
    desk = signed_in("officer")
    assert 'href="/research/documents/new"' in desk.get("/research").text
    page = desk.post("/research/documents/new", data=sent(TEXT, "review.md"), follow_redirects=True).text
    assert "How your document was read" in page and "<h1>Fathers at school</h1>" in page
    read = page.split('id="read-document"')[1].split("</section>")[0]
    assert "2 sections" in read and "2 references" in read and "Whom it helps" in read
    assert "Supervision needs a language model" in page


def test_a_marker_leads_to_what_its_reference_says(signed_in) -> None:
    desk = signed_in("officer")
    page = desk.post("/research/documents/new", data=sent(TEXT, "review.md"), follow_redirects=True).text
    address = re.search(r'href="(/research/[0-9a-f-]+/sources/ortiz[^"]*)"', page)
    assert address, "the reference has a link"
    source = desk.get(address[1]).text
    assert "Invented Press" in source and "its text was not read here" in source
    assert desk.get(address[1].replace("ortiz", "nobody")).status_code == 404


def test_no_references_are_said(signed_in) -> None:
    text = b"# Boats\n\nFathers build boats with their children."
    page = signed_in("reviewer").post(
        "/research/documents/new", data=sent(text, "boats.md", library_only="yes"), follow_redirects=True
    )
    assert "No list of references was found" in page.text


@pytest.mark.parametrize(
    ("data", "name", "status"),
    [(b"", "empty.md", 400), (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "picture.png", 415), (b"", "", 400)],
)
def test_what_cannot_be_read_is_said_above_the_form(signed_in, data: bytes, name: str, status: int) -> None:
    refused = signed_in("officer").post("/research/documents/new", data=sent(data, name))
    assert refused.status_code == status
    assert 'role="alert"' in refused.text and "Read the document" in refused.text
