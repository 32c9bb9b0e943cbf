"""OpenAlex's works on this machine, strict about what it is sent (https://docs.openalex.org)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.support.servers.loopback import Request, Response, json_response
from tests.support.servers.provider_server import HTML_404, Fault, ProviderServer, matching, query_of

_PARAMS = frozenset({"search", "filter", "per-page", "per_page", "page", "select", "sort", "cursor"})
_FILTERS = re.compile(r"is_retracted:(true|false)")

Work = dict[str, Any]


def work(
    number: int,
    title: str,
    abstract: str | None = None,
    *,
    year: int | None = 2019,
    authors: Sequence[str] = ("Ana Ortiz",),
    venue: str | None = "Journal of School Programmes",
    landing_page: str | None = None,
    open_pdf: str | None = None,
    retracted: bool = False,
    language: str = "en",
) -> Work:
    """A work as OpenAlex writes it."""
    place = {"source": {"display_name": venue}, "landing_page_url": landing_page} if venue else None
    copy = {"pdf_url": open_pdf, "landing_page_url": landing_page} if open_pdf else None
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.5555/{number}",
        "title": title,
        "display_name": title,
        "relevance_score": 100.5,
        "publication_year": year,
        "language": language,
        "type": "article",
        "primary_location": place,
        "best_oa_location": copy,
        "open_access": {"is_oa": copy is not None, "oa_url": open_pdf},
        "authorships": [{"author": {"display_name": name}} for name in authors],
        "cited_by_count": 9,
        "is_retracted": retracted,
        "abstract_inverted_index": inverted(abstract) if abstract is not None else None,
    }


def inverted(text: str) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for position, word in enumerate(text.split()):
        index.setdefault(word, []).append(position)
    return index


def refusal(status: int, message: str = "", retry_after: str | None = None) -> Response:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    return json_response({"error": "Error", "message": message}, status, headers)


class OpenAlexServer(ProviderServer):
    key = "oa_loopback_key_0000"

    def __init__(self, works: Sequence[Work] = (), faults: Sequence[Fault] = ()) -> None:
        super().__init__(faults)
        self.works = {item["id"].rpartition("/")[2]: item for item in works}

    def check(self, request: Request) -> Response | None:
        path, params = query_of(request)
        if request.method != "GET" or not re.fullmatch(r"/works(/W\d+)?", path):
            return HTML_404
        if request.headers.get("authorization") != f"Bearer {self.key}" or self.key in request.path:
            return json_response({"error": "Invalid API key", "message": "API key is not valid"}, 401)
        unknown = sorted(set(params) - _PARAMS)
        if unknown or not _FILTERS.fullmatch(params.get("filter", "is_retracted:false")):
            return refusal(400, f"Invalid query parameters: {unknown}")
        if not 1 <= int(params.get("per-page", 25)) <= 200 or set(params.get("search", "")) & set("*?~"):
            return refusal(400, "Invalid query parameters")
        names = set(filter(None, params.get("select", "").split(",")))
        return refusal(400, "select is not valid") if names - set(work(1, "x")) else None

    def answer(self, request: Request) -> Response:
        path, params = query_of(request)
        wanted = path.removeprefix("/works").removeprefix("/")
        if wanted:
            return json_response(self.works[wanted]) if wanted in self.works else HTML_404
        found = matching(params["search"], list(self.works.values()), _text)
        if params.get("filter") == "is_retracted:false":
            found = [item for item in found if not item["is_retracted"]]
        size = int(params.get("per-page", 25))
        names = [name for name in params.get("select", "").split(",") if name]
        shown = [{name: item[name] for name in names} if names else item for item in found[:size]]
        return json_response({"meta": {"count": len(found), "page": 1, "per_page": size}, "results": shown})


def openalex_server(works: Sequence[Work] = (), faults: Sequence[Fault] = ()) -> OpenAlexServer:
    return OpenAlexServer(works, faults)


def _text(item: Work) -> str:
    return " ".join([str(item["title"]), *(item["abstract_inverted_index"] or {})])
