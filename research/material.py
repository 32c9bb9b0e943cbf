"""A source as it was read, and a report as it was written."""

from __future__ import annotations

from dataclasses import dataclass

from research.document import CheckedClaim, Reference, ReportDocument
from research.memo import ResearchMemo
from research.sources.base import Passage


@dataclass(frozen=True)
class SourceText:
    """A read source with its full text."""

    reference: Reference
    domain: str
    passages: tuple[Passage, ...]
    language: str = "en"

    @property
    def text(self) -> str:
        """The full text, in which quotations are verified."""
        return "".join(passage.text for passage in self.passages)

    def page_at(self, position: int) -> int | None:
        """Return the number of the page that holds a position of the text; None if it is on no numbered page."""
        return next((one.page_no for one in self.passages if one.start_char <= position < one.end_char), None)


@dataclass(frozen=True)
class WrittenReport:
    """A document, and every claim that was checked for it, published or dropped."""

    document: ReportDocument
    claims: tuple[CheckedClaim, ...] = ()
    #: The last memo as the report settles it; None where it stays as the round left it.
    memo: ResearchMemo | None = None
