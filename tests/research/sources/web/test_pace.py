"""Requests to one host are kept apart."""

from research.sources.exchange import RequestLimits


class Clock:
    """Time that passes only by waiting."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds, 6))
        self.now += seconds


def paced(per_second: float) -> tuple[RequestLimits, Clock]:
    clock = Clock()
    return RequestLimits(5, 1000, per_second, clock=lambda: clock.now, sleep=clock.sleep), clock


def test_requests_come_at_the_rate_after_the_first_three() -> None:
    pace, clock = paced(2)
    for _ in range(5):
        pace.wait("a.example.org")
    assert clock.waits == [0.5, 0.5]
    clock.now += 100
    for _ in range(4):
        pace.wait("a.example.org")
    assert clock.waits == [0.5, 0.5, 0.5]


def test_hosts_do_not_wait_for_each_other() -> None:
    pace, clock = paced(1)
    for host in ("a.example.org", "b.example.org", "c.example.org"):
        pace.wait(host)
    assert clock.waits == []


def test_a_host_that_asked_for_it_is_left_alone() -> None:
    pace, clock = paced(10)
    pace.hold("a.example.org", 9)
    pace.wait("b.example.org")
    pace.wait("a.example.org")
    pace.wait("a.example.org")
    assert clock.waits == [9, 0.1]
