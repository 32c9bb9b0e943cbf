"""The pictures of a Word file as they are displayed: cut, turned and mirrored."""

from __future__ import annotations

import io

from PIL import Image, ImageOps

from core.config import FileBounds
from core.errors import PictureTooLargeError
from pipeline.files.word.drawings import Picture
from pipeline.files.word.package import Package
from pipeline.mupdf.typeset import BODY_HEIGHT, BODY_WIDTH

_QUARTERS = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
#: Quality of a JPEG that is written anew; it is recognised afterwards.
_QUALITY = 92
#: What the typesetter reads; other formats are converted where they can be.
_TYPESET = {"PNG", "JPEG", "GIF", "BMP", "TIFF"}
#: Square inches from which a drawing in one of Word's own formats (EMF, WMF) may hold text.
_LARGE = 4.0


class ShownPictures:
    """Finds the pictures of one part, and adds what is displayed of those that are not displayed whole."""

    def __init__(self, package: Package, part: str, bounds: FileBounds) -> None:
        self._package = package
        self._part = part
        self._bounds = bounds
        self._made: dict[tuple[str, Picture], str] = {}
        #: Pictures that are elsewhere: Word asks for them when it opens the file.
        self.linked = 0

    def __call__(self, picture: Picture) -> str | None:
        """Return the id of the picture as displayed; None where the file does not hold it.

        Raises PictureTooLargeError.
        """
        relation = self._package.relations(self._part).get(picture.key)
        if relation is None or relation.kind != "image":
            return None
        if relation.external or not self._package.has(relation.target):
            self.linked += relation.external
            return None
        if picture.whole:
            return picture.key
        made = (relation.target, picture._replace(key=""))
        if made not in self._made:
            data = displayed(self._package.read(relation.target), picture, self._bounds)
            if data is None:
                return picture.key
            self._made[made] = self._package.add_picture(self._part, *data)
        return self._made[made]


def displayed(data: bytes, picture: Picture, bounds: FileBounds) -> tuple[bytes, str] | None:
    """Return what is displayed of a picture, and its format's suffix; None for a format that cannot be read.

    Raises PictureTooLargeError before it is unpacked.
    """
    try:
        with Image.open(io.BytesIO(data)) as whole:
            if whole.width * whole.height > bounds.max_image_pixels:
                raise PictureTooLargeError(f"{whole.width} x {whole.height} pixels")
            kind = "JPEG" if whole.format == "JPEG" else "PNG"
            upright = ImageOps.exif_transpose(whole)
            shown = upright.crop(_kept(upright.size, picture))
    except (OSError, SyntaxError, ValueError):
        return None
    # A picture is cut as it came, and turned with its frame.
    if picture.mirrored:
        shown = ImageOps.mirror(shown)
    if picture.flipped:
        shown = ImageOps.flip(shown)
    if picture.quarters:
        shown = shown.transpose(_QUARTERS[picture.quarters])
    if kind == "PNG" and shown.mode not in ("1", "L", "LA", "P", "RGB", "RGBA"):
        shown = shown.convert("RGB")
    out = io.BytesIO()
    shown.save(out, kind, quality=_QUALITY)
    return out.getvalue(), "jpeg" if kind == "JPEG" else "png"


def _kept(size: tuple[int, int], picture: Picture) -> tuple[int, int, int, int]:
    """The rectangle of pixels that is left; at least one."""
    (width, height), (left, top, right, bottom) = size, picture.cut
    x0, y0 = int(width * min(left, 0.999)), int(height * min(top, 0.999))
    x1, y1 = round(width * (1 - right)), round(height * (1 - bottom))
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


class PlacedPictures:
    """Keeps each picture for the typesetter, in the size that fits the page."""

    def __init__(self, bounds: FileBounds) -> None:
        self._bounds = bounds
        self.by_name: dict[str, bytes] = {}
        #: Large ones that cannot be read.
        self.unread = 0

    def __call__(self, image: object) -> dict[str, str]:
        """Return the attributes of an `img`. Raises PictureTooLargeError."""
        try:
            with image.open() as stream:  # type: ignore[attr-defined]
                data: bytes = stream.read()
        except KeyError:
            # A drawing that stands where no drawing can.
            return {"alt": ""}
        try:
            with Image.open(io.BytesIO(data)) as picture:
                width, height = picture.size
                if width * height > self._bounds.max_image_pixels:
                    raise PictureTooLargeError(f"{width} x {height} pixels")
                if picture.format not in _TYPESET:
                    data = _converted(picture)
        except (OSError, SyntaxError, ValueError):
            # A drawing in one of Word's own formats is skipped; the text around it still counts.
            self.unread += _inches(data) >= _LARGE
            return {"alt": ""}
        name = f"picture{len(self.by_name) + 1}"
        self.by_name[name] = data
        scale = min(1.0, BODY_WIDTH / width, (BODY_HEIGHT - 1) / height)
        sides = {"width": width, "height": height}
        return {"src": name, **{side: f"{max(size * scale, 1):.0f}" for side, size in sides.items()}}


def _converted(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.convert("RGB").save(out, "PNG")
    return out.getvalue()


def _inches(data: bytes) -> float:
    """The square inches of a drawing whose format tells them; 0.0 for any other."""
    try:
        with Image.open(io.BytesIO(data)) as drawing:
            dpi = drawing.info.get("dpi") or 72
            across, down = dpi if isinstance(dpi, tuple) else (dpi, dpi)
            return float(drawing.width / across * drawing.height / down)
    except (OSError, SyntaxError, ValueError, TypeError, ZeroDivisionError):
        return 0.0
