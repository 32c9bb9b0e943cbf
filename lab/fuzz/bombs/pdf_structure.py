"""PDFs whose objects form loops, are nested without end, or lie about their number and place."""

from __future__ import annotations

import struct
import zlib

from lab.fuzz.packed import deflated, repeated, zeros
from lab.fuzz.pdf_file import CATALOG, ONE_PAGE, one_page, pdf, stream

_LEAF = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>"


def page_tree_in_a_circle() -> bytes:
    """Nodes of a page tree that are each other's children."""
    node = b"<</Type/Pages/Kids[%s]/Count 3/Parent 2 0 R>>"
    return pdf([CATALOG, node % b"3 0 R 2 0 R", node % b"2 0 R 4 0 R", _LEAF])


def page_tree_that_branches() -> bytes:
    """Twelve levels of nodes, each of ten times the next: a billion pages of thirteen objects."""
    nodes = [
        b"<</Type/Pages/Kids[%s]/Count %d/Parent %d 0 R>>" % (b"%d 0 R " % (n + 1) * 10, 10 ** (14 - n), n - 1)
        for n in range(2, 14)
    ]
    return pdf([CATALOG, *nodes, _LEAF])


def page_tree_of_great_depth() -> bytes:
    """A hundred thousand nodes of one child each."""
    nodes = [b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (n + 1, n - 1) for n in range(2, 100_002)]
    return pdf([CATALOG, *nodes, _LEAF])


def parents_in_a_circle() -> bytes:
    """A page whose parents are each other's parents, and whose size is inherited from none."""
    nodes = (
        b"<</Type/Pages/Kids[4 0 R]/Count 1/Parent 3 0 R>>",
        b"<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>",
    )
    return pdf([CATALOG, *nodes, b"<</Type/Page/Parent 3 0 R>>"])


