"""What every provider promises, held against servers that take nothing else than the provider would."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from research.sources.base import (
    Hit,
    SearchScope,
    SourceError,
    SourceKind,
    SourceProvider,
    SourceRefusedError,
    SourceUnavailableError,
)
from research.sources.providers import REMOTE_SOURCES
from tests.support.research.sources import opened
from tests.support.servers import firecrawl_server, openalex_server, openlibrary_server, tavily_server
from tests.support.servers.loopback import DROPPED, GATEWAY_PAGE, SILENCE, Response
from tests.support.servers.provider_server import CUT, HTML_404, NOT_JSON, Fault, ProviderServer
from tests.support.servers.web_pages import WebPages

TEXTS = [
    "Fathers who read aloud at school every week came to 412 evenings in Cedar Falls.",
    "Los padres que leen en la escuela asistieron a 38 tardes en el condado de Harbor.",
    "Breakfast programmes for fathers cost the Harbor district 14 dollars a family.",
]
TITLES = ["Fathers reading at school", "Padres y lectura: fathers reading", "Breakfast with fathers reading"]
PAPERS = list(zip(TITLES, TEXTS, strict=True))


@dataclass(frozen=True)
class Case:
    """A provider, and a server with three sources that are found by "fathers reading"."""

    name: str
    kind: SourceKind
    server: Callable[[list[Fault]], ProviderServer]
    refusal: Callable[..., Response]
    unknown: str


def _openalex(faults: list[Fault]) -> ProviderServer:
    made = [openalex_server.work(n, title, text) for n, (title, text) in enumerate(PAPERS)]
    return openalex_server.openalex_server(made, faults)


def _openlibrary(faults: list[Fault]) -> ProviderServer:
    made = [openlibrary_server.book(n, title, text) for n, (title, text) in enumerate(PAPERS)]
    return openlibrary_server.openlibrary_server(made, faults)


def _tavily(faults: list[Fault]) -> ProviderServer:
    made = [
        tavily_server.result(f"https://site{n}.example.org/{n}", title, "A snippet of fathers reading.", text)
        for n, (title, text) in enumerate(PAPERS)
    ]
    return tavily_server.tavily_server(made, faults)


def _firecrawl(faults: list[Fault]) -> ProviderServer:
    made = [
        firecrawl_server.page(f"https://site{n}.example.org/{n}", title, text, "A snippet.")
        for n, (title, text) in enumerate(PAPERS)
    ]
    return firecrawl_server.firecrawl_server(made, faults)


CASES = [
    Case("openalex", "academic", _openalex, openalex_server.refusal, "W999"),
    Case("openlibrary", "book", _openlibrary, openlibrary_server.refusal, "/works/OL999W"),
    Case("tavily", "web", _tavily, tavily_server.refusal, "https://nowhere.example.org/"),
    Case("firecrawl", "web", _firecrawl, firecrawl_server.refusal, "https://nowhere.example.org/"),
]


@pytest.fixture(params=CASES, ids=lambda case: str(case.name))
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def search(source: SourceProvider, case: Case, query: str = "fathers reading", k: int = 5) -> list[Hit]:
    return list(source.search(query, k, SearchScope(kind=case.kind)))


Outcome = tuple[list[Hit] | SourceError, list[float]]


def outcome(case: Case, folder: Path, *faults: Fault, **settings: Any) -> Outcome:
    """What a search brings when the server fails in this way, and the waits on the way."""
    waits: list[float] = []
    with case.server(list(faults)) as server:
        source = opened(folder, server, waits=waits, **settings).by_name(case.name)
        try:
            return search(source, case), waits
        except SourceError as exc:
            return exc, waits


def test_the_cases_are_all_providers() -> None:
    assert [case.name for case in CASES] == [kind.name for kind in REMOTE_SOURCES]


def test_finds_and_reads(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        hits = search(source, case)
        texts = [source.fetch(hit) for hit in hits]
        assert server.refused == []
    assert {text.text for text in texts} == set(TEXTS)
    assert {hit.title for hit in hits} == set(TITLES)
    assert {(hit.provider, hit.kind) for hit in hits} == {(case.name, case.kind)}
    assert case.kind in source.kinds


def test_passages_follow_each_other(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        text = source.fetch(search(source, case)[0])
    for passage in text.passages:
        assert text.text[passage.start_char : passage.end_char] == passage.text


def test_no_more_hits_than_wanted(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        assert len(search(source, case, k=2)) == 2
        assert search(source, case, k=0) == []


def test_nothing_found_is_an_answer(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        assert search(source, case, "volcanoes") == []
        assert search(source, case, " \n ") == []
        assert server.refused == []


def test_a_long_query_is_cut_where_the_provider_ends(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        assert search(source, case, "fathers reading " * 90)
        assert server.refused == []


@pytest.mark.parametrize(
    "query", ['fathers "reading" (OR|AND)*?~!', "fathers & reading = 100% + #1; ñu", "¿Qué?", "(a: b/c)"]
)
def test_any_query_may_be_sent(case: Case, tmp_path: Path, query: str) -> None:
    with case.server([]) as server:
        search(opened(tmp_path, server).by_name(case.name), case, query)
        assert server.refused == []


def test_what_was_found_before_is_not_asked_again(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server:
        first = opened(tmp_path, server).by_name(case.name)
        hits = search(first, case)
        text = first.fetch(hits[0])
        asked = len(server.requests)
        again = opened(tmp_path, server).by_name(case.name)
        assert search(again, case) == hits
        assert again.fetch(hits[0]) == text
        assert len(server.requests) == asked


@pytest.mark.parametrize("fault", [DROPPED, CUT, NOT_JSON, GATEWAY_PAGE], ids=["dropped", "cut", "json", "page"])
def test_a_broken_answer_is_asked_for_again(case: Case, tmp_path: Path, fault: Response) -> None:
    found, waits = outcome(case, tmp_path, fault)
    assert isinstance(found, list)
    assert len(found) == 3
    assert len(waits) == 1


def test_retry_after_is_honoured(case: Case, tmp_path: Path) -> None:
    found, waits = outcome(case, tmp_path, case.refusal(429, "slow down", retry_after="7"))
    assert isinstance(found, list)
    assert max(waits) == pytest.approx(7, abs=0.5)


def test_an_unreasonable_retry_after_is_left_to_the_report(case: Case, tmp_path: Path) -> None:
    found, waits = outcome(case, tmp_path, case.refusal(429, "slow down", retry_after="86400"))
    assert isinstance(found, SourceUnavailableError)
    assert found.retry_after == 86400
    assert waits == []


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_unavailable(case: Case, tmp_path: Path, status: int) -> None:
    found, waits = outcome(case, tmp_path, *[case.refusal(status)] * 3)
    assert isinstance(found, SourceUnavailableError)
    assert len(waits) == 2


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_what_will_not_pass_is_refused_at_once(case: Case, tmp_path: Path, status: int) -> None:
    found, waits = outcome(case, tmp_path, case.refusal(status))
    assert isinstance(found, SourceRefusedError)
    assert waits == []


def test_a_404_in_html_is_refused(case: Case, tmp_path: Path) -> None:
    assert isinstance(outcome(case, tmp_path, HTML_404)[0], SourceRefusedError)


def test_a_redirect_is_not_followed(case: Case, tmp_path: Path) -> None:
    moved = Response(302, b"", {"Location": "http://127.0.0.1:9/"})
    assert isinstance(outcome(case, tmp_path, moved)[0], SourceRefusedError)


def test_silence_is_unavailable(case: Case, tmp_path: Path) -> None:
    found, _ = outcome(case, tmp_path, SILENCE, SILENCE, source_timeout_seconds=0.15, source_max_attempts=2)
    assert isinstance(found, SourceUnavailableError)


@pytest.mark.parametrize("answer", [{}, {"success": True}, {"results": 7, "docs": 7, "data": 7, "success": True}])
def test_an_answer_of_another_shape_is_no_answer(case: Case, tmp_path: Path, answer: object) -> None:
    fault = Response(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})
    found, _ = outcome(case, tmp_path, fault, fault, fault)
    assert found == [] or isinstance(found, SourceUnavailableError | SourceRefusedError)
    assert not isinstance(found, list) or case.name in ("tavily", "firecrawl")


def test_an_answer_too_large_is_not_read(case: Case, tmp_path: Path) -> None:
    assert isinstance(outcome(case, tmp_path, source_max_bytes=40)[0], SourceRefusedError)


def test_what_is_not_there_is_an_error(case: Case, tmp_path: Path) -> None:
    with case.server([]) as server, WebPages({}) as web:
        source = opened(tmp_path, server, web=web).by_name(case.name)
        with pytest.raises(SourceError):
            source.fetch(Hit(case.name, case.kind, "Nowhere", case.unknown))


def test_no_key_stands_in_an_address_an_error_or_a_file(
    case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with case.server([None, None, case.refusal(500), case.refusal(403, "key ...0000")]) as server:
        source = opened(tmp_path, server).by_name(case.name)
        source.fetch(search(source, case)[0])
        with pytest.raises(SourceError) as failed:
            search(source, case, "fathers and other things")
            search(source, case, "fathers and more")
        secret = getattr(server, "key", "loopback_key")
        assert not [request.path for request in server.requests if secret in request.path]
    chain = [failed.value, failed.value.__cause__, failed.value.__context__]
    assert not [error for error in chain if secret in repr(error) or "0000" in str(error)]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert secret not in repr(source) + "".join(capfd.readouterr())
