"""Re-encodes the text layer: the page looks the same, its text extracts as other characters."""

from __future__ import annotations

from random import Random

from scripts.samples.tounicode import rewrite


def garble_text_layer(data: bytes, rng: Random) -> bytes:
    """Shift every character that the fonts' maps give."""
    shift = rng.choice((-29, -29, 3, 31, 1))
    return rewrite(data, lambda code: max(1, code + shift))


def spaces_to_zero_width(data: bytes) -> bytes:
    """Make the text layer say U+200B where a space is, as some browsers print."""
    return rewrite(data, lambda code: 0x200B if code == 0x20 else code)
