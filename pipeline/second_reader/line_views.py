"""What the recogniser sees in the place of a field: lattices that tell how likely a spelling is there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from core.file_store import FileStore
from pipeline.extraction.page_roles import RoledPage
from pipeline.looks.closer_look import SOURCE_DPI, can_look_closer
from pipeline.looks.line_look import LineLook, rows_of
from pipeline.ocr import recognise_line
from pipeline.ocr_providers.base import OcrProvider
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldKind
from pipeline.recognition.page_contents import render_page
from pipeline.schema import FieldReading
from pipeline.spelling.lattice import Lattice, in_one_line

#: Crops of a line where no form tells its place: shares of its height beyond its ends, and above and below it.
_CROPS = ((0.2, 0.0), (0.4, 0.15), (0.6, 0.3))


class LineViews:
    """Crops of one recognised page as the recogniser sees them.

    The methods raise RecognitionError and DamagedDocumentError.
    """

    def __init__(self, pdf: bytes, roled: RoledPage, provider: OcrProvider, store: FileStore) -> None:
        self._pdf, self._roled, self._provider, self._store = pdf, roled, provider, store

    def of(self, field: str, reading: FieldReading) -> Sequence[Lattice]:
        """Return the lattices of a field's place on a measured form, else those of the lines of its reading."""
        if (look := self._look) is None:
            return self._of_lines(reading)
        spec = self._roled.form.fields.get(field)
        if spec is None or spec.zone is None or spec.kind is FieldKind.CHOICE:
            return []
        return look.views(field, spec.kind, None)

    @cached_property
    def _look(self) -> LineLook | None:
        if not can_look_closer(self._roled):
            return None
        return LineLook(self._pdf, self._roled, self._provider, self._store)

    def _of_lines(self, reading: FieldReading) -> list[Lattice]:
        page = self._roled.page
        rows = rows_of(at.box for at in reading.evidence if at.page == page.number)
        crops = [[self._lattice(row, *by) for row in rows] for by in _CROPS if rows]
        return [in_one_line(crop) for crop in crops if all(crop)]

    def _lattice(self, line: Box, across: float, down: float) -> Lattice:
        """Return what is seen in a line's box, in shares of the displayed page, with a margin."""
        page = self._roled.page
        wide, high = across * line.height * page.height / page.width, down * line.height
        clip = Box(
            max(line.x0 - wide, 0.0), max(line.y0 - high, 0.0), min(line.x1 + wide, 1.0), min(line.y1 + high, 1.0)
        )
        picture = render_page(self._pdf, page.number, SOURCE_DPI, clip, turned=page.turned)
        return Lattice(recognise_line(picture, self._provider, self._store).steps)
