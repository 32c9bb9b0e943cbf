"""PDFs whose pages are giant, tiny, negative or no rectangles at all."""

from __future__ import annotations

from lab.fuzz.pdf_file import one_page

_CROSS = b"BT /F 9 Tf 10 10 Td (My father) Tj ET 0 0 m 612 792 l S"


def giant_page() -> bytes:
    """A page of a billion points a side."""
    return _sized(b"/MediaBox[0 0 1000000000 1000000000]")


def page_of_the_largest_number() -> bytes:
    """A page whose size is more than a number of single precision holds."""
    return _sized(b"/MediaBox[-3e38 -3e38 3e38 3e38]")


def page_of_digits() -> bytes:
    """A page whose size is written in a million digits."""
    return _sized(b"/MediaBox[0 0 %s 792]" % (b"9" * 1_000_000))


def hairline_page() -> bytes:
    """A page of one point's width and a hundred million points' height."""
    return _sized(b"/MediaBox[0 0 1 99999999]")


def page_like_a_thread() -> bytes:
    """A page of one point's width and ninety thousand points' height."""
    return _sized(b"/MediaBox[0 0 1 90000]")


def tiny_page() -> bytes:
    """A page of a millionth of a point."""
    return _sized(b"/MediaBox[0 0 0.000001 0.000001]")


def negative_page() -> bytes:
    """A page whose corners are exchanged, far from the origin."""
    return _sized(b"/MediaBox[1000000 1000000 999388 999208]")


def page_in_large_units() -> bytes:
    """A page whose unit is a billion points."""
    return _sized(b"/MediaBox[0 0 612 792]/UserUnit 1000000000")


def page_turned_by_an_odd_angle() -> bytes:
    """A page turned by 2,147,483,647 degrees."""
    return _sized(b"/MediaBox[0 0 612 792]/Rotate 2147483647")


def page_cropped_to_nothing() -> bytes:
    """A page whose crop box lies outside of it."""
    return _sized(b"/MediaBox[0 0 612 792]/CropBox[5000 5000 5000 5000]")


def page_of_other_things() -> bytes:
    """A page whose size is of names, strings and dictionaries."""
    return _sized(b"/MediaBox[/A(b)<<>>null]/CropBox 7/Rotate/A")


def _sized(entries: bytes) -> bytes:
    return one_page(_CROSS, page=entries)
