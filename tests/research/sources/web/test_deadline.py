"""No server holds an exchange beyond its deadline, whatever it drips."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx
import pytest

from research.sources.base import SourceUnavailableError
from research.sources.exchange import RequestLimits, exchange
from tests.support.servers.dripping import DRIPS, TIMES, dripping
from tests.support.servers.tls import certified


@pytest.mark.parametrize("dripped", DRIPS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_answer_that_drips_is_cut_at_the_deadline(dripped: str, scheme: str, tmp_path: Path) -> None:
    server, certificate = certified("localhost", tmp_path)
    trusted = ssl.create_default_context(cadata=certificate.read_text())
    # This clock stands still: what is looked at between pieces of a body does not help.
    limits = RequestLimits(0.4, 1000, 1000, clock=lambda: 0.0)
    transport = httpx.HTTPTransport(verify=trusted, trust_env=False)
    named = {"sni_hostname": "localhost"}
    with (
        dripping(*DRIPS[dripped], server if scheme == "https" else None) as port,
        pytest.raises(SourceUnavailableError, match="timeout"),
    ):
        exchange("page", "GET", f"{scheme}://127.0.0.1:{port}/", limits, transport, extensions=named)


def test_an_answer_in_time_is_whole() -> None:
    with dripping(b"HTTP/1.1 200 OK\r\n\r\n", b".", b"ok") as port:
        limits = RequestLimits(60, 1000, 1000)
        transport = httpx.HTTPTransport(trust_env=False)
        answer = exchange("page", "GET", f"http://127.0.0.1:{port}/", limits, transport)
    assert answer.body == b"." * TIMES + b"ok"
