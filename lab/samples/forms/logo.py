"""The organiser's logo as a picture: two stick figures and three words."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from lab.samples.hand import fonts


@lru_cache(maxsize=2)
def png(grey: bool = False) -> bytes:
    """The logo, 444 × 236 pixels."""
    picture = Image.new("RGB", (444, 236), "white")
    draw = ImageDraw.Draw(picture)
    big, small = ("#555555", "#888888") if grey else ("#1f8fc4", "#e9a13b")
    draw.ellipse((105, 8, 155, 58), fill=big)
    draw.line((130, 60, 112, 120, 138, 170, 128, 228), fill=big, width=22, joint="curve")
    draw.ellipse((40, 40, 72, 72), fill=small)
    draw.arc((8, 70, 120, 190), 180, 300, fill=small, width=14)
    face = ImageFont.truetype(fonts.path("serif"), 58)
    for row, word in enumerate(("Illinois", "Fatherhood", "Initiative")):
        draw.text((178, 8 + row * 68), word, font=face, fill=big)
    out = BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
