"""Text boxes and shapes of a Word file become paragraphs, its pictures what is displayed of them.

DrawingML (ECMA-376-1, 20.4) and VML (ECMA-376-4, 14.1) alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from lxml import etree

from pipeline.files.word.names import PIC, WP, A, R, V, W, number, paragraph_of, remove, replace, run_of, text_of

#: English metric units an inch, and points an inch.
_EMU, _POINTS = 914400, 72
#: A box that hangs this far below the paragraph that it is anchored to, in inches, comes after it.
_BELOW = 0.15
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
#: A label that waits for what a box beside it holds.
_LABEL = re.compile(r"[:_]\s*$")
_BLOCKS = (f"{W}p", f"{W}tbl", f"{W}sdt")
#: What is told of by name: what draws it is not read.
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"


class Picture(NamedTuple):
    """What is displayed of a picture."""

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
        """Whether it is displayed as it is."""
        return not any(self.cut) and not self.quarters and not self.mirrored and not self.flipped


class _Box(NamedTuple):
    """A text box, and where it goes: before its paragraph, after it, or to its place in the line."""

    place: str
    #: Inches from the top and the left, which order the boxes of one paragraph.
    top: float
    left: float
    blocks: list[Any]


def resolve_drawings(
    root: Any, shown: Callable[[Picture], str | None], diagram: Callable[[str], list[str]]
) -> int:
    """Replace drawings by the paragraphs and pictures that they display; returns how many display something else.

    `shown` gives the id of the picture as displayed, None where it is not there; `diagram` the texts of a SmartArt
    by its id.
    """
    unread = 0
    boxes: dict[Any, list[_Box]] = {}
    # The inner ones first: a box may hold drawings of its own.
    for drawing in reversed(list(root.iter(f"{W}drawing", f"{W}pict", f"{W}object"))):
        paragraph = next(drawing.iterancestors(f"{W}p"), None)
        if paragraph is None or _is_hidden(drawing):
            remove(drawing)
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
            remove(drawing)
        if paragraph in boxes and next(_outer_boxes(paragraph), None) is not None:
            # Placed now, so that the outer box takes it along.
            _place(paragraph, boxes.pop(paragraph))
    for paragraph, placed in boxes.items():
        _place(paragraph, placed)
    return unread


def _outer_boxes(element: Any) -> Any:
    return element.iterancestors(f"{W}txbxContent")


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
    return bool(text_of(block).strip()) or next(block.iter(f"{W}drawing", f"{A}blip"), None) is not None


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
    turned = number(turn.get("rot")) if turn is not None else None
    return Picture(
        key,
        (cut[0], cut[1], cut[2], cut[3]),
        # Sixtieths of a thousandth of a degree.
        round((turned or 0) / 60_000 / 90) % 4,
        turn is not None and turn.get("flipH") in ("1", "true"),
        turn is not None and turn.get("flipV") in ("1", "true"),
    )


def _share(text: str | None) -> float:
    """A share that is cut off: in thousandths of a percent, or with its sign (ISO Strict). Below 0 nothing is."""
    text = (text or "").strip()
    found = number(text.rstrip("%"))
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
    degrees = number(turned[1]) if turned else None
    return Picture(key, (cut[0], cut[1], cut[2], cut[3]), round((degrees or 0) / 90) % 4, False, False)


def _vml_share(text: str | None) -> float:
    """A share that is cut off: a fraction, or with an f in 65,536ths (ECMA-376-4, 14.1.2.11)."""
    text = (text or "").strip()
    found = number(text.rstrip("f%"))
    whole = 65_536 if text.endswith("f") else 100 if text.endswith("%") else 1
    share = (found or 0) / whole
    return share if 0 < share < 1 else 0.0


def _drawn(key: str) -> Any:
    """A drawing of nothing but a picture, in the one form that the converter knows."""
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
    paragraphs = [block for block in blocks if text_of(block).strip()]
    single = len(paragraphs) == 1 and paragraphs[0].tag == f"{W}p"
    if single and ((not floats and own) or _LABEL.search(before) or _LABEL.search(own)):
        place = "line"
    elif floats:
        place = "after" if own and relative in ("paragraph", "line") and top > _BELOW else "before"
    else:
        place = "after" if before else "before"
    return _Box(place, top, left, blocks)


def _text_around(drawing: Any, paragraph: Any) -> tuple[str, str]:
    """What the paragraph says before the drawing, and all it says, boxes left aside."""
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
    """Whether it floats, what its top is measured from, and inches from the top and the left."""
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
    return (number(offset) or 0.0) / _EMU


def _length(text: str) -> float:
    """A length of VML in inches."""
    found = re.match(r"\s*(-?[\d.]+)\s*(pt|in|cm|mm)?", text)
    length = number(found[1]) if found else None
    units = {"pt": 1 / _POINTS, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, None: 1 / 96}
    return (length or 0.0) * units[found[2]] if found else 0.0


def _put_in_line(drawing: Any, blocks: list[Any]) -> None:
    """Put a box of one line into the line that it stands in."""
    run = drawing.getparent()
    runs = [run_of(" "), *(run for block in blocks for run in block.iter(f"{W}r")), run_of(" ")]
    if run is None or run.tag != f"{W}r":
        replace(drawing, [])
        return
    # The run is split, so that what comes after the drawing stays behind it.
    rest = etree.Element(f"{W}r")
    rest.extend(list(run[run.index(drawing) + 1 :]))
    remove(drawing)
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
