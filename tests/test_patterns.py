"""Every regular expression of the product takes time in proportion to its text, whatever the text is."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import NoReturn

import pytest

from tests.support.long import LONG as ALL_OF_IT
from tests.support.patterns import Found, Worst, all_patterns, repeats_groups_possessively, worst_texts

#: Characters of the texts of a look at every pattern: what takes more than its share is tried with longer texts.
BRIEF, FOURFOLD = 1_000, 4_000
#: With the square of the length the second text takes sixteen times as long as the first, in proportion four.
MOST_FOR_FOURFOLD = 6
#: Processor time for each character of a brief text below which growth is not looked at, in seconds: the square of
#: BRIEF has so many steps that it takes far longer.
QUICK = 0.01e-6
#: Characters of a text by which the full try finds those worth a longer one, and of the longer tries.
FIRST, SHORT, LONG = 3_000, 25_000, 100_000
#: Processor time for each character of a first try that leads to a longer one, in seconds.
SUSPECT = 0.5e-6
#: In proportion, four times the text takes four times as long; with the square, sixteen times.
MOST_GROWTH = 8
#: In proportion, SHORT takes 8.3 times as long as FIRST. Where the square comes to MOST_GROWTH only with LONG, it
#: takes at least 11.8 times as long already; what takes less than this is not tried with LONG.
LINEAR_SO_FAR = 10
#: Seconds of processor time below which growth is not measured, and after which a search is ended.
MEASURABLE, HANGS = 0.5, 30
#: The same for a first try.
SUSPICIOUS = 5


class HangsError(Exception):
    """A search took all of its time."""


@cache
def patterns() -> list[Found]:
    return all_patterns()


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Raise HangsError after so much processor time."""

    def end(_signal: int, _frame: FrameType | None) -> NoReturn:
        raise HangsError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def time_of(found: Found, text: str) -> float:
    """Return the processor time that a pattern takes for a text."""
    searched = text if isinstance(found.pattern.pattern, str) else text.encode("latin-1", "replace")
    # The thread's: the clock of the process goes on by ticks of milliseconds while its timer runs.
    begun = time.thread_time()
    if found.everywhere:
        for _ in found.pattern.finditer(searched):
            pass
    else:
        found.pattern.match(searched)
        found.pattern.fullmatch(searched)
    return time.thread_time() - begun


def grows_too_much(found: Found, worst: Worst) -> bool:
    """Whether a pattern takes more than its share for a longer text of the same kind."""
    try:
        with ended_after(HANGS):
            # The shorter of two tries: what disturbs the first may not make the second look short.
            first = min(time_of(found, worst.of(FIRST)) for _ in range(2))
            short = time_of(found, worst.of(SHORT))
            if short < LINEAR_SO_FAR * first:
                return False
            took = time_of(found, worst.of(LONG))
            return took > MEASURABLE and took > MOST_GROWTH * short
    except HangsError:
        return True


def looks_square(found: Found, worst: Worst) -> bool:
    """Whether a pattern takes more than its share for a text of four times the length, each time it is tried."""
    try:
        with ended_after(SUSPICIOUS):
            return time_of(found, worst.of(BRIEF)) > QUICK * BRIEF and all(
                time_of(found, worst.of(FOURFOLD)) > MOST_FOR_FOURFOLD * time_of(found, worst.of(BRIEF))
                for _ in range(3)
            )
    except HangsError:
        return True


def is_suspect(found: Found, worst: Worst) -> bool:
    """Whether a pattern takes long enough for a short text that a longer one is worth a try."""
    try:
        with ended_after(SUSPICIOUS):
            return time_of(found, worst.of(FIRST)) > SUSPECT * FIRST
    except HangsError:
        return True


def slow_texts(found: Found, suspected: Callable[[Found, Worst], bool]) -> Iterator[Worst]:
    """Yield the kinds of texts for which a pattern takes too long."""
    for worst in worst_texts(found.pattern):
        if suspected(found, worst) and grows_too_much(found, worst):
            yield worst


@pytest.mark.long
def test_every_pattern_is_linear() -> None:
    """`make test` looks at each with every kind of text, `make test-long` tries each as well as it can."""
    suspected = is_suspect if ALL_OF_IT else looks_square
    slow = {
        f"{found.where} {found.pattern.pattern!r}": [*slow_texts(found, suspected)][:3] for found in patterns()
    }
    assert {where: texts for where, texts in slow.items() if texts} == {}


@pytest.mark.parametrize("suspected", [looks_square, is_suspect])
@pytest.mark.parametrize(
    "pattern", [r"\s+x", r"[\w.+-]+\s?@", r"<a\b[^>]*>(.*?)</a>", r"(?:a+)+$", r"[ \t]*\[@x\]", r"\s*[,;]?\s*\d"]
)
def test_slow_patterns_are_found(
    pattern: str, suspected: Callable[[Found, Worst], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Half the lengths: a quarter of the time for these, which take the square.
    for name, length in (("FIRST", FIRST // 2), ("SHORT", SHORT // 2), ("LONG", LONG // 2)):
        monkeypatch.setattr(f"{__name__}.{name}", length)
    monkeypatch.setattr(f"{__name__}.HANGS", 0.6)
    monkeypatch.setattr(f"{__name__}.SUSPICIOUS", 0.4)
    assert next(slow_texts(Found("here", re.compile(pattern, re.DOTALL), True), suspected), None)


def test_no_pattern_is_one_that_some_releases_of_python_match_wrongly() -> None:
    assert [found.where for found in patterns() if repeats_groups_possessively(found.pattern)] == []
    for pattern in (r"n(?:'\w++)*+", r"(?:ab|b)++c", r"x(?:(?<!\s)\s++)?+y", r"((?:ab)*+)"):
        assert repeats_groups_possessively(re.compile(pattern))
    for pattern in (r"n(?>(?:'\w++)*)", r"[^<]*+<", r"a++\d?+", r"(?:ab)*"):
        assert not repeats_groups_possessively(re.compile(pattern))


def test_patterns_of_all_layers_are_looked_at() -> None:
    layers = {found.where.partition("/")[0] for found in patterns()}
    assert layers >= {"core", "pipeline", "services", "research", "web"} and len(patterns()) > 350
