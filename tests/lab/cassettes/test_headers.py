"""A played vision model: how its replies are read, and what of a liar's is used."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PIL import Image

from core.errors import ModelError, ModelReplyError, ModelUnavailableError
from core.file_store import LocalFileStore
from core.llm.providers import open_vision_model
from lab.cassettes.header_replies import HONEST, LIARS, STYLES
from lab.cassettes.headers import HeaderPlayer, picture_tokens, player_settings
from lab.record_headers import taken_in
from pipeline.profiles import all_profiles
from pipeline.second_reader.header_picture import HeaderPicture
from pipeline.second_reader.question import Answers, ask
from scripts.regression.vision import key_of

FORM = all_profiles()["ifi_2025"]
FIELDS = ("student_name", "father_figure_name", "school_name", "grade", "phone", "writing_about")
SAID = {
    "student_name": "Ana Ruiz",
    "father_figure_name": "",
    "school_name": "Harbor View",
    "grade": "4th",
    "phone": "?",
    "writing_about": "Father",
}
VALUES = {"student_name": "ana ruiz", "school_name": "harbor view", "grade": "4", "writing_about": "father"}


def jpeg(number: int) -> bytes:
    made = io.BytesIO()
    Image.new("L", (120, 40), 200 - number).save(made, "JPEG")
    return made.getvalue()


#: One picture for each style, with two others between.
PICTURES = [jpeg(number) for number in range(3 * len(STYLES))]


@pytest.fixture(scope="module")
def player() -> Iterator[HeaderPlayer]:
    said = {key_of(picture, FIELDS): {"file": f"{n}.pdf", "said": SAID} for n, picture in enumerate(PICTURES)}
    with HeaderPlayer(said, first={"0.pdf": {"student_name": "Ana Ruis"}}) as player:
        yield player


def answers(player: HeaderPlayer, tmp_path: Path, number: int, behaviour: str = HONEST) -> Answers:
    more = {"llm_max_attempts": 2, "vision_timeout_seconds": 0.4 if behaviour == "slow" else 20.0}
    settings = player_settings(player.openai_url, behaviour, f"{number}.pdf", **more)
    model = open_vision_model(settings)
    assert model is not None
    picture = HeaderPicture(1, FORM, FIELDS, PICTURES[number], {})
    return ask(picture, model=model, settings=settings, store=LocalFileStore(tmp_path))


@pytest.mark.parametrize("number", range(len(STYLES)), ids=[style.__name__ for style in STYLES])
def test_every_style_says_the_same_in_one_call(player: HeaderPlayer, tmp_path: Path, number: int) -> None:
    before = len(player.sent[HONEST])
    found = answers(player, tmp_path, 3 * number)
    assert {name: value.casefold() for name, value in found.values.items()} == VALUES
    assert found.unreadable == {"phone"} and not found.dropped
    assert len(player.sent[HONEST]) == before + 1 and not player.faults


def test_an_equal_question_is_not_asked_again(player: HeaderPlayer, tmp_path: Path) -> None:
    before = len(player.sent[HONEST])
    assert answers(player, tmp_path, 1) == answers(player, tmp_path, 1)
    assert len(player.sent[HONEST]) == before + 1
    assert player.sent[HONEST][-1].picture == PICTURES[1]


def test_a_picture_that_nobody_has_written_down_is_a_miss(tmp_path: Path) -> None:
    with HeaderPlayer({}, wanted=tmp_path / "wanted") as player, pytest.raises(ModelError):
        answers(player, tmp_path, 0)
    assert player.missed == {"0.pdf"}
    assert (tmp_path / "wanted" / "0.jpg").read_bytes() == PICTURES[0]


@pytest.mark.parametrize(
    ("liar", "error"),
    [("half", ModelReplyError), ("storm", ModelUnavailableError), ("slow", ModelUnavailableError)],
)
def test_some_liars_say_nothing(player: HeaderPlayer, tmp_path: Path, liar: str, error: type[ModelError]) -> None:
    with pytest.raises(error):
        answers(player, tmp_path, 0, liar)


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("liar", ["echo", "obeys", "unreadable", "endless"])
def test_what_some_liars_say_names_nobody(player: HeaderPlayer, tmp_path: Path, liar: str, number: int) -> None:
    found = answers(player, tmp_path, number, liar)
    assert not {"grade", "phone", "writing_about"} & set(found.values)
    if liar != "obeys":
        assert not found.values


def test_every_liar_is_known() -> None:
    assert len(LIARS) == 10


def test_tiles_of_a_picture_are_counted() -> None:
    assert [picture_tokens(size) for size in ((1300, 350), (512, 512), (1300, 640))] == [595, 255, 1105]


def _waits(folder: Path, file: str, key: str, fields: Mapping[str, object]) -> None:
    folder.mkdir(exist_ok=True)
    told = {"key": key, "file": file, "fields": fields}
    (folder / file).with_suffix(".json").write_text(json.dumps(told))


def test_replies_are_taken_in_and_changed_pictures_keep_them_only_when_told(tmp_path: Path) -> None:
    _waits(tmp_path, "header-001.pdf", "new", {"grade": {}, "phone": {}})
    before = {"old": {"file": "header-001.pdf", "said": {"grade": "4", "phone": ""}}}
    assert taken_in(tmp_path, before) == before
    assert taken_in(tmp_path, before, same=True) == {"new": before["old"]}
    (tmp_path / "replies.json").write_text('{"header-001": {"grade": "5"}}')
    assert taken_in(tmp_path, before) == {"new": {"file": "header-001.pdf", "said": {"grade": "5", "phone": ""}}}
    (tmp_path / "replies.json").write_text('{"header-001": {"name": "5"}}')
    with pytest.raises(ValueError, match="not asked for name"):
        taken_in(tmp_path, before)
