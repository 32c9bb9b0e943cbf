from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from lab.bench.research.keyed.domains import effective_domains, top_domain_share
from research.citations.references import identity_of
from research.researchers import choose_diverse, merged
from research.sources.base import Hit


@pytest.mark.parametrize(
    ("domains", "effective", "top"), [("", 0, 0), ("aaaa", 1, 1), ("abcd", 4, 0.25), ("aabc", 16 / 6, 0.5)]
)
def test_how_many_domains_there_really_are(domains: str, effective: float, top: float) -> None:
    assert effective_domains(domains) == pytest.approx(effective)
    assert top_domain_share(domains) == top


def chosen(items: str, k: int) -> str:
    return "".join(choose_diverse(items, lambda item: item, k, 0.25))


def test_no_domain_has_more_than_its_share() -> None:
    assert chosen("aaaaaaaabbcdefgh", 8) == "abcdefgh"
    assert chosen("aaaabbbbccccdddd", 8) == "aabbccdd"
    assert chosen("aaaaabcd", 8) == "abcd"


def test_with_too_few_domains_they_share_evenly() -> None:
    assert chosen("aaaaaaaabbbb", 6) == "aaabbb"
    assert chosen("aaaa", 2) == "aa"


@pytest.mark.parametrize(("items", "k"), [("", 5), ("abc", 0)])
def test_nothing(items: str, k: int) -> None:
    assert chosen(items, k) == ""


def test_a_page_that_a_provider_names_twice_is_not_ranked_higher() -> None:
    first, second = (
        Hit("tavily", "web", f"Reading circles of county {name}", url, url)
        for name, url in (("A", "https://a.example.org/x"), ("B", "https://b.example.net/x"))
    )
    assert merged([[first, second, second]]) == [first, second]


def test_the_identifiers_of_each_hit_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Mapping[str, Any]] = []
    monkeypatch.setattr("research.researchers.identity_of", lambda work: read.append(work) or identity_of(work))
    urls = [f"https://s{number}.example.org/x" for number in range(20)]
    found = [Hit("tavily", "web", f"Reading circles number {number}", url, url) for number, url in enumerate(urls)]
    assert merged([found, found[::-1]]) != []
    assert len(read) == 40
