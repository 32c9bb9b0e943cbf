"""Encode pictures for services: PNG if small enough, else JPEG, else a smaller JPEG."""

from __future__ import annotations

import base64
from dataclasses import dataclass

import cv2
import numpy as np

from core.errors import RecognitionRefusedError
from pipeline.ocr_providers.base import Pixels

#: Part of a provider's version: another encoding gives another picture to read.
PACKING = "png/jpeg90"
_QUALITY = 90
_SCALES = (1.0, 0.7, 0.5, 0.35)


@dataclass(frozen=True, slots=True)
class Packed:
    """An encoded picture."""

    media_type: str
    base64: str
    #: Size of the sent picture in pixels; a service's coordinates refer to it.
    width: int
    height: int


def packed(picture: Pixels, most: int) -> Packed:
    """Encode the picture in at most `most` base64 characters. Raises RecognitionRefusedError if it cannot fit."""
    blue_first = np.ascontiguousarray(picture[:, :, ::-1])
    if fitting := _encoded(blue_first, ".png", "image/png", most):
        return fitting
    for scale in _SCALES:
        smaller = blue_first if scale == 1.0 else _resized(blue_first, scale)
        if fitting := _encoded(smaller, ".jpg", "image/jpeg", most):
            return fitting
    raise RecognitionRefusedError("the picture is too large for the service")


def _resized(picture: Pixels, scale: float) -> Pixels:
    resized = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(resized, dtype=np.uint8)


def _encoded(picture: Pixels, kind: str, media_type: str, most: int) -> Packed | None:
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY] if kind == ".jpg" else []
    _, data = cv2.imencode(kind, picture, options)
    text = base64.b64encode(data.tobytes()).decode()
    return Packed(media_type, text, picture.shape[1], picture.shape[0]) if len(text) <= most else None
