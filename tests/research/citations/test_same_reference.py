from __future__ import annotations

import pytest

from research.citations.references import canonical_url, isbns_of, normal_doi, registrable_domain, same_reference

TITLE = "Reading circles in mountain districts"


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("https://doi.org/10.5555/ABC.1", "10.5555/abc.1"),
        ("http://dx.doi.org/10.5555/abc.1?x=1", "10.5555/abc.1"),
        ("doi: 10.5555/abc.1.", "10.5555/abc.1"),
        ("10.5555%2Fabc%281%29", "10.5555/abc(1)"),
        ("(10.5555/abc(1))", "10.5555/abc(1)"),
        ("https://press.example.org/doi/full/10.5555/abc.1", "10.5555/abc.1"),
        ("https://press.example.org/articles/10.5555/abc.1/full", "10.5555/abc.1"),
        ("10.48550/arXiv.2001.00001v3", "10.48550/arxiv.2001.00001"),
        ("http://[x", None),
        ("10.5555", None),
        ("", None),
        (None, None),
    ],
)
def test_doi(written: str | None, doi: str | None) -> None:
    assert normal_doi(written) == doi


@pytest.mark.parametrize(
    ("written", "isbn"),
    [
        ("0-306-40615-2", "9780306406157"),
        ("ISBN 978-0-306-40615-7 (hbk)", "9780306406157"),
        ("080442957x", "9780804429573"),
        ("9780306406158", None),
        ("0306406151; 9780306406157", "9780306406157"),
        (None, None),
    ],
)
def test_isbn(written: str | None, isbn: str | None) -> None:
    assert isbns_of(written)[:1] == ([isbn] if isbn else [])


@pytest.mark.parametrize(
    "url",
    [
        "http://www.example.org:80/a/b/?utm_source=x#top",
        "example.org/a//b",
        "https://m.example.org/a/b/index.html?gclid=1&fbclid=2",
        "HTTPS://EXAMPLE.ORG/a/%62",
        "https://example.org/a/b/amp",
        "https://web.archive.org/web/20200101/https://example.org/a/b",
        "https://www.google.com/amp/s/example.org/a/b",
    ],
)
def test_addresses_of_one_page(url: str) -> None:
    assert canonical_url(url) == "https://example.org/a/b"


def test_what_tells_pages_apart_stays() -> None:
    assert canonical_url("https://example.org/?b=2&a=1") == "https://example.org?a=1&b=2"
    assert canonical_url("https://example.org:8080/A") == "https://example.org:8080/A"
    assert canonical_url("https://bücher.example/ñ") == "https://xn--bcher-kva.example/%C3%B1"


@pytest.mark.parametrize("url", [None, "", "mailto:ana@example.org", "no address", "word", "http://", "http://[x"])
def test_no_address(url: str | None) -> None:
    assert canonical_url(url) is None
    assert registrable_domain(url) == ""


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://www.news.example.co.uk/a", "example.co.uk"),
        ("example.org", "example.org"),
        ("https://sep.gob.mx", "sep.gob.mx"),
        ("http://localhost:5000", "localhost"),
        ("http://192.0.2.1/x", "192.0.2.1"),
    ],
)
def test_domain(url: str, domain: str) -> None:
    assert registrable_domain(url) == domain


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({"doi": "10.5555/A"}, {"doi": "https://doi.org/10.5555/a", "title": "Other"}),
        ({"doi": "10.5555/a"}, {"url": "https://doi.org/10.5555/A"}),
        ({"isbn": "0-306-40615-2"}, {"isbn": "9780306406157", "title": None}),
        ({"isbn": ["x", "0306406152"]}, {"isbn": "9780306406157"}),
        ({"url": "https://arxiv.org/abs/2001.00001v2"}, {"url": "http://arxiv.org/pdf/2001.00001.pdf"}),
        ({"url": "https://arxiv.org/abs/2001.00001"}, {"doi": "10.48550/arXiv.2001.00001"}),
        ({"title": TITLE, "url": "https://arxiv.org/abs/2001.00001"}, {"title": TITLE, "doi": "10.5555/a"}),
        ({"title": TITLE}, {"title": "“Reading Circles in Mountain Districts”: A Study"}),
        ({"title": TITLE}, {"title": "Reading cirles in mountain districts"}),
        ({"title": TITLE + ", Part II"}, {"title": TITLE + " (part 2)"}),
        ({"title": TITLE + ", volume XIV"}, {"title": TITLE + " (vol. 14)"}),
        (
            {"title": "<i>Reading</i> &amp; writing in mountain districts"},
            {"title": "Reading and writing in mountain districts"},
        ),
        (
            {"title": "Effects of circles on readers in districts"},
            {"title": "Effect of circles on readers in districts"},
        ),
        (
            {"url": "https://press.example.org/Index.php/r/article/view/12"},
            {"url": "https://press.example.org/r/article/view/12/34"},
        ),
        ({"title": "Educación y pobreza rural"}, {"title": "EDUCACION Y POBREZA RURAL"}),
        ({"title": TITLE, "isbn": "9780306406158"}, {"title": TITLE, "isbn": "9780306406157"}),
    ],
)
def test_one_work(a: dict[str, object], b: dict[str, object]) -> None:
    assert same_reference(a, b)
    assert same_reference(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ({}, {}),
        ({"title": None, "url": None}, {"title": None, "url": None}),
        ({"title": TITLE, "doi": "10.5555/a"}, {"title": TITLE, "doi": "10.5555/b"}),
        ({"title": TITLE, "isbn": "9780306406157"}, {"title": TITLE, "isbn": "9780804429573"}),
        ({"title": TITLE + " 2019"}, {"title": TITLE + " 2020"}),
        ({"title": TITLE + ", part 1"}, {"title": TITLE + ", part 2"}),
        ({"title": TITLE + ", 2nd ed."}, {"title": TITLE}),
        ({"title": TITLE}, {"title": "Writing circles in mountain districts"}),
        ({"title": TITLE + ": a trial"}, {"title": TITLE + ": a review"}),
        ({"title": "Introduction"}, {"title": "Introduction"}),
        (
            {"title": TITLE, "url": "https://example.org/2019/4"},
            {"title": TITLE, "url": "https://example.org/2020/1"},
        ),
        ({"url": "https://example.org"}, {"url": "https://example.org/"}),
        ({"title": TITLE + ", volume XI"}, {"title": TITLE + ", volume XII"}),
        ({"title": "Effects of reading circles"}, {"title": "Effect of reading circles"}),
        ({"title": "Estudio de los padres rurales"}, {"title": "Estudio de las madres rurales"}),
    ],
)
def test_two_works(a: dict[str, object], b: dict[str, object]) -> None:
    assert not same_reference(a, b)
    assert not same_reference(b, a)
