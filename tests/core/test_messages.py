from __future__ import annotations

import json
from datetime import date

import pytest

from core.errors import ConflictError, InvalidInputError, NoFileError
from core.messages import LabelledEnum, Message, MessageCode, code_of, label_of, say


class Colour(LabelledEnum, places=("test_colour", "test_colours")):
    RED = "red", "Crimson"
    DARK_RED = "dark_red", "Maroon"


class Painted(MessageCode):
    ONE = "test.one", "%(who)s painted it %(test_colour)s"
    SEVERAL = "test.several", "%(count)s of 100%% in %(test_colours)s since %(date)s"
    WHY = "test.why", "Refused: %(problems)s"
    PLAIN = "test.plain", "Dry"


def test_a_labelled_enum_is_its_key() -> None:
    assert Colour("dark_red") is Colour.DARK_RED and Colour.RED == "red" and f"{Colour.RED}" == "red"
    assert label_of(Colour, "red") == "Crimson"
    assert label_of(Colour, "light_green") == "Light green", "a key of another version is readable"


def test_a_message_goes_through_json() -> None:
    message = Message.of(Painted.SEVERAL, count=3, test_colours=(Colour.RED,), date=date(2026, 5, 1))
    stored = json.loads(json.dumps(message.to_json()))
    assert stored["params"] == {"count": 3, "test_colours": ["red"], "date": "2026-05-01"}
    assert Message.from_json(stored) == message
    assert type(message.code) is str and type(message.params["test_colours"][0]) is str, "no enum in a state"


def test_a_message_in_english() -> None:
    assert say(Message.of(Painted.ONE, who="Robin", test_colour="red")) == "Robin painted it Crimson"
    assert say(Message.of(Painted.ONE, who=None, test_colour="blue")) == "the machine painted it Blue"
    several = Message.of(Painted.SEVERAL, count=1200, test_colours=["red", "dark_red"], date=date(2026, 5, 1))
    assert say(several) == "1,200 of 100% in Crimson, Maroon since 2026-05-01"


def test_messages_within_messages() -> None:
    problems = [Message.of(Painted.PLAIN), Message.of(Painted.ONE, who="Ana", test_colour="red")]
    assert say(Message.of(Painted.WHY, problems=problems)) == "Refused: Dry Ana painted it Crimson"


@pytest.mark.parametrize("params", [{}, {"who": "Ana"}, {"who": "Ana", "test_colour": "red", "more": 1}])
def test_the_parameters_are_those_of_the_template(params: dict[str, str]) -> None:
    with pytest.raises(TypeError, match="takes"):
        Message.of(Painted.ONE, **params)


def test_a_code_of_another_version_is_readable() -> None:
    assert code_of("test.later_code") is None
    assert say(Message("test.later_code", {"count": 2})) == "Test: later code (2)"
    assert say(Message("test.one", {"who": "Ana"})) == "Ana painted it …", "a template that has changed"


def test_a_key_is_of_one_enum() -> None:
    with pytest.raises(TypeError, match=r"test\.plain"):

        class Again(MessageCode):
            PLAIN = "test.plain", "Wet"


def test_an_error_carries_its_message() -> None:
    error = InvalidInputError(Painted.PLAIN)
    assert error.told == Message("test.plain") and error.detail == str(error) == "Dry"
    assert NoFileError("upload 7").told == Message("no_file"), "what is kept of an error for engineers is its code"
    assert NoFileError().help_message == NoFileError.code.label


def test_a_conflict_names_who() -> None:
    error = ConflictError(Painted.ONE, who="Ana", test_colour="red")
    assert error.who == "Ana" and error.detail == "Ana painted it Crimson"
    assert ConflictError(Painted.PLAIN, who="Ana").who == "Ana"
