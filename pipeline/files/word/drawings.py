"""Text boxes, shapes and pictures of a Word file, as they are displayed.

DrawingML (ECMA-376-1, 20.4) and VML (ECMA-376-4, 14.1) alike.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lxml import etree
from PIL import Image, ImageOps

from core.config import FileBounds
from core.errors import PictureTooLargeError
from pipeline.files.word.package import (
    PIC,
    WP,
    A,
    Package,
    R,
    V,
    W,
    element_text,
    number_in,
    paragraph_of,
    remove_element,
    replace_element,
    run_of,
)
from pipeline.mupdf.assembly import BODY_HEIGHT, BODY_WIDTH

# The pictures of a Word file as they are displayed: cut, turned and mirrored.


_QUARTERS = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}
#: Quality of a JPEG that is rewritten; it is recognised afterwards.
_QUALITY = 92
#: Formats that the typesetter reads; others are converted if possible.
_TYPESET = {"PNG", "JPEG", "GIF", "BMP", "TIFF"}
#: Square inches from which a drawing in one of Word's own formats (EMF, WMF) may hold text.
_LARGE = 4.0


class ShownPictures:
    """Finds the pictures of one part, and adds the displayed parts of those that are cropped or turned."""

    def __init__(self, package: Package, part: str, bounds: FileBounds) -> None:
        self._package = package
        self._part = part
        self._bounds = bounds
        self._made: dict[tuple[str, Picture], str] = {}
        #: Number of external pictures, which Word fetches when it opens the file.
        self.linked = 0

    def __call__(self, picture: Picture) -> str | None:
        """Return the id of the picture as displayed; None if it is not in the file.

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
            data = cropped_picture(self._package.read(relation.target), picture, self._bounds)
            if data is None:
                return picture.key
            self._made[made] = self._package.add_picture(self._part, *data)
        return self._made[made]


