"""What is drawn over or twice: covered values, false bold, text under pictures, layers, watermarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import cv2
import numpy as np

from core.confined.mupdf import pymupdf
from lab.samples.canvas import BLACK, Canvas, Colour
from lab.samples.damage.scan import Grey
from lab.samples.hand import fonts
from lab.samples.page_truth.objects import (
    Box,
    add_annotation,
    add_look,
    append_content,
    helvetica,
    lines_shown,
    text_string,
)
from lab.samples.page_truth.sheet import FORM, REQUIRED, Sheet, compose, draw_person
from lab.samples.page_truth.trouble import Way, as_pdf
from lab.samples.part import Part
from lab.samples.sample import Sample

_WHITE: Colour = (1.0, 1.0, 1.0)
Cover = Callable[[Canvas, Box], None]


def rectangle(canvas: Canvas, box: Box) -> None:
    """Cover by a filled rectangle."""
    canvas.page.draw_rect(pymupdf.Rect(box), color=None, fill=_WHITE)


def bar(canvas: Canvas, box: Box) -> None:
    """Cover by a black bar, as names are made unreadable."""
    canvas.page.draw_rect(pymupdf.Rect(box), color=None, fill=BLACK)


def curve(canvas: Canvas, box: Box) -> None:
    """Cover by a filled path that is no rectangle, as a correction pen leaves it."""
    x0, y0, x1, y1 = box
    points = [(x0 - 2, y0 + 2), ((x0 + x1) / 2, y0 - 2), (x1 + 3, y0), (x1 + 2, y1 + 1), (x0 - 1, y1 + 2)]
    canvas.page.draw_polyline(points, color=None, fill=(0.995, 0.995, 0.99), closePath=True)


def stroke(canvas: Canvas, box: Box) -> None:
    """Cover by a line as thick as the text is high."""
    x0, y0, x1, y1 = box
    canvas.page.draw_line((x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), color=_WHITE, width=y1 - y0)


def picture(canvas: Canvas, box: Box) -> None:
    """Cover by a white picture."""
    ok, png = cv2.imencode(".png", np.full((8, 40), 255, np.uint8))
    assert ok
    canvas.page.insert_image(pymupdf.Rect(box), stream=png.tobytes(), keep_proportion=False)


def inline_picture(canvas: Canvas, box: Box) -> None:
    """Cover by a picture that stands in the page's operators (PDF 32000-1, 8.9.7)."""
    x0, y0, x1, y1 = box
    place = f"{x1 - x0:.2f} 0 0 {y1 - y0:.2f} {x0:.2f} {canvas.height - y1:.2f} cm"
    append_content(canvas, place.encode() + b" BI /W 1 /H 1 /BPC 8 /CS /G ID \xff EI")


def square_annotation(canvas: Canvas, box: Box) -> None:
    """Cover by a square of the comment tools, filled white."""
    width, height = box[2] - box[0], box[3] - box[1]
    look = add_look(canvas.page.parent, width, height, f"1 g 0 0 {width:.2f} {height:.2f} re f")
    add_annotation(canvas, "Square", box, look, "/IC[1 1 1]/C[1 1 1]/BS<</W 0>>")


COVERS: Mapping[bool, Mapping[str, Cover]] = {
    False: {"rectangle": rectangle, "picture": picture, "square_annotation": square_annotation},
    True: {
        "curve": curve,
        "stroke": stroke,
        "inline_picture": inline_picture,
        "bar": bar,
        "square_annotation": square_annotation,
        "picture": picture,
    },
}


def covered(cover: Cover, names: tuple[str, ...] = ("student_name",), anew: bool = False) -> Way:
    """Values under paint; `anew`: with others written on it."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc)
        other = compose(rng, part, pymupdf.open(), sheet.layout)
        sheet.put_all()
        gone = []
        for name in names:
            if name not in sheet.spots or (anew and name not in other.spots):
                continue
            new = other.spots[name].text if anew else None
            cover(sheet.canvas, sheet.around(name, new))
            if new:
                sheet.put(name, new)
            if name != "grade":
                gone.append(sheet.spots[name].text)
            _say_anew(sheet, other if anew else None, name)
        sheet.truth.must_wait = not anew and any(name in REQUIRED for name in names)
        return as_pdf(doc, rng, [sheet.truth], no_entry=gone)

    return draw


def _say_anew(sheet: Sheet, other: Sheet | None, name: str) -> None:
    sheet.say(name, other.truth.values[name] if other else None)
    if other and name in other.truth.accepted:
        sheet.truth.accepted[name] = other.truth.accepted[name]


def covered_by_note(rng: Random, part: Part) -> Sample:
    """A value under a text box of the comment tools that says another."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc)
    sheet.put_all()
    name = rng.choice(("student_name", "school_name"))
    other = draw_person(rng, part)
    new = (other.name if name == "student_name" else other.school_written) or ""
    spot, box = sheet.spots[name], sheet.around(name, new)
    width, height = box[2] - box[0] + 12, box[3] - box[1]
    shown = lines_shown([new], min(spot.size, 9.5), 1, 3)
    look = add_look(doc, width, height, f"1 g 0 0 {width:.2f} {height:.2f} re f {shown}", helvetica(doc))
    add_annotation(
        sheet.canvas,
        "FreeText",
        (box[0], box[1], box[0] + width, box[3]),
        look,
        f"/DA(/Helv 9 Tf 0 g)/Contents{text_string(new)}",
    )
    sheet.say(name, new)
    return as_pdf(doc, rng, [sheet.truth], no_entry=[spot.text])


