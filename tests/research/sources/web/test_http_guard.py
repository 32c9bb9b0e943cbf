"""Pages are fetched from checked addresses only, after redirects too, and within bounds."""

from __future__ import annotations

import gzip
import ssl
import zlib
from collections.abc import Iterable
from pathlib import Path

import httpx
import pytest

from research.sources.base import ForbiddenAddressError, SourceError, SourceRefusedError, SourceUnavailableError
from research.sources.exchange import MOST_REDIRECTS, Guard, HttpResponse, RequestLimits
from tests.support.servers.loopback import Response
from tests.support.servers.tls import speak_tls
from tests.support.servers.web_pages import OTHER_PUBLIC, PUBLIC, WebPages, html, redirect

PAGE = html("Reading evenings", "Fathers came to 412 evenings.")
LIMIT = 100_000


def guard(site: WebPages, seconds: float = 5, **more: object) -> Guard:
    limits = RequestLimits(seconds, LIMIT, 1000, sleep=[].append)
    return Guard(limits, "second-reader", site.resolve, transport=site.transport, **more)


def get(site: WebPages, url: str, **more: object) -> HttpResponse:
    return guard(site, **more).get(url, "text/html", lambda response: None)


def failure(site: WebPages, url: str, **more: object) -> SourceError:
    with pytest.raises(SourceError) as failed:
        get(site, url, **more)
    return failed.value


def test_a_page_comes_from_the_checked_address() -> None:
    with WebPages({"news.example.org/a?b=1": PAGE}) as site:
        answer = get(site, "https://news.example.org/a?b=1#part")
    assert b"412 evenings" in answer.body
    assert answer.url == "https://news.example.org/a?b=1#part"
    assert site.connected == [(PUBLIC, "news.example.org")]
    assert site.requests[0].headers["host"] == "news.example.org"
    assert site.looked_up == ["news.example.org"]


def test_nothing_of_ours_is_sent() -> None:
    with WebPages({"news.example.org/": PAGE}) as site:
        get(site, "https://news.example.org/")
    assert set(site.requests[0].headers) == {"host", "user-agent", "accept", "accept-encoding"}


@pytest.mark.parametrize(
    "addresses", [["10.0.0.5"], ["127.0.0.1"], ["::1"], [PUBLIC, "192.168.0.9"], ["::ffff:169.254.169.254"]]
)
def test_a_name_of_a_private_address_is_not_opened(addresses: list[str]) -> None:
    with WebPages({"rebound.example.org/": PAGE}, {"rebound.example.org": addresses}) as site:
        assert isinstance(failure(site, "http://rebound.example.org/"), ForbiddenAddressError)
    assert site.connected == []


def test_a_name_that_changes_between_check_and_connection_changes_nothing() -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])
    with WebPages({"rebound.example.org/": PAGE}) as site:
        limits = RequestLimits(5, LIMIT, 1000, sleep=[].append)
        changing = Guard(limits, "second-reader", lambda host: next(answers), transport=site.transport)
        assert changing.get("http://rebound.example.org/", "*/*", lambda response: None).status == 200
        with pytest.raises(ForbiddenAddressError):
            changing.get("http://rebound.example.org/", "*/*", lambda response: None)
    assert [address for address, _ in site.connected] == [PUBLIC]


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://inside.example.org/",
        "http://localhost:5000/",
        "file:///etc/passwd",
        "//127.1/",
        "http://user:word@news.example.org/",
        "http://news.example.org:6379/",
        "http://0x7f000001/",
    ],
)
def test_a_redirect_is_checked_like_the_first_address(target: str) -> None:
    pages = {"news.example.org/": redirect(target), "inside.example.org/": PAGE}
    with WebPages(pages, {"inside.example.org": ["10.0.0.5"]}) as site:
        assert isinstance(failure(site, "http://news.example.org/"), ForbiddenAddressError)
    assert len(site.requests) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_where_they_lead_is_said(status: int) -> None:
    pages = {
        "short.example.org/x": redirect("https://www.example.org/long", status),
        "www.example.org/long": redirect("next", status),
        "www.example.org/next": PAGE,
    }
    with WebPages(pages) as site:
        assert get(site, "http://short.example.org/x").url == "https://www.example.org/next"