def cropped_picture(data: bytes, picture: Picture, bounds: FileBounds) -> tuple[bytes, str] | None:
    """Return a picture as displayed, and its format's suffix; None for a format that cannot be read.

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
    # The crop applies to the original picture; the turn applies to its frame.
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
    """Return the rectangle of pixels that is left; at least one pixel."""
    (width, height), (left, top, right, bottom) = size, picture.cut
    x0, y0 = int(width * min(left, 0.999)), int(height * min(top, 0.999))
    x1, y1 = round(width * (1 - right)), round(height * (1 - bottom))
    return x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)


class PlacedPictures:
    """Keeps each picture for the typesetter, in the size that fits the page."""

    def __init__(self, bounds: FileBounds) -> None:
        self._bounds = bounds
        self.by_name: dict[str, bytes] = {}
        #: Number of large ones that cannot be read.
        self.unread = 0

    def __call__(self, image: object) -> dict[str, str]:
        """Return the attributes of an `img`. Raises PictureTooLargeError."""
        try:
            with image.open() as stream:  # type: ignore[attr-defined]
                data: bytes = stream.read()
        except KeyError:
            # A drawing where none can be.
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
    """Return the square inches of a drawing if its format gives them, else 0.0."""
    try:
        with Image.open(io.BytesIO(data)) as drawing:
            dpi = drawing.info.get("dpi") or 72
            across, down = dpi if isinstance(dpi, tuple) else (dpi, dpi)
            return float(drawing.width / across * drawing.height / down)
    except (OSError, SyntaxError, ValueError, TypeError, ZeroDivisionError):
        return 0.0


# Turn text boxes and shapes of a Word file into paragraphs, and pictures into their displayed form.


#: English metric units an inch, and points an inch.
_EMU, _POINTS = 914400, 72
#: A box that hangs this far below the paragraph that it is anchored to, in inches, comes after it.
_BELOW = 0.15
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
#: A label whose value is in a box next to it.
_LABEL = re.compile(r"[:_]\s*$")
_BLOCKS = (f"{W}p", f"{W}tbl", f"{W}sdt")
#: Charts are only counted: they are not read.
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"


class Picture(NamedTuple):
    #: Id of the relationship to the picture.
    key: str
    #: Shares of its width and height that are cut off: left, top, right, bottom.
    cut: tuple[float, float, float, float]
    #: Quarters of a turn, clockwise.
    quarters: int
    #: Whether it is mirrored from left to right, and upside down.
    mirrored: bool
    flipped: bool

    @property
    def whole(self) -> bool:
        """Whether it is displayed unchanged."""
        return not any(self.cut) and not self.quarters and not self.mirrored and not self.flipped


class _Box(NamedTuple):
    """A text box and its destination: before its paragraph, after it, or its place in the line."""

    place: str
    #: Inches from the top and the left, which order the boxes of one paragraph.
    top: float
    left: float
    blocks: list[Any]


def resolve_drawings(
    root: Any, shown: Callable[[Picture], str | None], diagram: Callable[[str], list[str]]
) -> int:
    """Replace drawings with the paragraphs and pictures that they display; return how many display anything else.

    `shown` gives the id of the picture as displayed, None if it is missing; `diagram` gives the texts of a
    SmartArt by its id.
    """
    unread = 0
    boxes: dict[Any, list[_Box]] = {}
    # The inner ones first: a box may hold drawings of its own.
    for drawing in reversed(list(root.iter(f"{W}drawing", f"{W}pict", f"{W}object"))):
        paragraph = next(drawing.iterancestors(f"{W}p"), None)
        if paragraph is None or _is_hidden(drawing):
            remove_element(drawing)
            continue
        unread += next(drawing.iter(_CHART, f"{W}control"), None) is not None
        found = _blocks(drawing, diagram)
        pictures = [_drawn(key) for picture in _pictures(drawing) if (key := shown(picture)) is not None]
        if found:
            boxes.setdefault(paragraph, []).append(_box(drawing, paragraph, found))
        _put_pictures(drawing, pictures)
        if found and boxes[paragraph][-1].place == "line":
            _put_in_line(drawing, boxes[paragraph].pop().blocks)
        else:
            remove_element(drawing)
        if paragraph in boxes and next(paragraph.iterancestors(f"{W}txbxContent"), None) is not None:
            # Placed now, so that it is part of the outer box.
            _place(paragraph, boxes.pop(paragraph))
    for paragraph, placed in boxes.items():
        _place(paragraph, placed)
    return unread


def _is_hidden(drawing: Any) -> bool:
    about = next(drawing.iter(f"{WP}docPr"), None)
    if about is not None and about.get("hidden", "0").lower() in ("1", "true"):
        return True
    return any(
        "visibility:hidden" in re.sub(r"\s", "", node.get("style") or "") for node in drawing.iter(f"{V}shape")
    )


def _blocks(drawing: Any, diagram: Callable[[str], list[str]]) -> list[Any]:
    """The paragraphs and tables that a drawing displays."""
    blocks: list[Any] = []
    for node in drawing.iter(f"{W}txbxContent", f"{V}textpath", f"{_DIAGRAM}relIds"):
        if node.tag == f"{W}txbxContent":
            blocks += [child for child in node if child.tag in _BLOCKS]
        elif node.tag == f"{V}textpath":
            blocks += [paragraph_of(node.get("string", ""))] if node.get("string", "").strip() else []
        else:
            blocks += [paragraph_of(text) for text in diagram(node.get(f"{R}dm") or "")]
    return blocks if any(_has_content(block) for block in blocks) else []


def _has_content(block: Any) -> bool:
    return bool(element_text(block).strip()) or next(block.iter(f"{W}drawing", f"{A}blip"), None) is not None


def _pictures(drawing: Any) -> list[Picture]:
    found = []
    for picture in drawing.iter(f"{PIC}pic", f"{V}imagedata"):
        if next(_outer_boxes_within(picture, drawing), None) is None:
            found.append(_of_drawingml(picture) if picture.tag == f"{PIC}pic" else _of_vml(picture))
    return [picture for picture in found if picture is not None]


def _outer_boxes_within(element: Any, drawing: Any) -> Any:
    for around in element.iterancestors():
        if around is drawing:
            return
        if around.tag == f"{W}txbxContent":
            yield around


def _of_drawingml(picture: Any) -> Picture | None:
    blip = picture.find(f"{PIC}blipFill/{A}blip")
    key = blip.get(f"{R}embed") if blip is not None else None
    if not key:
        return Picture(blip.get(f"{R}link") or "", (0, 0, 0, 0), 0, False, False) if blip is not None else None
    crop = picture.find(f"{PIC}blipFill/{A}srcRect")
    cut = tuple(_share(crop.get(side) if crop is not None else None) for side in ("l", "t", "r", "b"))
    turn = picture.find(f"{PIC}spPr/{A}xfrm")
    turned = number_in(turn.get("rot")) if turn is not None else None
    return Picture(
        key,
        (cut[0], cut[1], cut[2], cut[3]),
        # In 60,000ths of a degree.
        round((turned or 0) / 60_000 / 90) % 4,
        turn is not None and turn.get("flipH") in ("1", "true"),
        turn is not None and turn.get("flipV") in ("1", "true"),
    )


def _share(text: str | None) -> float:
    """Parse the share to cut off: thousandths of a percent, or with a % sign (ISO Strict); at least 0."""
    text = (text or "").strip()
    found = number_in(text.rstrip("%"))
    share = 0.0 if found is None else found / (100 if text.endswith("%") else 100_000)
    return share if 0 < share < 1 else 0.0


def _of_vml(picture: Any) -> Picture | None:
    key = picture.get(f"{R}id") or picture.get("{urn:schemas-microsoft-com:office:office}relid")
    if not key:
        return None
    cut = [_vml_share(picture.get(f"crop{side}")) for side in ("left", "top", "right", "bottom")]
    around = picture.getparent()
    style = re.sub(r"\s", "", (around.get("style") if around is not None else None) or "")
    turned = re.search(r"rotation:(-?[\d.]+)", style)
    degrees = number_in(turned[1]) if turned else None
    return Picture(key, (cut[0], cut[1], cut[2], cut[3]), round((degrees or 0) / 90) % 4, False, False)


def _vml_share(text: str | None) -> float:
    """Parse the share to cut off: a fraction, or with an f 65,536ths (ECMA-376-4, 14.1.2.11)."""
    text = (text or "").strip()
    found = number_in(text.rstrip("f%"))
    whole = 65_536 if text.endswith("f") else 100 if text.endswith("%") else 1
    share = (found or 0) / whole
    return share if 0 < share < 1 else 0.0


def _drawn(key: str) -> Any:
    """Return a drawing of only a picture, in the form that the converter knows."""
    drawing = etree.Element(f"{W}drawing")
    inline = etree.SubElement(drawing, f"{WP}inline")
    node = inline
    for tag in (f"{A}graphic", f"{A}graphicData", f"{PIC}pic", f"{PIC}blipFill"):
        node = etree.SubElement(node, tag)
    etree.SubElement(node, f"{A}blip").set(f"{R}embed", key)
    return drawing


def _put_pictures(drawing: Any, pictures: list[Any]) -> None:
    for picture in pictures:
        drawing.addprevious(picture)


def _box(drawing: Any, paragraph: Any, blocks: list[Any]) -> _Box:
    before, own = _text_around(drawing, paragraph)
    floats, relative, top, left = _position(drawing)
    paragraphs = [block for block in blocks if element_text(block).strip()]
    single = len(paragraphs) == 1 and paragraphs[0].tag == f"{W}p"
    if single and ((not floats and own) or _LABEL.search(before) or _LABEL.search(own)):
        place = "line"
    elif floats:
        place = "after" if own and relative in ("paragraph", "line") and top > _BELOW else "before"
    else:
        place = "after" if before else "before"
    return _Box(place, top, left, blocks)


def _text_around(drawing: Any, paragraph: Any) -> tuple[str, str]:
    """Return the paragraph's text before the drawing, and all of its text, without boxes."""
    before, own, passed = [], [], False
    for node in paragraph.iter(f"{W}t", drawing.tag):
        if node is drawing:
            passed = True
        elif node.tag == f"{W}t" and next(node.iterancestors(f"{W}p")) is paragraph:
            own.append(node.text or "")
            if not passed:
                before.append(node.text or "")
    return "".join(before).strip(), "".join(own).strip()