def essay_line_covered(cover: Cover) -> Way:
    """One line of the essay under paint."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc)
        sheet.put_all()
        number = rng.randrange(2, max(3, len(sheet.lines) - 2))
        box = sheet.lines[number].box
        cover(sheet.canvas, (box.x0 - 1, box.y0, box.x1 + 2, box.y1))
        left = [line.text for place, line in enumerate(sheet.lines) if place != number]
        sheet.say("essay_text", " ".join(left))
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def covered_and_nothing_lost(rng: Random, part: Part) -> Sample:
    """Paint that lies under the text or beside it: every value is seen as it is."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc)
    for name in sheet.spots:
        x0, y0, x1, y1 = sheet.around(name)
        sheet.canvas.page.draw_rect(pymupdf.Rect(x0, y0, x1, y1), color=None, fill=(0.93, 0.96, 1.0))
    sheet.put_all()
    x0, _, x1, y1 = sheet.around("student_name")
    sheet.canvas.page.draw_rect(pymupdf.Rect(x0, y1 + 0.8, x1, y1 + 1.4), color=None, fill=_WHITE)
    return as_pdf(doc, rng, [sheet.truth])


def twice(what: str, move: tuple[float, float], times: int = 2) -> Way:
    """What is drawn again a little beside itself, as programs do that lack a bold face."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc)
        sheet.put_all()
        for turn in range(1, times):
            by = (move[0] * turn, move[1] * turn)
            if what in ("all", "header"):
                sheet.put_values(move=by)
            elif what in sheet.spots:
                sheet.put(what, move=by)
            if what in ("all", "essay"):
                sheet.put_essay(move=by)
        return as_pdf(doc, rng, [sheet.truth])

    return draw


def twice_word_by_word(rng: Random, part: Part) -> Sample:
    """Each word of the values is drawn twice before the next one comes."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc)
    for spot in [*sheet.spots.values(), *sheet.lines]:
        x = spot.x
        for word in spot.text.split(" "):
            for by in (0.0, 0.25):
                if word:
                    sheet.canvas.text(x + by, spot.y, word, spot.size, spot.face)
            x += fonts.width(spot.face, f"{word} ", spot.size)
    return as_pdf(doc, rng, [sheet.truth])