def test_redirects_end() -> None:
    with WebPages({"loop.example.org/": redirect("/")}) as site:
        assert isinstance(failure(site, "http://loop.example.org/"), SourceRefusedError)
    assert len(site.requests) == MOST_REDIRECTS + 1


@pytest.mark.parametrize(
    "answer", [Response(302), redirect("http://[broken"), redirect("http://ex\x80ample.org/")]
)
def test_a_redirect_to_nowhere_is_refused(answer: Response) -> None:
    with WebPages({"news.example.org/": answer}) as site:
        assert isinstance(failure(site, "http://news.example.org/"), SourceRefusedError | ForbiddenAddressError)


def test_an_unknown_name_is_unavailable() -> None:
    with WebPages({}) as site:
        assert isinstance(failure(site, "http://nowhere.example.org/"), SourceUnavailableError)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, SourceRefusedError),
        (403, SourceRefusedError),
        (404, SourceRefusedError),
        (410, SourceRefusedError),
        (429, SourceUnavailableError),
        (500, SourceUnavailableError),
        (503, SourceUnavailableError),
    ],
)
def test_an_error_page_is_an_error(status: int, kind: type[SourceError]) -> None:
    page = Response(status, PAGE.body, {"Content-Type": "text/html", "Retry-After": "9"})
    with WebPages({"news.example.org/": page}) as site:
        found = failure(site, "http://news.example.org/")
    assert type(found) is kind
    assert found.retry_after == (9 if kind is SourceUnavailableError else None)


def packed(data: bytes, encoding: str = "gzip") -> Response:
    return Response(200, data, {"Content-Type": "text/html", "Content-Encoding": encoding})


def test_a_packed_page_is_unpacked() -> None:
    with WebPages({"news.example.org/": packed(gzip.compress(b"one") + gzip.compress(b" two"))}) as site:
        assert get(site, "http://news.example.org/").body == b"one two"


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < LIMIT
    with WebPages({"news.example.org/": packed(bomb)}) as site:
        assert isinstance(failure(site, "http://news.example.org/"), SourceRefusedError)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Response(200, bytes(LIMIT + 1)), SourceRefusedError),
        (packed(zlib.compress(b"x"), "deflate"), SourceRefusedError),
        (packed(gzip.compress(b"x"), "gzip, gzip"), SourceRefusedError),
        (packed(b"no gzip"), SourceUnavailableError),
        (packed(gzip.compress(b"many words " * 50)[:-20]), SourceUnavailableError),
        (Response(200, PAGE.body, cut=True), SourceUnavailableError),
        (Response(drop=True), SourceUnavailableError),
    ],
    ids=["large", "deflate", "twice", "no gzip", "gzip cut", "cut", "dropped"],
)
def test_a_page_out_of_bounds_is_an_error(answer: Response, kind: type[SourceError]) -> None:
    with WebPages({"news.example.org/": answer}) as site:
        assert isinstance(failure(site, "http://news.example.org/"), kind)


def test_silence_is_unavailable() -> None:
    with WebPages({"news.example.org/": Response(silent=True)}) as site:
        assert isinstance(failure(site, "http://news.example.org/", seconds=0.1), SourceUnavailableError)


