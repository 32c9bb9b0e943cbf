"""How a played vision model replies: honestly, in the styles of several models, or as a liar."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.servers.groq_server import Behaviour, answer, too_many
from tests.support.servers.loopback import SILENCE


@dataclass(frozen=True)
class Asked:
    """A question about a header, and what a player knows about it."""

    #: Of the picture among those of the transcription.
    number: int
    file: str
    #: The fields of the question, as it describes them.
    fields: Mapping[str, Mapping[str, Any]]
    #: What somebody read on this picture, and on the next one.
    said: Mapping[str, str]
    neighbour: Mapping[str, str]
    #: What the recogniser read.
    first: Mapping[str, str]
    #: Whether a first reply did not fit the schema.
    is_repair: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """What is written for each field."""
        return {name: self.said.get(name, "") for name in self.fields}


# Styles: the same reply as other models write it. Each returns the raw text.


def _plain(asked: Asked) -> str:
    return _json(asked.texts)


def _fenced(asked: Asked) -> str:
    return f"```json\n{_json(asked.texts)}\n```"


def _introduced(asked: Asked) -> str:
    return f"Here is what I can read in the header:\n\n{_json(asked.texts)}\n\nLet me know if you need more!"


def _labelled(asked: Asked) -> str:
    labels = {name: str(spec.get("label", name.replace("_", " "))) for name, spec in asked.fields.items()}
    return _json({name: f"{labels[name]}: {text}" if text else text for name, text in asked.texts.items()})


def _capitals(asked: Asked) -> str:
    return _json({name: text.upper() for name, text in asked.texts.items()})


def _in_spanish(asked: Asked) -> str:
    words = {"": "vacío", "?": "ilegible"}
    return f"Claro, aquí está:\n{_json({name: words.get(text, text) for name, text in asked.texts.items()})}"


def _objects(asked: Asked) -> str:
    return _json({name: {"text": text, "confidence": 0.97} for name, text in asked.texts.items()})


def _lists(asked: Asked) -> str:
    return _json({name: text.split() for name, text in asked.texts.items()})


def _nulls(asked: Asked) -> str:
    """Numbers as numbers, nothing as null."""
    values = {
        name: int(text) if text.isdigit() and len(text) < 3 else text or None for name, text in asked.texts.items()
    }
    return _json(values)


STYLES: tuple[Callable[[Asked], str], ...] = (
    _fenced,
    _introduced,
    _labelled,
    _capitals,
    _in_spanish,
    _objects,
    _lists,
    _nulls,
)
#: Every third picture is answered in one of the styles.
_STYLED = 3


def honest_text(asked: Asked) -> str:
    """Return the reply of an honest model: what is written, every third time in another style."""
    number, rest = divmod(asked.number, _STYLED)
    return _plain(asked) if rest or asked.is_repair else STYLES[number % len(STYLES)](asked)


# Liars.


_GIVEN = ("Emily", "Jacob", "Sofía", "Daniel", "Olivia", "Mateo", "Hannah", "Samuel")
_FAMILY = ("Rodriguez", "Johnson", "Martinez", "Nguyen", "Williams", "Garcia", "Brown", "Hernandez")
_SCHOOLS = ("Lincoln Elementary School", "Washington Middle School", "Roosevelt Elementary", "Jefferson Academy")


def _invented(asked: Asked) -> Behaviour:
    """What is plausible, as a model writes that cannot see the picture."""
    number = asked.number
    family, given = _FAMILY[number * 5 % 8], _GIVEN[number * 3 % 8]

    def value(name: str) -> str:
        if options := asked.fields[name].get("options"):
            return str(options[number % len(options)])
        if name.endswith("phone"):
            return f"(402) 555-01{number:02d}"
        if name.endswith("_name") and name != "school_name":
            return f"{given if name == 'student_name' else _GIVEN[(number * 3 + 1) % 8]} {family}"
        plausible = {
            "school_name": _SCHOOLS[number % 4],
            "grade": str(number % 8 + 1),
            "email": f"{given.lower()}.{family.lower()}@example.com",
        }
        return plausible.get(name, "Springfield")

    return answer({name: value(name) for name in asked.fields})


def _swapped(asked: Asked) -> Behaviour:
    """The values of persons and schools, each in the place of the next."""
    names = [name for name in asked.fields if name.endswith("_name")]
    texts = asked.texts
    moved = {name: texts[names[(at + 1) % len(names)]] for at, name in enumerate(names)}
    return answer({**texts, **moved})


def _neighbours(asked: Asked) -> Behaviour:
    return answer({name: asked.neighbour.get(name, "") for name in asked.fields})


def _echo(asked: Asked) -> Behaviour:
    """Labels, options and the example of the prompt as if they were written there."""
    labels = {name: str(spec.get("label", spec.get("is", ""))) for name, spec in asked.fields.items()}
    example = {"student_name": "Odalys Zumwalt"} if asked.number % 2 else {}
    return answer({**labels, **example})


def _obeys(asked: Asked) -> Behaviour:
    """What an instruction in the picture asks for."""
    return answer({**dict.fromkeys(asked.fields, "APPROVED"), "status": "approved", "needs_review": False})


def _unreadable(asked: Asked) -> Behaviour:
    return answer(dict.fromkeys(asked.fields, "?" if asked.number % 2 else "illegible"))


def _half(asked: Asked) -> Behaviour:
    whole = _plain(asked)
    return answer(whole[: len(whole) // 2])


def _endless(asked: Asked) -> Behaviour:
    """Ten thousand tokens and more in one value."""
    return answer(dict.fromkeys(asked.fields, "very long " * 4000), tokens=(900, 10_000))


def _storm(asked: Asked) -> Behaviour:
    return too_many("0")


def _slow(asked: Asked) -> Behaviour:
    return SILENCE


def _same_mistakes(asked: Asked) -> Behaviour:
    """The recogniser's values, its mistakes among them: no code can tell."""
    return answer({name: asked.first.get(name, "") for name in asked.fields})


HONEST = "honest"
#: Those that must never make an entry pass with something wrong in it.
LIARS: dict[str, Callable[[Asked], Behaviour]] = {
    "invented": _invented,
    "swapped": _swapped,
    "neighbour": _neighbours,
    "echo": _echo,
    "obeys": _obeys,
    "unreadable": _unreadable,
    "half": _half,
    "endless": _endless,
    "storm": _storm,
    "slow": _slow,
}
#: The one that is measured only.
SAME_MISTAKES = "same_mistakes"
BEHAVIOURS: dict[str, Callable[[Asked], Behaviour]] = {
    HONEST: lambda asked: answer(honest_text(asked)),
    **LIARS,
    SAME_MISTAKES: _same_mistakes,
}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
