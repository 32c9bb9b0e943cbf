"""Fetch a web page as text, through the guard and within the domain limits of its search."""

from __future__ import annotations

from dataclasses import dataclass

import httpx

from core.retry import Attempts
from research.sources.base import FetchedText, ForbiddenAddressError, Hit
from research.sources.domains import is_allowed
from research.sources.web.content import ACCEPT, check_readable, content_type_of
from research.sources.web.extraction import text_of
from research.sources.web.http_guard import Guard


@dataclass(frozen=True)
class Pages:
    """Fetches pages for providers that return only URLs."""

    guard: Guard
    attempts: Attempts

    def fetch(self, url: str, hit: Hit) -> FetchedText:
        """Return the text at `url`; it and its final redirect must be allowed. Raises SourceError."""
        check_allowed(url, hit)
        answer = self.attempts(lambda: self.guard.get(url, ACCEPT, _look))
        check_allowed(answer.url, hit)
        return text_of(answer)


def check_allowed(url: str, hit: Hit) -> None:
    """Raise ForbiddenAddressError for an address outside the domains of the search that found the hit."""
    if not is_allowed(url, hit.domains_allowed, hit.domains_denied):
        raise ForbiddenAddressError("a domain that this report does not read")


def _look(response: httpx.Response) -> None:
    check_readable(content_type_of(response.headers)[0])