def test_a_page_that_drips_ends_at_the_deadline() -> None:
    class Drip(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            return httpx.Response(200, stream=Endless())

    class Endless(httpx.SyncByteStream):
        def __iter__(self) -> Iterable[bytes]:
            while True:
                yield b"."

    ticks = iter(range(1000))
    limits = RequestLimits(20, LIMIT, 1000, clock=lambda: float(next(ticks)), sleep=[].append)
    slow = Guard(limits, "x", lambda host: [PUBLIC], transport=Drip)
    with pytest.raises(SourceUnavailableError, match="timeout"):
        slow.get("http://news.example.org/", "*/*", lambda response: None)
    assert next(ticks) < 30


def test_another_address_of_the_name_is_tried() -> None:
    class Deaf(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            asked.append(request.url.host)
            if request.url.host == OTHER_PUBLIC:
                raise httpx.ConnectError("no route")
            return httpx.Response(200, stream=httpx.ByteStream(b"here"))

    asked: list[str] = []
    both = Guard(RequestLimits(5, LIMIT, 1000), "x", lambda host: [OTHER_PUBLIC, PUBLIC], transport=Deaf)
    assert both.get("http://news.example.org/", "*/*", lambda response: None).body == b"here"
    assert asked == [OTHER_PUBLIC, PUBLIC]


@pytest.mark.parametrize("name", ["news.example.org", "other.example.org"])
def test_a_certificate_must_be_the_names_own(name: str, tmp_path: Path) -> None:
    """The connection goes to an address; what the certificate is held against is still the name."""
    with WebPages({f"{name}/": PAGE}) as site:
        trusting = speak_tls(site, "news.example.org", tmp_path)
        limits = RequestLimits(5, LIMIT, 1000)
        ours = Guard(limits, "x", site.resolve, transport=lambda: ToLoopback(site.port, trusting))
        if name == "news.example.org":
            assert ours.get(f"https://{name}/", "*/*", lambda response: None).status == 200
        else:
            with pytest.raises(SourceUnavailableError):
                ours.get(f"https://{name}/", "*/*", lambda response: None)
            assert site.requests == []


class ToLoopback(httpx.HTTPTransport):
    """Connects to this machine instead of to the address; all else is the real transport's."""

    def __init__(self, port: int, trusting: ssl.SSLContext) -> None:
        super().__init__(verify=trusting, trust_env=False)
        self._port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.url = request.url.copy_with(host="127.0.0.1", port=self._port)
        return super().handle_request(request)


def test_the_real_resolver_knows_this_machine_and_the_guard_refuses_it() -> None:
    here = Guard(RequestLimits(1, LIMIT, 1000), "x")
    for url in ("http://127.0.0.1/", "http://localhost/"):
        with pytest.raises(ForbiddenAddressError):
            here.get(url, "*/*", lambda response: None)


def test_redirects_share_one_deadline() -> None:
    pages = {f"news.example.org/{n}": redirect(str(n + 1)) for n in range(5)} | {"news.example.org/5": PAGE}
    given: list[float] = []
    ticks = iter(range(0, 1000, 4))

    class Noting(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            given.append(request.extensions["timeout"]["read"])
            return site.transport().handle_request(request)

    with WebPages(pages) as site:
        limits = RequestLimits(40, LIMIT, 1000, clock=lambda: float(next(ticks)), sleep=[].append)
        slow = Guard(limits, "x", site.resolve, transport=Noting)
        with pytest.raises(SourceUnavailableError, match="timeout"):
            slow.get("http://news.example.org/0", "*/*", lambda response: None)
    assert given == sorted(given, reverse=True)
    assert given[-1] == 0.1


def test_a_host_that_asks_for_a_pause_gets_one_from_everybody() -> None:
    pause = Response(429, b"", {"Retry-After": "3"})
    with WebPages({"news.example.org/": pause, "other.example.org/": PAGE}) as site:
        waits: list[float] = []
        limits = RequestLimits(5, LIMIT, 1000, clock=lambda: 0.0, sleep=waits.append)
        asking = Guard(limits, "x", site.resolve, transport=site.transport)
        with pytest.raises(SourceUnavailableError):
            asking.get("http://news.example.org/", "*/*", lambda response: None)
        asking.get("http://other.example.org/", "*/*", lambda response: None)
        assert waits == []
        with pytest.raises(SourceUnavailableError):
            asking.get("http://news.example.org/", "*/*", lambda response: None)
    assert waits == [3]
