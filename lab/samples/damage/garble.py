"""Re-encodes the text layer: the page looks the same, its text extracts as other characters."""

from __future__ import annotations

from random import Random

from lab.samples.part import Part
from lab.samples.tounicode import rewrite


def garble_text_layer(data: bytes, rng: Random, part: Part) -> tuple[bytes, str]:
    """Give every character that the fonts' maps give another code; returns also the family of the damage."""
    if not part.held_out:
        shift = rng.choice((-29, -29, 3, 31, 1))
        return rewrite(data, lambda code: max(1, code + shift)), "shifted_codes"
    if rng.random() < 0.5:
        return rewrite(data, lambda code: 0xE000 + code % 0x1000), "private_codes"
    letters = list(range(0x21, 0x7F))
    shuffled = dict(zip(letters, rng.sample(letters, len(letters)), strict=True))
    return rewrite(data, lambda code: shuffled.get(code, code)), "shuffled_codes"


def spaces_to_zero_width(data: bytes) -> bytes:
    """Make the text layer say U+200B where a space is, as some browsers print."""
    return rewrite(data, lambda code: 0x200B if code == 0x20 else code)
