"""Recording what a model replies, and playing it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import BaseModel

from core.errors import ModelError
from lab import record_cassettes
from lab.cassettes.works import Pass, played_model
from tests.support.cassettes import CASSETTES, Cassette, key_of
from tests.support.servers.cassette_player import CassettePlayer


class Said(BaseModel):
    word: str


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the model of a small work said: two first questions, and one that depends on them."""
    words: list[str] = []

    @contextmanager
    def work(player: CassettePlayer) -> Iterator[Pass]:
        model = played_model(player, tmp_path)

        def ask(system: str, user: str) -> str:
            try:
                return model.ask(system, user, Said, purpose="test")[0].word
            except ModelError:
                return "?"

        def once() -> None:
            player.begin()
            first = [ask("You say one word.", question) for question in ("One?", "Two?")]
            words[:] = [*first, ask("You join two words.", " ".join(first))]

        yield once

    monkeypatch.setattr(record_cassettes, "WORKS", {"small": work})
    monkeypatch.setattr(record_cassettes, "cassette", lambda name: Cassette(tmp_path / "kept" / name))
    return words


def record(tmp_path: Path) -> int:
    return record_cassettes.main(["--only", "small", "--folder", str(tmp_path / "wanted")])


def reply(tmp_path: Path, number: int, word: str) -> None:
    (tmp_path / "wanted" / "small" / f"{number:04}.reply.txt").write_text(json.dumps({"word": word}))


def waiting(tmp_path: Path) -> list[str]:
    paths = sorted((tmp_path / "wanted" / "small").glob("*.request.json"))
    return [json.loads(path.read_text())["messages"][1]["content"] for path in paths]


def test_a_work_is_recorded_stage_by_stage(tmp_path: Path, heard: list[str]) -> None:
    assert record(tmp_path) == 1
    assert waiting(tmp_path) == ["One?", "Two?"]
    reply(tmp_path, 1, "sun")
    assert record(tmp_path) == 1
    assert waiting(tmp_path) == ["One?", "Two?"]
    reply(tmp_path, 2, "day")
    assert record(tmp_path) == 1
    assert waiting(tmp_path) == ["One?", "Two?", "sun day"]
    reply(tmp_path, 3, "Sunday")
    assert record(tmp_path) == 0
    assert heard == ["sun", "day", "Sunday"]


def test_replies_that_no_request_used_are_removed(tmp_path: Path, heard: list[str]) -> None:
    kept = Cassette(tmp_path / "kept" / "small")
    kept.keep([{"role": "user", "content": "An older prompt"}], "{}")
    record(tmp_path)
    assert len(kept.keys) == 1
    for number, word in enumerate(("sun", "day"), start=1):
        reply(tmp_path, number, word)
    record(tmp_path)
    reply(tmp_path, 3, "Sunday")
    record(tmp_path)
    assert len(kept.keys) == 3


def test_a_reply_of_another_form_is_asked_for_again(tmp_path: Path, heard: list[str]) -> None:
    record(tmp_path)
    (tmp_path / "wanted" / "small" / "0001.reply.txt").write_text("Sun!")
    reply(tmp_path, 2, "day")
    assert record(tmp_path) == 1
    path = tmp_path / "wanted" / "small" / "0003.request.json"
    messages = json.loads(path.read_text())["messages"]
    assert [one["role"] for one in messages] == ["system", "user", "assistant", "user"]


def test_an_unknown_work_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        record_cassettes.main(["--only", "nothing", "--folder", str(tmp_path)])


def test_a_pair_is_found_by_its_messages_alone(tmp_path: Path) -> None:
    kept = Cassette(tmp_path)
    messages = [{"role": "user", "content": "¿Cuánto?"}]
    kept.keep(messages, "diez")
    assert kept.reply(key_of([{"content": "¿Cuánto?", "role": "user"}])) == "diez"
    assert kept.reply(key_of([{"content": "¿Cuánto", "role": "user"}])) is None
    assert kept.messages(key_of(messages)) == messages


def test_a_committed_pair_has_the_name_of_its_messages() -> None:

    for folder in CASSETTES.glob("*"):
        kept = Cassette(folder)
        assert {path.name.partition(".")[0] for path in folder.glob("*.request.json")} == kept.keys
        assert all(key_of(kept.messages(key)) == key for key in kept.keys)
