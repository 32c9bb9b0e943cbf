from itertools import pairwise

from PIL import Image, ImageDraw

from pipeline.looks.closer_look import without_boxes


def test_the_edges_of_boxes_are_taken_out_and_the_strokes_of_digits_remain() -> None:
    picture = Image.new("L", (420, 48), 250)
    pen = ImageDraw.Draw(picture)
    for left in (10, 60, 150, 200, 300, 350):
        pen.rectangle((left, 1, left + 50, 46), outline=120)
        # A "1": half as high as its box.
        pen.line((left + 24, 12, left + 24, 36), fill=20, width=3)
    bare = without_boxes(picture).convert("L")
    dark = [x for x in range(bare.width) if any(bare.getpixel((x, y)) < 100 for y in range(bare.height))]  # type: ignore[operator]
    strokes = [x for x, before in zip(dark, [-9, *dark], strict=False) if x - before > 1]
    assert len(strokes) == 6 and bare.width < 0.5 * picture.width
    assert max(after - before for before, after in pairwise(strokes)) < 24


def test_an_empty_picture_stays_as_it_is() -> None:
    empty = Image.new("RGB", (200, 40), "white")
    assert without_boxes(empty).size == empty.size
