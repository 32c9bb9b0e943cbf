"""The files of the camp: blank forms, and two halves of filled ones with the truth beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image

from core.confined.mupdf import pymupdf
from lab.samples.camp import filled, form, people
from lab.samples.camp.damage import KINDS, damaged
from lab.samples.hand.handwriting import draw_hand
from lab.samples.part import DEVELOPMENT, HELD_OUT, Part
from lab.samples.sample import to_bytes

#: Of each half: forms filled on the screen, printed ones, and so many of each damage typed and by hand.
LIVE, PRINTED, OF_EACH = 4, 4, 4
BANKS = {"development": people.DEVELOPMENT, "held_out": people.HELD_OUT}
HALVES = {"development": DEVELOPMENT, "held_out": HELD_OUT}


@dataclass(frozen=True)
class Filled:
    """One filled form: its file, how it was filled and damaged, and what it truly says."""

    name: str
    data: bytes
    typed: bool
    damage: str
    hand: str | None
    values: dict[str, str | None]

    def label(self) -> dict[str, Any]:
        """The truth as it is written beside the files."""
        return {"typed": self.typed, "damage": self.damage, "handwriting_font": self.hand, "values": self.values}


def blank_forms() -> dict[str, bytes]:
    """The empty form: live, flat, and as a picture."""
    flat = form.blank(live=False)
    pixels = flat[0].get_pixmap(dpi=150, alpha=False)
    png = BytesIO()
    Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples).save(png, "PNG")
    return {
        "camp-blank-live.pdf": to_bytes(form.blank(live=True), Random("live")),
        "camp-blank-flat.pdf": to_bytes(flat, Random("flat")),
        "camp-blank.png": png.getvalue(),
    }


def draw_half(name: str, seed: int = 1, of_each: int = OF_EACH) -> Iterator[Filled]:
    """Yield the filled forms of one half; the same for the same seed."""
    part, bank = HALVES[name], BANKS[name]
    for number in range(LIVE + PRINTED):
        rng = Random(f"camp:{name}:{seed}:clean:{number}")
        camper = people.draw_camper(rng, bank)
        live = number < LIVE
        document = filled.live(camper) if live else filled.typed(rng, camper)
        kind = "live" if live else "printed"
        yield Filled(f"{kind}-{number}.pdf", to_bytes(document, rng), True, kind, None, camper.answers)
    for kind in KINDS:
        for typed in (True, False):
            for number in range(of_each):
                yield _damaged(
                    Random(f"camp:{name}:{seed}:{kind}:{typed}:{number}"), part, bank, kind, typed, number
                )


def _damaged(rng: Random, part: Part, bank: people.Bank, kind: str, typed: bool, number: int) -> Filled:
    camper = people.draw_camper(rng, bank)
    hand = None if typed else draw_hand(rng, part, (12, 16))
    document = filled.typed(rng, camper) if hand is None else filled.by_hand(rng, camper, hand)
    way = "typed" if typed else "hand"
    return Filled(
        f"{kind}-{way}-{number}.pdf",
        _picture(rng, part, kind, document),
        typed,
        kind,
        hand.face if hand else None,
        camper.answers,
    )


def _picture(rng: Random, part: Part, kind: str, document: pymupdf.Document) -> bytes:
    return to_bytes(damaged(rng, part, kind, document), rng)


def write_camp(folder: Path, seed: int = 1) -> int:
    """Write the empty forms, and each half into a folder of its name; return how many copies."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in blank_forms().items():
        (folder / name).write_bytes(data)
    return sum(write_half(folder / half, half, seed) for half in HALVES)


def write_half(folder: Path, name: str, seed: int = 1, of_each: int = OF_EACH) -> int:
    """Write the files of a half and their labels.json; return how many."""
    folder.mkdir(parents=True, exist_ok=True)
    labels: dict[str, Any] = {}
    for one in draw_half(name, seed, of_each):
        (folder / one.name).write_bytes(one.data)
        labels[one.name] = one.label()
    (folder / "labels.json").write_text(json.dumps(labels, indent=1, ensure_ascii=False), encoding="utf-8")
    return len(labels)