def _position(drawing: Any) -> tuple[bool, str, float, float]:
    """Return whether it floats, what its top is measured from, and inches from the top and the left."""
    anchor = next(drawing.iter(f"{WP}anchor"), None)
    if anchor is not None:
        down, along = anchor.find(f"{WP}positionV"), anchor.find(f"{WP}positionH")
        relative = down.get("relativeFrom", "") if down is not None else ""
        return True, relative, _offset(down), _offset(along)
    style = next((node.get("style") for node in drawing.iter() if node.get("style")), "") or ""
    parts = [rule.partition(":") for rule in style.split(";")]
    rules = {name.strip(): said.strip() for name, _, said in parts}
    if rules.get("position") != "absolute":
        return False, "", 0.0, 0.0
    relative = rules.get("mso-position-vertical-relative", "text").strip()
    relative = "paragraph" if relative in ("text", "line") else relative
    return True, relative, _length(rules.get("margin-top", "")), _length(rules.get("margin-left", ""))


def _offset(position: Any) -> float:
    offset = position.findtext(f"{WP}posOffset") if position is not None else None
    return (number_in(offset) or 0.0) / _EMU


def _length(text: str) -> float:
    """A length of VML in inches."""
    found = re.match(r"\s*(-?[\d.]+)\s*(pt|in|cm|mm)?", text)
    length = number_in(found[1]) if found else None
    units = {"pt": 1 / _POINTS, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, None: 1 / 96}
    return (length or 0.0) * units[found[2]] if found else 0.0


def _put_in_line(drawing: Any, blocks: list[Any]) -> None:
    """Put a box of one line into its line."""
    run = drawing.getparent()
    runs = [run_of(" "), *(run for block in blocks for run in block.iter(f"{W}r")), run_of(" ")]
    if run is None or run.tag != f"{W}r":
        replace_element(drawing, [])
        return
    # Split the run, so that what follows the drawing stays after it.
    rest = etree.Element(f"{W}r")
    rest.extend(list(run[run.index(drawing) + 1 :]))
    remove_element(drawing)
    for new in reversed([*runs, rest]):
        run.addnext(new)


def _place(paragraph: Any, boxes: list[_Box]) -> None:
    """Put boxes before and after their paragraph, from the top down."""
    boxes = sorted(boxes, key=lambda box: (box.top, box.left))
    for box in boxes:
        if box.place == "before":
            for block in box.blocks:
                paragraph.addprevious(block)
    for box in reversed(boxes):
        if box.place == "after":
            for block in reversed(box.blocks):
                paragraph.addnext(block)
