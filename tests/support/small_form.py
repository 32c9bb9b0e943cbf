"""A small form that is nothing like the contest's: two typed fields and a tick, no essay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.profiles import FormSpec, use_profiles
from pipeline.profiles.catalogue import FILES_ALONE, begin_generation

PADDLE_DAY = FormSpec.model_validate(
    {
        "key": "paddle_day",
        "label": "Paddle day",
        "kind": "form",
        "fields": {
            "paddler_name": {
                "kind": "person",
                "zone": [150, 120, 500, 140],
                "label": {"en": "Paddler", "es": "Remero"},
                "meaning": "who comes along",
                "required": True,
            },
            "locker_code": {
                "kind": "text",
                "zone": [150, 160, 500, 180],
                "label": {"en": "Locker", "es": "Casillero"},
                "pattern": "[A-Z]{2}-[0-9]{3}",
                "required": True,
            },
            "boat": {"kind": "choice", "zone": [150, 195, 500, 250], "label": {"en": "Boat"}},
        },
        "printed": [
            {"role": "title", "at": [60, 40, 330, 70], "texts": ["Riverside Paddle Day Registration"]},
            {
                "role": "label",
                "field": "paddler_name",
                "at": [50, 122, 140, 138],
                "texts": ["Paddler's full name"],
            },
            {"role": "label", "field": "locker_code", "at": [50, 162, 140, 178], "texts": ["Locker code"]},
            {"role": "label", "field": "boat", "at": [50, 196, 140, 212], "texts": ["Your boat"]},
            {
                "role": "option",
                "field": "boat",
                "value": "Canoe",
                "at": [170, 196, 230, 212],
                "mark": [150, 198, 162, 210],
                "texts": ["Canoe for two"],
            },
            {
                "role": "option",
                "field": "boat",
                "value": "Kayak",
                "at": [170, 226, 230, 242],
                "mark": [150, 228, 162, 240],
                "texts": ["Kayak for one"],
            },
            {
                "role": "note",
                "at": [50, 300, 500, 316],
                "texts": ["Bring a towel, dry clothes and something to drink. We leave at nine."],
            },
        ],
    }
)


@contextmanager
def files_alone_afterwards() -> Iterator[None]:
    """Leave the process with the profiles of the files alone."""
    try:
        yield
    finally:
        use_profiles((), FILES_ALONE)
        begin_generation(FILES_ALONE)
