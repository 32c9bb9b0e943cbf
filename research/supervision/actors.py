"""Choose who analyses and who integrates, by the reader of the report: asked nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from research.readers.choice import ModelReader
from research.readers.reader import Reader
from research.storage.progress import LibraryState
from research.supervision.analysis.by_model import ModelAnalyst
from research.supervision.analysis.by_rule import RuleAnalyst
from research.supervision.analysis.related_sources import Related
from research.supervision.integration import by_rule
from research.supervision.integration.by_model import ModelIntegrator
from research.supervision.loop.nodes import Analyse, Integrate


def actors_of(
    reader: Reader, related: Related, library: Callable[[], LibraryState], planned: Sequence[str]
) -> tuple[Analyse, Integrate]:
    """Return what analyses and what integrates. `planned`: concepts named in the report's plan."""
    if isinstance(reader, ModelReader):
        model, meaning = reader.model, reader.meaning
        return ModelAnalyst(model, related, meaning).analyse, ModelIntegrator(model, meaning).integrate
    return RuleAnalyst(related, library, planned).analyse, by_rule.integrate
