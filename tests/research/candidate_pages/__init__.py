"""Pages that list several items, invented: the question, the items with what each costs, and the text.

Those that are called "aside" were written before the rules that they measure, and the rules without them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from research.catalog.candidate_names import same_item
from research.config import Language
from research.document import Reference
from research.material import SourceText
from research.meaning import NoMeaning
from research.memo import CatalogCandidate
from research.questions.catalog_fields import is_pricing, required_fields_of
from research.readers.choice import open_reader
from research.readers.item_reading import read_items
from research.readers.protocol import Asked
from research.report_type import ReportType
from research.sources.base import Passage

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Page:
    """A labelled page."""

    name: str
    query: str
    source: SourceText
    #: What each item costs, "" where the page does not say.
    items: dict[str, str]

    def candidates(self) -> list[CatalogCandidate]:
        """What is read of it by rule."""
        sources = {self.name: self.source}
        language: Language = "es" if self.source.language == "es" else "en"
        fields = tuple(required_fields_of(self.query)[1:])
        asked = Asked(self.query, ReportType.CATALOG, language, 2025, fields)
        return read_items(open_reader(None, NoMeaning()), asked, sources)


@dataclass(frozen=True)
class Score:
    """How a page was read."""

    missed: list[str]
    false: list[str]
    #: Items with another cost than their own, or with one where they have none.
    wrong_costs: list[str]


def pages(kind: str) -> list[Page]:
    """Those of a kind: "seen" or "aside"."""
    return [_page(path) for path in sorted(_HERE.glob(f"{kind}_*.txt"))]


def score(page: Page) -> Score:
    """Items missed, names that are no item, costs that are wrong."""
    found = page.candidates()
    of_item = {item: [one for one in found if same_item(item, one.name)] for item in page.items}
    missed = [item for item, candidates in of_item.items() if not candidates]
    false = [one.name for one in found if not any(same_item(item, one.name) for item in page.items)]
    wrong = [
        item
        for item, candidates in of_item.items()
        if candidates and not _has_cost(candidates[0], page.items[item])
    ]
    return Score(missed, false, wrong)


def _has_cost(candidate: CatalogCandidate, cost: str) -> bool:
    told = [value.value for field, values in candidate.values.items() if is_pricing(field) for value in values]
    return all(cost.casefold() in value.casefold() for value in told) and bool(told) if cost else not told


def _page(path: Path) -> Page:
    head, _, text = path.read_text(encoding="utf-8").partition("---\n")
    lines = [line.partition(": ")[::2] for line in head.splitlines()]
    told = dict(lines)
    costs = [value.partition(" =")[::2] for key, value in lines if key == "item"]
    reference = Reference(
        key=path.stem,
        kind="web",
        title=told["title"],
        url=f"https://{path.stem.replace('_', '-')}.example/page",
        publisher=told.get("publisher"),
        authors=(told["authors"],) if "authors" in told else (),
    )
    source = SourceText(reference, "pages.example", (Passage(text, 0, len(text)),), told["language"])
    return Page(path.stem, told["query"], source, {name: cost.strip() for name, cost in costs})
