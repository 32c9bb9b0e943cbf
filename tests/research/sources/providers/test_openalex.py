"""OpenAlex: abstracts put together, open copies, and what its answers lack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from research.sources.base import (
    ForbiddenAddressError,
    Hit,
    NoTextError,
    SearchScope,
    SourceError,
    SourceRefusedError,
)
from research.sources.providers import ActiveSources
from tests.support.research.sources import opened
from tests.support.servers.openalex_server import OpenAlexServer, openalex_server, work
from tests.support.servers.provider_server import HTML_404
from tests.support.servers.web_pages import WebPages, html, redirect

ABSTRACT = "Fathers who read to their children came back, and the children read more; the fathers read more too."
PAPER = html("Paternal reading", "The open copy says that 61 fathers took part in the programme.")


def find(sources: ActiveSources, **scope: Any) -> list[Hit]:
    return list(sources.by_name("openalex").search("paternal reading", 10, SearchScope("academic", **scope)))


def test_the_abstract_is_put_together(tmp_path: Path) -> None:
    with openalex_server([work(7, "Paternal reading", ABSTRACT, authors=("Ana Ortiz", "Li Wei"))]) as server:
        sources = opened(tmp_path, server)
        (hit,) = find(sources)
        assert sources.by_name("openalex").fetch(hit).text == ABSTRACT
        assert len(server.requests) == 1
    assert (hit.locator, hit.doi, hit.year, hit.publisher) == (
        "W7",
        "10.5555/7",
        2019,
        "Journal of School Programmes",
    )
    assert hit.authors == ("Ana Ortiz", "Li Wei")
    assert hit.url == "https://doi.org/10.5555/7"


def test_a_work_is_asked_for_by_its_id_when_the_search_is_forgotten(tmp_path: Path) -> None:
    with openalex_server([work(7, "Paternal reading", ABSTRACT)]) as server:
        source = opened(tmp_path, server, source_cache_hours=0).by_name("openalex")
        assert source.fetch(Hit("openalex", "academic", "T", "W7")).text == ABSTRACT
        assert [request.path for request in server.requests] == ["/works/W7"]


def test_retracted_works_are_left_out(tmp_path: Path) -> None:
    class Careless(OpenAlexServer):
        """Brings them all the same."""

        def answer(self, request: Any) -> Any:
            for item in self.works.values():
                item["is_retracted"] = False
            answer = super().answer(request)
            return type(answer)(200, answer.body.replace(b'"is_retracted": false', b'"is_retracted": true'))

    with Careless([work(7, "Paternal reading", ABSTRACT)]) as server:
        sources = opened(tmp_path, server)
        assert find(sources) == []
        with pytest.raises(NoTextError):
            sources.by_name("openalex").fetch(Hit("openalex", "academic", "T", "W7"))


def test_what_may_be_null_may_be_null(tmp_path: Path) -> None:
    bare = work(7, "Paternal reading", ABSTRACT, venue=None, year=None, authors=())
    bare |= {"doi": None, "open_access": None, "authorships": [{"author": None}], "relevance_score": None}
    sourceless = work(8, "Paternal <i>reading</i> &amp; more", ABSTRACT)
    sourceless["primary_location"] = {"source": None}
    sourceless["authorships"] = [{"author": {"display_name": None}, "raw_author_name": "Quispe, Rosa"}]
    with openalex_server([bare, sourceless]) as server:
        sources = opened(tmp_path, server)
        first, second = find(sources)
        assert sources.by_name("openalex").fetch(first).text == ABSTRACT
    assert (first.url, first.doi, first.year, first.authors) == ("https://openalex.org/W7", None, None, ())
    assert (second.title, second.publisher) == ("Paternal reading & more", None)
    assert second.authors == ("Quispe, Rosa",)


def test_without_an_abstract_the_open_copy_is_read(tmp_path: Path) -> None:
    copy = "https://papers.example.org/7"
    with (
        openalex_server([work(7, "Paternal reading", open_pdf=copy)]) as server,
        WebPages({"papers.example.org/7": PAPER}) as web,
    ):
        sources = opened(tmp_path, server, web=web)
        text = sources.by_name("openalex").fetch(find(sources)[0])
    assert "61 fathers" in text.text
    assert text.url == copy


def test_the_landing_page_where_the_copy_is_gone(tmp_path: Path) -> None:
    paper = work(7, "Paternal reading", open_pdf="https://gone.example.org/7.pdf")
    paper["best_oa_location"]["landing_page_url"] = "https://papers.example.org/7"
    with openalex_server([paper]) as server, WebPages({"papers.example.org/7": PAPER}) as web:
        sources = opened(tmp_path, server, web=web)
        assert "61 fathers" in sources.by_name("openalex").fetch(find(sources)[0]).text


def test_neither_abstract_nor_copy(tmp_path: Path) -> None:
    with openalex_server([work(7, "Paternal reading"), work(8, "Paternal reading", "")]) as server:
        sources = opened(tmp_path, server)
        for hit in find(sources):
            with pytest.raises(NoTextError):
                sources.by_name("openalex").fetch(hit)


@pytest.mark.parametrize("copy", ["http://127.0.0.1/7.pdf", "file:///etc/passwd", "http://inside.example.org/7"])
def test_a_copy_on_a_private_address_is_not_opened(tmp_path: Path, copy: str) -> None:
    with (
        openalex_server([work(7, "Paternal reading", open_pdf=copy)]) as server,
        WebPages({"inside.example.org/7": PAPER}, {"inside.example.org": ["10.0.0.5"]}) as web,
    ):
        sources = opened(tmp_path, server, web=web)
        with pytest.raises(ForbiddenAddressError):
            sources.by_name("openalex").fetch(find(sources)[0])
        assert web.requests == []


def test_domains_hold_for_hits_and_for_where_a_copy_leads(tmp_path: Path) -> None:
    works = [
        work(
            7, "Paternal reading", landing_page="https://a.example.org/7", open_pdf="https://a.example.org/7.pdf"
        ),
        work(8, "Paternal reading", ABSTRACT, landing_page="https://b.example.net/8"),
    ]
    pages = {"a.example.org/7.pdf": redirect("https://b.example.net/7"), "b.example.net/7": PAPER}
    pages |= {"a.example.org/7": redirect("https://b.example.net/7")}
    with openalex_server(works) as server, WebPages(pages) as web:
        sources = opened(tmp_path, server, web=web)
        (hit,) = find(sources, domains_denied=("example.net",))
        assert hit.locator == "W7"
        with pytest.raises(ForbiddenAddressError):
            sources.by_name("openalex").fetch(hit)


def test_an_id_that_is_none_is_never_sent(tmp_path: Path) -> None:
    with openalex_server() as server:
        source = opened(tmp_path, server).by_name("openalex")
        for locator in ("../authors/A1", "W7?x=1", "", "10.5555/7"):
            with pytest.raises(SourceError):
                source.fetch(Hit("openalex", "academic", "T", locator))
        assert server.requests == []


def test_a_missing_work_answered_in_html(tmp_path: Path) -> None:
    with openalex_server(faults=[HTML_404]) as server, pytest.raises(SourceRefusedError):
        opened(tmp_path, server).by_name("openalex").fetch(Hit("openalex", "academic", "T", "W9"))


def test_a_strange_index_is_no_abstract(tmp_path: Path) -> None:
    strange = work(7, "Paternal reading")
    strange["abstract_inverted_index"] = {"Paternal": [10**12, -1, None, True], "reading": []}
    with openalex_server([strange]) as server:
        sources = opened(tmp_path, server)
        with pytest.raises(NoTextError):
            sources.by_name("openalex").fetch(find(sources)[0])


def test_the_next_copy_where_one_leads_to_an_excluded_domain(tmp_path: Path) -> None:
    paper = work(
        7, "Paternal reading", landing_page="https://a.example.org/7", open_pdf="https://a.example.org/7.pdf"
    )
    pages = {"a.example.org/7.pdf": redirect("https://b.example.net/7"), "b.example.net/7": PAPER}
    pages |= {"a.example.org/7": PAPER}
    with openalex_server([paper]) as server, WebPages(pages) as web:
        sources = opened(tmp_path, server, web=web)
        (hit,) = find(sources, domains_denied=("example.net",))
        assert sources.by_name("openalex").fetch(hit).url == "https://a.example.org/7"


def test_a_long_abstract_is_whole(tmp_path: Path) -> None:
    long = " ".join(
        f"In school {n}, {n * 7} fathers read &lt; {n} hours <jats:i>a week</jats:i>." for n in range(90)
    )
    said = long.replace("&lt;", "<").replace("<jats:i>", "").replace("</jats:i>", "")
    with openalex_server([work(7, "Paternal reading", long)]) as server:
        sources = opened(tmp_path, server)
        text = sources.by_name("openalex").fetch(find(sources)[0])
    assert text.text == said
    assert len(text.passages) > 3
