from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from core.errors import NotFoundError
from core.models import LibraryDocument, ReportSource
from research.sources.base import Passage
from services.context import Context
from services.reports.source_panel import excerpt_of, source_panel
from tests.support.research.reports import OTHER_QUOTE, PAGES, QUOTE


def test_the_quotation_is_lit_in_its_page(context: Context, finished: uuid.UUID) -> None:
    panel = source_panel(context, finished, "okafor2019", "c1")
    assert panel.excerpt is not None and panel.excerpt.lit == QUOTE
    assert panel.page_no == 2 and panel.claim is not None and panel.claim.verification == "confirmed"
    assert panel.excerpt.before + panel.excerpt.lit + panel.excerpt.after == "".join(PAGES)
    assert not panel.excerpt.more_before and not panel.excerpt.more_after
    assert [claim.claim_id for claim in panel.claims] == ["c1", "c3"]


def test_quotations_of_the_same_marker_are_given_beside(context: Context, finished: uuid.UUID) -> None:
    panel = source_panel(context, finished, "okafor2019", "c1", also=["c3", "c99"])
    assert [claim.claim_id for claim in panel.also] == ["c3"]
    assert source_panel(context, finished, "okafor2019", "c1").also == ()


def test_of_a_long_source_the_surroundings_are_shown(context: Context, finished: uuid.UUID) -> None:
    excerpt = source_panel(context, finished, "okafor2019", "c1", around=30).excerpt
    assert excerpt is not None and excerpt.lit == QUOTE
    assert excerpt.more_before and excerpt.more_after
    assert "".join(PAGES).endswith(excerpt.after) is False
    assert f"{excerpt.before}{excerpt.lit}{excerpt.after}" in "".join(PAGES)
    assert excerpt.before.startswith("Friday") or excerpt.before.split(" ")[0] in "".join(PAGES).split(" ")


def test_a_document_of_the_library_is_shown_while_it_is_there(context: Context, finished: uuid.UUID) -> None:
    with context.database.session() as session:
        document = LibraryDocument(
            kind="academic",
            original_filename="breakfast.pdf",
            content_type="application/pdf",
            byte_size=1,
            sha256="0" * 64,
            storage_key="library/breakfast",
            status="ready",
        )
        session.add(document)
        session.flush()
        session.execute(update(ReportSource).values(library_document_id=document.id))
        document_id = document.id
    panel = source_panel(context, finished, "okafor2019", "c1")
    assert panel.library_document_id == document_id and panel.has_pictures
    context.database.execute(update(LibraryDocument).values(status="removed"))
    panel = source_panel(context, finished, "okafor2019", "c1")
    assert panel.library_document_id is None and not panel.has_pictures


def test_a_source_alone_shows_its_beginning(context: Context, finished: uuid.UUID) -> None:
    panel = source_panel(context, finished, "okafor2019")
    assert panel.claim is None and panel.excerpt is not None
    assert panel.excerpt.lit == "" and panel.excerpt.after == "".join(PAGES) and panel.page_no == 1


def test_a_quotation_is_shown_where_it_was_found(context: Context, finished: uuid.UUID) -> None:
    panel = source_panel(context, finished, "marlow2021", "c2")
    assert panel.excerpt is not None and panel.excerpt.lit == OTHER_QUOTE
    assert panel.page_no is None and panel.claim is not None and panel.claim.status == "misattributed"
    with pytest.raises(NotFoundError):
        source_panel(context, finished, "okafor2019", "c2")


def test_a_source_that_could_not_be_read_says_why(context: Context, finished: uuid.UUID) -> None:
    panel = source_panel(context, finished, "gone")
    assert panel.excerpt is None and (panel.status, panel.error_code) == ("failed", "source_refused")


@pytest.mark.parametrize(("key", "claim"), [("nobody", None), ("okafor2019", "c99"), ("okafor2019", "c4")])
def test_what_is_not_there(context: Context, finished: uuid.UUID, key: str, claim: str | None) -> None:
    with pytest.raises(NotFoundError):
        source_panel(context, finished, key, claim)


@pytest.mark.parametrize(
    ("url", "doi", "shown"),
    [
        ("https://marlow.example.org/evenings", None, "https://marlow.example.org/evenings"),
        ("javascript:alert(1)", None, None),
        (None, "10.5555/breakfast.2019", "https://doi.org/10.5555/breakfast.2019"),
        (None, None, None),
    ],
)
def test_only_web_addresses_are_links(
    context: Context, finished: uuid.UUID, url: str | None, doi: str | None, shown: str | None
) -> None:
    panel = replace(source_panel(context, finished, "okafor2019"), url=url, doi=doi)
    assert panel.web_address == shown


def test_cuts_fall_between_words() -> None:
    text = "one two three four five six seven"
    start = text.index("four")
    passages = [Passage(text[:10], 0, 10), Passage(text[10:], 10, len(text))]
    excerpt = excerpt_of(passages, start, start + 4, len(text), 7)
    assert excerpt is not None
    assert (excerpt.before, excerpt.lit, excerpt.after) == ("three ", "four", " five")
    assert excerpt.more_before and excerpt.more_after


@given(st.lists(st.text("ab \n", min_size=1, max_size=30), min_size=1, max_size=8), st.data())
def test_wherever_a_quotation_stands_it_is_lit_whole(texts: list[str], data: st.DataObject) -> None:
    passages, at = [], 0
    for text in texts:
        passages.append(Passage(text, at, at + len(text)))
        at += len(text)
    whole = "".join(texts)
    start = data.draw(st.integers(0, at - 1))
    end = data.draw(st.integers(start + 1, at))
    around = data.draw(st.integers(0, 40))
    # As the database gives them: those that touch the stretch.
    near = [one for one in passages if one.end_char > max(0, start - around) and one.start_char < end + around]
    excerpt = excerpt_of(near, start, end, at, around)
    assert excerpt is not None and excerpt.lit == whole[start:end]
    assert whole[:start].endswith(excerpt.before) and whole[end:].startswith(excerpt.after)
    assert len(excerpt.before) <= around and len(excerpt.after) <= around
