"""One server for all owners, from the first to the last."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.embedded import Kind, Owner, processes_of, wait_until
from tests.support.long import some


@pytest.mark.usefixtures("from_nothing")
def test_it_answers_and_keeps_its_data(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "first")
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "second")
        assert kind.read(kind.url(handle)) == ["first", "second"]


@pytest.mark.long
def test_it_stops_with_the_last_owner(kind: Kind, var_dir: Path) -> None:
    first, second = kind.start(var_dir), kind.start(var_dir)
    kind.write(kind.url(first), "kept")
    first.release()
    assert kind.read(kind.url(second)) == ["kept"]
    second.release()
    assert processes_of(var_dir) == []


@pytest.mark.long
def test_releasing_twice_takes_no_other_owner_away(kind: Kind, var_dir: Path) -> None:
    first, second = kind.start(var_dir), kind.start(var_dir)
    first.release()
    first.release()
    kind.write(kind.url(second), "kept")
    second.release()


@pytest.mark.long
@pytest.mark.parametrize("count", some([6, 2], 2))
@pytest.mark.usefixtures("from_nothing")
def test_processes_that_race_get_one_server(
    kind: Kind, var_dir: Path, own: Callable[..., Owner], count: int
) -> None:
    owners = [own(kind) for _ in range(count)]
    answers = {owner.started() for owner in owners}
    assert len(answers) == 1
    url, _ = answers.pop()
    kind.write(url, "kept")
    for owner in owners[1:]:
        owner.let_go()
    assert kind.read(url) == ["kept"]
    owners[0].let_go()
    assert processes_of(var_dir) == []


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_releases_nothing(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir) as handle:
        child = os.fork()
        if child == 0:
            handle.release()
            os._exit(0)
        os.waitpid(child, 0)
        kind.write(kind.url(handle), "kept")
        assert kind.read(kind.url(handle)) == ["kept"]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_that_works_on_keeps_the_server(kind: Kind, var_dir: Path) -> None:
    reading, writing = os.pipe()
    handle = kind.start(var_dir)
    child = os.fork()
    if child == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    os.close(reading)
    handle.release()
    kind.write(kind.url(handle), "kept")
    os.close(writing)
    os.waitpid(child, 0)
    wait_until(lambda: processes_of(var_dir) == [])
