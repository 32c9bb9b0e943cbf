"""A reply builds plain data, as every version of Python pickles it, and nothing else."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from core.confined.replies import NotPlainError, Value, unpack
from core.error_codes import Cost


class Got:
    """Pickled as `getattr` of something."""

    def __init__(self, owner: object, name: str) -> None:
        self._asked = owner, name

    def __reduce__(self) -> tuple[Any, tuple[object, str]]:
        return getattr, self._asked


def test_a_member_of_an_enumeration_as_python_3_11_2_pickles_it() -> None:
    assert unpack(pickle.dumps(Value(Got(Cost, "TIME")))) == Value(Cost.TIME)


@pytest.mark.parametrize(("owner", "name"), [(Cost, "__init__"), (Cost, "mro"), ("text", "format")])
def test_nothing_else_is_got(owner: object, name: str) -> None:
    with pytest.raises(NotPlainError):
        unpack(pickle.dumps(Value(Got(owner, name))))
