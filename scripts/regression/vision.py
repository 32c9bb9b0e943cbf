"""The second reader of a run of the check: replies that were recorded for its pictures, in place of a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from core.errors import ModelError
from core.llm.ledger import Picture, Usage

T = TypeVar("T", bound=BaseModel)

#: A recording: by the key of the picture, what is `said` by field.
Recording = dict[str, dict[str, Any]]


def key_of(picture: bytes, fields: Sequence[str]) -> str:
    """Return the key of a picture for these fields; a changed picture has another."""
    return hashlib.sha256(json.dumps(sorted(fields)).encode() + picture).hexdigest()[:20]


@lru_cache(maxsize=2)
def recording(path: Path) -> Recording:
    """Read a recording. Raises OSError and ValueError."""
    found: Recording = json.loads(path.read_text(encoding="utf-8"))
    return found


@dataclass(frozen=True)
class RecordedVision:
    """A `Model` that answers from a recording."""

    path: Path

    def ask(
        self, system: str, user: str, schema: type[T], *, purpose: str, picture: Picture, **options: object
    ) -> tuple[T, Usage]:
        """Return what was recorded. Raises ModelError for a picture without a reply."""
        reply = recording(self.path).get(key_of(picture.data, list(json.loads(user)["fields"])))
        if reply is None:
            raise ModelError(f"{self.path.name}: no reply was recorded for this picture")
        return schema.model_validate(reply["said"]), Usage("recorded", self.path.stem, calls=1)
