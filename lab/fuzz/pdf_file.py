"""Write PDFs object by object (PDF 32000-1, 7.5), right or wrong as asked."""

from __future__ import annotations

from collections.abc import Sequence

CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
ONE_PAGE = b"<</Type/Pages/Kids[3 0 R]/Count 1>>"


def pdf(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """Return a PDF of these objects, numbered from 1, the first the catalog; `trailer` are further entries."""
    out, places, length = [b"%PDF-1.7\n"], [], 9
    for number, source in enumerate(objects, 1):
        places.append(length)
        out.append(b"%d 0 obj\n%s\nendobj\n" % (number, source))
        length += len(out[-1])
    out.append(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out += [b"%010d 00000 n \n" % place for place in places]
    out.append(b"trailer\n<</Size %d/Root 1 0 R%s>>\n" % (len(objects) + 1, trailer))
    out.append(b"startxref\n%d\n%%%%EOF\n" % length)
    return b"".join(out)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """Return a stream object with these entries beside its length."""
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


def one_page(
    content: bytes, resources: bytes = b"", *more: bytes, page: bytes = b"", packing: bytes = b""
) -> bytes:
    """Return a PDF of one letter page. Its content is object 4, `more` are the objects from 5.

    `page` are further entries of the page, `packing` those of the content's stream.
    """
    box = b"" if b"/MediaBox" in page else b"/MediaBox[0 0 612 792]"
    leaf = b"<</Type/Page/Parent 2 0 R%s/Contents 4 0 R/Resources<<%s>>%s>>" % (box, resources, page)
    return pdf([CATALOG, ONE_PAGE, leaf, stream(content, packing), *more])


def form(content: bytes, resources: bytes = b"", entries: bytes = b"", box: bytes = b"0 0 612 792") -> bytes:
    """Return a form XObject."""
    head = b"/Type/XObject/Subtype/Form/BBox[%s]/Resources<<%s>>%s" % (box, resources, entries)
    return stream(content, head)


def image(data: bytes, width: int, height: int, entries: bytes) -> bytes:
    """Return an image XObject."""
    head = b"/Type/XObject/Subtype/Image/Width %d/Height %d%s" % (width, height, entries)
    return stream(data, head)


def page_of_image(*images: bytes, times: int = 1) -> bytes:
    """Return a PDF of one page that shows the first image so often over the whole page."""
    return one_page(b"q 612 0 0 792 0 0 cm /I Do Q " * times, b"/XObject<</I 5 0 R>>", *images)


#: A simple font that needs no file.
HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
