"""Whether one predicted value is the true one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

#: The fields of the table, in its order.
SCORED = (
    "student_name",
    "school_name",
    "grade",
    "father_figure_name",
    "phone",
    "email",
    "writing_about",
    "word_count",
    "teacher_name",
    "city_or_location",
)


class Verdict(StrEnum):
    """Result of comparing one value with its label."""

    RIGHT = "right"
    #: The page says it, the reading does not.
    MISSED = "missed"
    WRONG = "wrong"
    #: The page says nothing, the reading does.
    INVENTED = "invented"
    #: Neither says anything.
    EMPTY = "empty"


def verdict(name: str, truth: Mapping[str, Any], predicted: Any) -> Verdict:
    """Compare one field of a label with what was predicted."""
    true = truth.get(name)
    if name == "word_count":
        return _count_verdict(truth, predicted)
    if true is None:
        return Verdict.EMPTY if predicted in (None, "") else Verdict.INVENTED
    if predicted in (None, ""):
        return Verdict.MISSED
    good = {_KEYS.get(name, plain)(value) for value in (true, *truth.get("accepted", {}).get(name, ()))}
    return Verdict.RIGHT if _KEYS.get(name, plain)(str(predicted)) in good else Verdict.WRONG


def plain(text: str) -> str:
    """NFKC, case-folded, without punctuation, spaces collapsed. Accents count."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # An apostrophe joins (O'Brien), every other mark separates.
    joined = re.sub(r"['’`´]", "", folded)
    return " ".join(re.sub(r"[^\w]+", " ", joined).split())


def _digits(text: str) -> str:
    digits = re.sub(r"\D", "", text)
    return digits[1:] if len(digits) == 11 and digits.startswith("1") else digits


def _address(text: str) -> str:
    return "".join(text.split()).casefold()


def _exact(text: str) -> str:
    return text.strip()


def _about(text: str) -> str:
    """Which of the four radios, however it is written."""
    folded = plain(text)
    for key, words in (
        ("grandfather", ("grandfather", "abuelo")),
        ("stepdad", ("stepdad", "step dad", "padrasto", "padrastro", "stepfather")),
        ("figure", ("figure", "figura")),
        ("father", ("father", "padre")),
    ):
        if any(word in folded for word in words):
            return key
    return folded


_KEYS = {"phone": _digits, "email": _address, "grade": _exact, "writing_about": _about}


def _count_verdict(truth: Mapping[str, Any], predicted: Any) -> Verdict:
    low, high = truth["word_count_range"]
    if truth.get("word_count") is None:
        return Verdict.EMPTY if not predicted else Verdict.INVENTED
    if not predicted:
        return Verdict.MISSED
    return Verdict.RIGHT if low <= int(predicted) <= high else Verdict.WRONG
