"""Lists of domains that a report reads or does not read."""

import pytest

from research.sources.base import SearchScope, domains_of


@pytest.mark.parametrize(
    ("url", "allowed", "denied", "expected"),
    [
        ("https://example.org/a", (), (), True),
        ("https://example.org/a", ("example.org",), (), True),
        ("https://www.example.org/a", ("example.org",), (), True),
        ("https://news.example.org/a", ("example.org",), (), True),
        ("https://example.org/a", ("www.example.org",), (), True),
        ("https://notexample.org/a", ("example.org",), (), False),
        ("https://example.org.evil.net/a", ("example.org",), (), False),
        ("https://evil.net/example.org", ("example.org",), (), False),
        ("https://example.org/a", ("news.example.org",), (), False),
        ("https://EXAMPLE.org./a", ("Example.ORG",), (), True),
        ("https://example.org/a", (), ("example.org",), False),
        ("https://news.example.org/a", (), ("example.org",), False),
        ("https://example.org/a", (), ("news.example.org",), True),
        ("https://news.example.org/a", ("example.org",), ("news.example.org",), False),
        ("https://a.edu.mx/b", ("edu.mx",), (), True),
        ("https://example.org/a", ("", " "), ("",), True),
        ("https://peñón.example/a", ("peñón.example",), (), True),
        ("not an address", ("example.org",), (), False),
        ("http://[broken/", ("example.org",), (), False),
    ],
)
def test_is_allowed(url: str, allowed: tuple[str, ...], denied: tuple[str, ...], expected: bool) -> None:
    assert SearchScope("web", "en", allowed, denied).allows(url) is expected


@pytest.mark.parametrize(
    "entry",
    ["example.org", "https://www.Example.org/page", "*.example.org", ".example.org", " www.example.org:443 "],
)
def test_what_a_person_meant(entry: str) -> None:
    assert domains_of([entry]) == ["example.org"]
