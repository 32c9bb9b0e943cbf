"""Which addresses may be opened."""

import pytest

from research.sources.base import ForbiddenAddressError
from research.sources.exchange import checked_url, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.251",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.0.8",
        "198.18.0.1",
        "203.0.113.9",
        "168.63.129.16",
        "::ffff:168.63.129.16",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:a00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::808:808",
        "2002:7f00:1::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:db8::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "no address",
    ],
)
def test_private(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:8.8.8.8", "64:ff9b::808:808"],
)
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/file",
        "file:///etc/passwd",
        "gopher://example.org/",
        "javascript:alert(1)",
        "data:text/html,hello",
        "//example.org/",
        "example.org/page",
        "http://",
        "http:///path",
        "",
        "http://user@example.org/",
        "http://user:word@example.org/",
        "http://example.org:22/",
        "http://example.org:8080/",
        "https://example.org:6379/",
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://127.0.0.0x1/",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://db.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://intranet/",
        "http://1.0.0.10.in-addr.arpa/",
        "http://exa mple.org/",
        "http://example.org\r\nHost: other/",
        "http://[fe80::1%25eth0]/",
        "http://example.org:99999/",
    ],
)
def test_never_opened(url: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        checked_url(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://example.org", "example.org"),
        ("https://example.org:443/a?b=c#d", "example.org"),
        ("https://escuela-peñón.example.org/programa", "xn--escuela-pen-beb0a.example.org"),
        ("http://8.8.8.8/", "8.8.8.8"),
        ("http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"),
        ("HTTPS://WWW.Example.ORG/A", "www.example.org"),
        ("  https://example.org/ ", "example.org"),
    ],
)
def test_may_be_opened(url: str, host: str) -> None:
    assert checked_url(url).raw_host.decode() == host
