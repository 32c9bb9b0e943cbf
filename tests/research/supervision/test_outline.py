from __future__ import annotations

from research.document import ReportDocument, Section
from research.supervision.prompts import document_outline


def test_of_a_long_document_deep_sections_go_first_and_chosen_ones_stay() -> None:
    about = "what a chapter is about and whom it concerns in which years"
    sections = [
        Section(key=f"s{at}", heading=f"{at}: {about}", level=1 + at % 2, body="Words of a body. " * 20)
        for at in range(220)
    ]
    chosen = Section(key="bullying", heading="Bullying", level=3, body="A short body.")
    shown = document_outline(ReportDocument(title="Long", sections=(*sections, chosen)), "schools", ["bullying"])
    last = sections[-1].key
    assert "[bullying]" in shown and "[s218]" in shown and f"[{last}]" not in shown
