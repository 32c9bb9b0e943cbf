"""PDFs each of whose pages may be read, and all of them take long."""

from __future__ import annotations

from lab.fuzz.packed import deflated, repeated
from lab.fuzz.pdf_file import CATALOG, HELVETICA, pdf, stream

_FLATE = b"/Filter/FlateDecode"


def _pages(count: int, *content: bytes) -> bytes:
    """Return a PDF of pages with one and the same content each; letters are of Helvetica."""
    kids = b" ".join(b"%d 0 R" % number for number in range(5, count + 5))
    leaf = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>"
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
    return pdf([CATALOG, tree, stream(deflated(content), _FLATE), HELVETICA, *[leaf] * count])


def rectangles() -> bytes:
    """A hundred and twenty pages of sixty thousand rectangles."""
    return _pages(120, *repeated(b"20 20 500 700 re S\n", 60_000))


def rectangles_in_all_places() -> bytes:
    """A hundred and twenty pages of sixty thousand rectangles, none of them where another is."""
    drawn = b"".join(b"%d %d %d %d re f\n" % (n % 600, n // 100, 1 + n % 7, 1 + n % 5) for n in range(60_000))
    return _pages(120, drawn)


def letters() -> bytes:
    """Three hundred pages of ninety thousand letters, in words of ten."""
    line = b"BT /F 1 Tf 1 0 0 1 %d %d Tm (%s) Tj ET\n"
    words = b" ".join([b"abcdefghij"] * 20)
    return _pages(300, *(line % (20 + 90 * (n % 6), 20 + n // 6 * 10, words) for n in range(400)))


def curves() -> bytes:
    """Five hundred pages of ten thousand curves with round caps."""
    return _pages(500, b"1 J 3 w\n", *repeated(b"0 0 m 300 900 600 -900 612 792 c S\n", 10_000))


def short_lines() -> bytes:
    """A thousand pages of twenty thousand strokes of a pen."""
    return _pages(1000, *repeated(b"100 100 m 103 105 l 99 107 l S\n", 20_000))
