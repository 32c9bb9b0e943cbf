"""Researchers work in threads: the same sources answer all of them at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.confined.mupdf import pymupdf
from research.sources.base import SearchScope
from tests.support.research.sources import opened
from tests.support.servers.firecrawl_server import firecrawl_server, page
from tests.support.servers.openalex_server import openalex_server, work
from tests.support.servers.tavily_server import result, tavily_server
from tests.support.servers.web_pages import WebPages, file, html

COUNT = 24


def text(number: int) -> str:
    return f"Fathers reading at school came to {number} evenings in the district of Cedar Falls."


def pdf(number: int) -> bytes:
    with pymupdf.open() as document:
        for _ in range(3):
            document.new_page().insert_textbox((72, 72, 300, 700), text(number))
        return bytes(document.tobytes())


def test_many_at_once(tmp_path: Path) -> None:
    papers = [work(n, "Fathers reading", open_pdf=f"https://papers.example.org/{n}.pdf") for n in range(COUNT)]
    results = [result(f"https://news.example.org/{n}", "Fathers reading", "snippet") for n in range(20)]
    loaded = [page(f"https://site.example.org/{n}", "Fathers reading", text(n)) for n in range(COUNT)]
    pages = {f"papers.example.org/{n}.pdf": file(pdf(n), "application/pdf") for n in range(COUNT)}
    pages |= {f"news.example.org/{n}": html("Fathers reading", text(n)) for n in range(20)}
    with (
        openalex_server(papers) as openalex,
        tavily_server(results) as tavily,
        firecrawl_server(loaded) as firecrawl,
        WebPages(pages) as web,
        ThreadPoolExecutor(8) as threads,
    ):
        sources = opened(tmp_path, openalex, tavily, firecrawl, web=web)

        def read(job: tuple[str, int]) -> bool:
            provider, place = job
            source = sources.by_name(provider)
            scope = SearchScope("academic" if provider == "openalex" else "web")
            hit = source.search("fathers reading", 20, scope)[place]
            return text(int(hit.locator.rpartition("/")[2].removeprefix("W"))) in source.fetch(hit).text.replace(
                "\n", " "
            )

        jobs = [(provider, place) for place in range(6) for provider in ("openalex", "tavily", "firecrawl")]
        assert all(threads.map(read, jobs))
        assert openalex.refused + tavily.refused + firecrawl.refused == []
