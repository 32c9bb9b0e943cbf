"""What plain sentences state of a name."""

from __future__ import annotations

from research.document import Reference
from research.material import SourceText
from research.readers.rules.sentences import said_of
from research.sources.passages import passages_of

TEXT = "Otter Hour costs 4 dollars a visit. Otter Hour Plus costs 9 dollars a visit."


def test_what_a_longer_name_costs_is_not_said_of_the_shorter_one() -> None:
    reference = Reference(key="weir", kind="web", title="Swimming at the weir")
    source = SourceText(reference, "weir.example.org", passages_of([TEXT]), "en")
    values = said_of({"Otter Hour": "Otter Hour"}, source, ["cost"])["Otter Hour"]["cost"]
    assert [value for value, _ in values] == ["4 dollars a visit"]