def with_shadow(rng: Random, part: Part) -> Sample:
    """A grey shadow of the header lies under it."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc)
    for name in sheet.spots:
        sheet.put(name, move=(0.9, 0.7), colour=(0.75, 0.75, 0.75))
    sheet.put_all()
    return as_pdf(doc, rng, [sheet.truth])


def filled_and_stroked(rng: Random, part: Part) -> Sample:
    """Bold by an outline (text render mode 2): everything is there once."""
    doc = pymupdf.open()
    sheet = compose(rng, part, doc)
    for spot in [*sheet.spots.values(), *sheet.lines]:
        name = sheet.canvas.register(spot.face)
        sheet.canvas.page.insert_text(
            (spot.x, spot.y), spot.text, fontname=name, fontsize=spot.size, render_mode=2, border_width=0.02
        )
    return as_pdf(doc, rng, [sheet.truth])


def under_picture(how: str) -> Way:
    """A recognised page: poor text of another program lies under the opaque picture of what is really there."""

    def draw(rng: Random, part: Part) -> Sample:
        seen = pymupdf.open()
        sheet = compose(rng, part, seen, FORM)
        sheet.put_all()
        grey = _rendered(seen[0], 150)
        doc = pymupdf.open()
        canvas = Canvas(doc)
        wrong = _misread(rng, sheet)
        for name, spot in sheet.spots.items():
            canvas.page.insert_text(
                (spot.x, spot.y), wrong.get(name, spot.text), fontsize=spot.size, render_mode=3 * (how == "unseen")
            )
        for line in sheet.lines:
            canvas.page.insert_text(
                (line.x, line.y),
                line.text.replace("m", "rn").replace("h", "b"),
                fontsize=line.size,
                render_mode=3 * (how == "unseen"),
            )
        _cover_page(canvas, grey, how)
        truth = sheet.truth
        truth.typed, truth.doc_class, truth.count_slack = False, "SINGLE_SCANNED", 0.07
        return as_pdf(doc, rng, [truth], no_entry=[wrong["student_name"], wrong["school_name"]])

    return draw


def _misread(rng: Random, sheet: Sheet) -> dict[str, str]:
    """Values with the errors of a poor recogniser; each is another text than the true one."""
    grade = str((int(sheet.entry.grade) % 12) + 1) if sheet.entry.grade not in (None, "K") else "4"
    school = sheet.spots["school_name"].text
    at = rng.randrange(1, max(2, len(school.split()[0]) - 1))
    return {
        "student_name": _letter_off(sheet.spots["student_name"].text, -2),
        "school_name": _letter_off(school, at),
        "grade": grade,
    }


def _letter_off(text: str, at: int) -> str:
    swapped = {"e": "c", "a": "o", "l": "i", "n": "h", "r": "n", "o": "a", "i": "l", "t": "f", "s": "a"}
    letters = list(text)
    letters[at] = swapped.get(letters[at], "b" if letters[at] != "b" else "h")
    return "".join(letters)


def _rendered(page: pymupdf.Page, dpi: int) -> Grey:
    pixels = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY, alpha=False)
    grey: Grey = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width).copy()
    return grey


def _cover_page(canvas: Canvas, grey: Grey, how: str) -> None:
    pieces = 2 if how == "halves" else 1
    height = grey.shape[0] // pieces
    for number in range(pieces):
        piece = grey[number * height : (number + 1) * height if number < pieces - 1 else None]
        ok, data = cv2.imencode(".jpg", piece, [cv2.IMWRITE_JPEG_QUALITY, 70])
        assert ok
        inch = 72 / 150
        top = number * height * inch
        place = pymupdf.Rect(0, top, grey.shape[1] * inch, top + piece.shape[0] * inch)
        canvas.page.insert_image(place, stream=data.tobytes(), keep_proportion=False)


_SAMPLES = {False: ("Jane Q. Sample", "Example School", "1st"), True: ("Draft Person", "Template Academy", "9")}


def layer_off(how: str) -> Way:
    """Another entry's values lie on a layer that is switched off, at the places of the true ones."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet = compose(rng, part, doc)
        layer = doc.add_ocg("Sample" if not part.held_out else "Draft 1", on=False)
        if how == "membership":
            layer = doc.set_ocmd(ocgs=[layer], policy="AnyOn")
        false = dict(zip(REQUIRED, _SAMPLES[part.held_out], strict=True))
        if how == "older_version":
            older = draw_person(rng, part)
            false = {"student_name": older.name or "", "school_name": older.school_written or "", "grade": "11"}
        if how == "over":
            sheet.put_all()
        for name, text in false.items():
            spot = sheet.spots[name]
            _put_on_layer(sheet, (spot.x, spot.y), text, spot.size, layer, how)
        if how != "over":
            sheet.put_all()
        if how == "base_off":
            _off_by_default(doc)
        return as_pdf(doc, rng, [sheet.truth], no_entry=[false["student_name"], false["school_name"]])

    return draw


def _put_on_layer(sheet: Sheet, at: tuple[float, float], text: str, size: float, layer: int, how: str) -> None:
    canvas = sheet.canvas
    if how != "annotation":
        canvas.page.insert_text(at, text, fontname=canvas.register(sheet.face), fontsize=size, oc=layer)
        return
    doc = canvas.page.parent
    look = add_look(doc, 150, 14, lines_shown([text], 9, 1, 3), helvetica(doc))
    add_annotation(
        canvas,
        "FreeText",
        (at[0], at[1] - 10, at[0] + 150, at[1] + 4),
        look,
        f"/DA(/Helv 9 Tf 0 g)/Contents{text_string(text)}/OC {layer} 0 R",
    )


def _off_by_default(doc: pymupdf.Document) -> None:
    """Layers are off because none is named as on (PDF 32000-1, 8.11.4.3)."""
    catalog = doc.pdf_catalog()
    doc.xref_set_key(catalog, "OCProperties/D/BaseState", "/OFF")
    doc.xref_set_key(catalog, "OCProperties/D/OFF", "[]")
    doc.xref_set_key(catalog, "OCProperties/D/ON", "[]")


def watermark(words: tuple[str, ...], angle: int, *, tiled: bool, first: bool) -> Way:
    """Slanted words over or under the page."""

    def draw(rng: Random, part: Part) -> Sample:
        doc = pymupdf.open()
        sheet, word = compose(rng, part, doc), rng.choice(words)
        if not first:
            sheet.put_all()
        size = 30 if tiled else 96
        places = [(x, y) for y in range(120, 780, 130) for x in range(40, 600, 190)] if tiled else [(130, 560)]
        for x, y in places:
            turned = pymupdf.Matrix(1, 0, 0, 1, 0, 0).prerotate(angle)
            sheet.canvas.page.insert_text(
                (x, y),
                word,
                fontname="helv",
                fontsize=size,
                color=(0.82, 0.82, 0.85),
                morph=(pymupdf.Point(x, y), turned),
            )
        if first:
            sheet.put_all()
        return as_pdf(doc, rng, [sheet.truth], no_entry=[word])

    return draw
