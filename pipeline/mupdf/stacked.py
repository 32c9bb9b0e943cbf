"""Fields that lie under later annotations or fields: these are drawn in their order (PDF 32000-1, 12.5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.mupdf import pymupdf
from pipeline.mupdf.plain import Rect

_mupdf = pymupdf.mupdf
#: Share of a field from which it counts as covered.
_COVERED = 0.6
#: Annotations with a ground where they have this color (PDF 32000-1, 12.5.6); stamps have one.
_GROUNDS = {
    pymupdf.PDF_ANNOT_FREE_TEXT: "C",
    pymupdf.PDF_ANNOT_SQUARE: "IC",
    pymupdf.PDF_ANNOT_CIRCLE: "IC",
    pymupdf.PDF_ANNOT_POLYGON: "IC",
}
_HIDDEN, _NO_VIEW = 2, 32
#: Annotations of a page that are looked at.
_MOST = 2_000


def covered_fields(page: pymupdf.Page, filled: Sequence[tuple[int, Rect]]) -> set[int]:
    """Return which of the filled fields are covered, all by the numbers of their objects.

    Of two filled fields at one place the later one is seen.
    """
    if not filled:
        return set()
    grounds = _grounds(page)
    if not grounds and not _any_at_one_place([rect for _, rect in filled]):
        return set()
    order = {xref: at for at, (xref, *_) in enumerate(page.annot_xrefs())}

    def covers(over: int, xref: int) -> bool:
        return order.get(over, 0) > order.get(xref, 0)

    return {
        xref
        for xref, rect in filled
        if any(covers(over, xref) and _share(rect, ground) >= _COVERED for over, ground in grounds)
        or any(covers(over, xref) and _are_at_one_place(rect, other) for over, other in filled)
    }


def _grounds(page: pymupdf.Page) -> list[tuple[int, Rect]]:
    """Return the annotations with a ground that is painted, and where they lie."""
    found: list[tuple[int, Rect]] = []
    annot = _mupdf.pdf_first_annot(_mupdf.pdf_page_from_fz_page(page.this))
    for _ in range(_MOST):
        if not annot.m_internal:
            break
        if _has_ground(annot):
            bound = _mupdf.pdf_bound_annot(annot)
            number = _mupdf.pdf_to_num(_mupdf.pdf_annot_obj(annot))
            found.append((int(number), unrotated(page, (bound.x0, bound.y0, bound.x1, bound.y1))))
        annot = _mupdf.pdf_next_annot(annot)
    return found


def _has_ground(annot: Any) -> bool:
    kind = _mupdf.pdf_annot_type(annot)
    if _mupdf.pdf_annot_flags(annot) & (_HIDDEN | _NO_VIEW):
        return False
    if kind == pymupdf.PDF_ANNOT_STAMP:
        return True
    if kind not in _GROUNDS:
        return False
    color = _mupdf.pdf_dict_get(_mupdf.pdf_annot_obj(annot), pymupdf.PDF_NAME(_GROUNDS[kind]))
    return bool(_mupdf.pdf_array_len(color) > 0)


def _are_at_one_place(rect: Rect, other: Rect) -> bool:
    """Whether two fields cover each other; one that lies in a larger one may be seen through it."""
    return min(_share(rect, other), _share(other, rect)) >= _COVERED


def _any_at_one_place(rects: Sequence[Rect]) -> bool:
    by_top = sorted(rects, key=lambda rect: rect[1])
    for n, rect in enumerate(by_top):
        for below in by_top[n + 1 :]:
            if below[1] >= rect[3]:
                break
            if _are_at_one_place(rect, below):
                return True
    return False


def unrotated(page: pymupdf.Page, rect: Rect) -> Rect:
    """Return a rectangle of the displayed page in the page that is not rotated."""
    return tuple(pymupdf.Rect(rect) * page.derotation_matrix) if page.rotation else rect


def _share(rect: Rect, over: Rect) -> float:
    width = min(rect[2], over[2]) - max(rect[0], over[0])
    height = min(rect[3], over[3]) - max(rect[1], over[1])
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    return max(width, 0.0) * max(height, 0.0) / area if area > 0 else 0.0
