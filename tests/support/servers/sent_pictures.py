"""Pictures as they come over a wire: base64 of PNG or JPEG."""

from __future__ import annotations

import base64
import binascii
import io

from PIL import Image, UnidentifiedImageError

FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG"}


def decoded(data: str, media_type: str | None = None) -> Image.Image | None:
    """The picture with all its pixels; None where it is none, or not of the type that it is said to be."""
    try:
        picture = Image.open(io.BytesIO(base64.b64decode(data, validate=True)))
        picture.load()
    except (binascii.Error, UnidentifiedImageError, OSError):
        return None
    wanted = FORMATS.values() if media_type is None else [FORMATS.get(media_type)]
    return picture if picture.format in wanted else None
