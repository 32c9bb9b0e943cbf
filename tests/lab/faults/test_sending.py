"""What a sender takes an answer for."""

from __future__ import annotations

import pytest

from lab.faults.material import Drawn
from lab.faults.sending import ACKNOWLEDGED, REFUSED, UNKNOWN, Sender
from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response


class Site(LoopbackServer):
    """Answers once as it was told, then takes everything."""

    def __init__(self, first: Response) -> None:
        super().__init__()
        self.answers = [first]

    def respond(self, request: Request) -> Response:
        return self.answers.pop() if self.answers else json_response({}, 201)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (json_response({"code": "queue_full"}, 503), REFUSED),
        (json_response({"code": "upload_unconfirmed"}, 503), UNKNOWN),
        (Response(502, b"<html>Bad gateway</html>"), UNKNOWN),
        (Response(504, b"<html>Gateway timeout</html>"), UNKNOWN),
    ],
)
def test_a_proxy_that_lost_the_server_says_nothing_of_the_file(first: Response, told: str) -> None:
    with Site(first) as site:
        sender = Sender("token", 1)
        sender.start(site.url)
        sender.put([Drawn("typed", ".pdf", b"%PDF", 1, 1)])
        assert sender.wait(20)
        sender.stop()
    assert [attempt.told for attempt in sender.attempts] == [told, ACKNOWLEDGED]