def count_of_two_billion() -> bytes:
    """A page tree that counts two billion pages and has one."""
    return pdf([CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count 2147483647>>", _LEAF])


def count_below_nothing() -> bytes:
    """A page tree that counts minus one page."""
    return pdf([CATALOG, b"<</Type/Pages/Kids[3 0 R]/Count -1>>", _LEAF])


def one_page_a_million_times() -> bytes:
    """A page tree that names one page a million times."""
    return pdf([CATALOG, b"<</Type/Pages/Kids[%s]/Count 1000000>>" % (b"3 0 R " * 1_000_000), _LEAF])


def previous_tables_in_a_circle() -> bytes:
    """A cross-reference table whose predecessor is itself."""
    whole = pdf([CATALOG, ONE_PAGE, _LEAF])
    place = int(whole.split(b"startxref\n")[1].split()[0])
    return whole.replace(b"/Root", b"/Prev %d/XRefStm %d/Root" % (place, place))


def ten_thousand_revisions() -> bytes:
    """Ten thousand tables that were appended, each naming its predecessor."""
    whole = pdf([CATALOG, ONE_PAGE, _LEAF])
    place, out, length = int(whole.split(b"startxref\n")[1].split()[0]), [whole], len(whole)
    for _ in range(10_000):
        update = b"xref\n0 0\ntrailer\n<</Size 4/Root 1 0 R/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (place, length)
        place = length
        out.append(update)
        length += len(update)
    return b"".join(out)


def size_of_two_billion() -> bytes:
    """A trailer that promises two billion objects."""
    return pdf([CATALOG, ONE_PAGE, _LEAF]).replace(b"/Size 4", b"/Size 2147483647")


def table_of_far_objects() -> bytes:
    """A table with entries for objects of the largest numbers."""
    whole = pdf([CATALOG, ONE_PAGE, _LEAF])
    far = b"8388606 2\n0000000009 00000 n \n0000000009 00000 n \n2147483640 3\n" + b"0000000009 00000 n \n" * 3
    return whole.replace(b"trailer", far + b"trailer")


def table_stream_that_lies() -> bytes:
    """A cross-reference stream of huge widths and indices."""
    return _with_table_stream(b"/W[2147483647 4 2]/Index[0 2147483647 5 99999999]", zlib.compress(bytes(100)))


def table_stream_of_no_width() -> bytes:
    """A cross-reference stream of a hundred million entries without a width."""
    return _with_table_stream(b"/W[0 0 0]/Index[0 100000000]", zlib.compress(b""))


def table_stream_of_zeros() -> bytes:
    """A cross-reference stream of eight million entries that takes some kilobytes."""
    return _with_table_stream(b"/W[1 2 1]/Index[0 8000000]", zeros(32_000_000))


def _with_table_stream(entries: bytes, packed: bytes) -> bytes:
    head = b"%PDF-1.7\n1 0 obj\n" + CATALOG + b"\nendobj\n2 0 obj\n" + ONE_PAGE + b"\nendobj\n3 0 obj\n" + _LEAF
    head += b"\nendobj\n"
    table = stream(packed, b"/Type/XRef/Size 8000000/Root 1 0 R/Filter/FlateDecode" + entries)
    return head + b"9 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(head)


def object_stream_of_huge_n() -> bytes:
    """An object stream that promises two billion objects."""
    return _with_object_stream(b"/N 2147483647/First 100", zlib.compress(b"5 0 " * 1000))


def object_stream_that_extends_itself() -> bytes:
    """An object stream that holds and extends itself."""
    return _with_object_stream(b"/N 1/First 4/Extends 4 0 R", zlib.compress(b"4 0 <</Type/Page>>"))


def object_stream_of_megabytes() -> bytes:
    """An object stream of a million small objects."""
    index = b" ".join(b"%d %d" % (number, number * 2) for number in range(10, 1_000_010))
    return _with_object_stream(
        b"/N 1000000/First %d" % (len(index) + 1), deflated([index, b" ", b"7 " * 1_000_000])
    )


def _with_object_stream(entries: bytes, packed: bytes) -> bytes:
    out, places = b"%PDF-1.7\n", []
    objects = (
        CATALOG,
        b"<</Type/Pages/Kids[5 0 R]/Count 1>>",
        b"null",
        stream(packed, b"/Type/ObjStm/Filter/FlateDecode" + entries),
    )
    for number, source in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, source)
    rows = struct.pack(">BIB", 0, 0, 0) + b"".join(struct.pack(">BIB", 1, place, 0) for place in places)
    rows += struct.pack(">BIB", 2, 4, 0)
    table = stream(rows, b"/Type/XRef/Size 6/W[1 4 1]/Root 1 0 R")
    return out + b"6 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % len(out)


def deep_arrays() -> bytes:
    """Three million arrays within each other."""
    return pdf([CATALOG, ONE_PAGE, b"<</Type/Page/Parent 2 0 R/Deep %s>>" % (b"[" * 3_000_000)])


def deep_arrays_that_end() -> bytes:
    """Four hundred arrays within each other, and ended, as the page's contents."""
    deep = b"[" * 400 + b"5 0 R" + b"]" * 400
    return one_page(b"q Q", page=b"/Annots %s/Contents %s" % (deep, deep))


def deep_dictionaries() -> bytes:
    """A million dictionaries within each other."""
    return pdf([CATALOG, ONE_PAGE, b"<</Type/Page/Parent 2 0 R/Resources %s>>" % (b"<</A" * 1_000_000)])


def deep_dictionaries_by_reference() -> bytes:
    """A hundred thousand dictionaries, each holding a reference to the next."""
    chain = [b"<</A %d 0 R/Resources %d 0 R>>" % (n + 1, n + 1) for n in range(5, 100_005)]
    return one_page(b"q Q", b"/XObject 5 0 R", *chain, b"null")


def references_in_a_circle() -> bytes:
    """Objects that are nothing but references to each other."""
    return one_page(b"q Q", b"/Font 5 0 R", b"6 0 R", b"5 0 R", page=b"/Annots 5 0 R/CropBox 6 0 R/Rotate 5 0 R")


def a_million_objects() -> bytes:
    """A million empty objects."""
    return pdf([CATALOG, ONE_PAGE, _LEAF, *[b"null"] * 1_000_000])


def half_a_million_objects_without_a_table() -> bytes:
    """Half a million objects that have to be found by reading through the file."""
    body = b"".join(b"%d 0 obj<<>>endobj\n" % number for number in range(4, 500_000))
    whole = pdf([CATALOG, ONE_PAGE, _LEAF])
    return whole[: whole.index(b"xref")] + body


def objects_without_an_end() -> bytes:
    """A million beginnings of objects and streams, and nothing that ends them."""
    return b"%PDF-1.7\n" + b"1 0 obj<</Length 9 0 R>>stream\n" * 1_000_000


def names_of_megabytes() -> bytes:
    """Keys, names and strings of ten megabytes."""
    name = b"/" + b"N" * 10_000_000
    return one_page(b"%s gs" % name, b"%s %s/A(%s)" % (name, name, b"s" * 10_000_000))


def dictionary_of_a_million_keys() -> bytes:
    """A dictionary of a million keys that come from the last to the first."""
    keys = b"".join(b"/K%07d %d " % (number, number) for number in range(1_000_000, 0, -1))
    return one_page(b"q Q", b"/ExtGState<<%s>>" % keys)


def comments_and_blanks() -> bytes:
    """Forty megabytes of comments and blanks before the first object."""
    return b"%PDF-1.7\n" + b"%\n \0\t\f" * 7_000_000 + pdf([CATALOG, ONE_PAGE, _LEAF])[9:]


def description_of_gigabytes() -> bytes:
    """Metadata that unpack to a hundred and ninety megabytes of one element that is never closed."""
    about = stream(
        deflated(repeated(b"<dc:date><dc:date x='", 9_000_000)), b"/Type/Metadata/Subtype/XML/Filter/FlateDecode"
    )
    catalog = b"<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>"
    return pdf([catalog, ONE_PAGE, _LEAF, about, b"<</Title(%s)>>" % (b"t" * 9_000_000)], b"/Info 5 0 R")


def resources_inherited_from_themselves() -> bytes:
    """Resources that hold themselves under every name."""
    own = b"<</XObject 5 0 R/Font 5 0 R/ExtGState 5 0 R/Pattern 5 0 R/ColorSpace 5 0 R/Properties 5 0 R/A 5 0 R>>"
    return one_page(
        b"/A Do /A gs /A cs /A scn BT /A 9 Tf (a) Tj ET /OC /A BDC", b"", own, page=b"/Resources 5 0 R"
    )


def optional_content_in_a_circle() -> bytes:
    """Optional content whose visibility depends on itself, and on an expression nested ten thousand times."""
    circle = b"<</Type/OCMD/OCGs[5 0 R 5 0 R]/VE[/And 6 0 R 6 0 R]>>"
    deep = b"[/Or " * 400 + b"5 0 R" + b"]" * 400
    content = b"/OC /A BDC 0 0 612 792 re f EMC"
    return one_page(content, b"/Properties<</A 5 0 R>>", circle, b"[/Not 6 0 R]", deep)


def encrypted_by_nonsense() -> bytes:
    """A dictionary of encryption with a key of two billion bits and filters in a circle."""
    encrypt = (
        b"/Encrypt<</Filter/Standard/V 5/R 6/Length 2147483647/O()/U()/OE()/UE()/Perms()/P -1/CF<</A 4 0 R>>"
        b"/StmF/A>>"
    )
    return pdf([CATALOG, ONE_PAGE, _LEAF, b"4 0 R"], encrypt + b"/ID[()()]")
