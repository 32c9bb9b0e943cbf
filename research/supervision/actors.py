"""Give the loop its analyst and its integrator: a model is both. Asked nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import Message
from research.document import ReportDocument
from research.readers.choice import ModelReader
from research.readers.reader import Reader
from research.supervision.analysis.by_model import ModelAnalyst
from research.supervision.analysis.related_sources import Related
from research.supervision.codes import ExaminedCode
from research.supervision.integration.by_model import ModelIntegrator
from research.supervision.loop.nodes import Analyse, Integrate
from research.supervision.types import Expansion, Integration, Issue, SupervisionTier, SupervisorDecision


def actors_of(reader: Reader, related: Related) -> tuple[Analyse, Integrate]:
    """Return what analyses and what integrates; without a model nothing is examined, which the decision says."""
    if isinstance(reader, ModelReader):
        model, meaning = reader.model, reader.meaning
        return ModelAnalyst(model, related, meaning).analyse, ModelIntegrator(model, meaning).integrate
    return _not_examined, _not_changed


def _not_examined(
    document: ReportDocument, explored: Sequence[str], iteration: int, tier: SupervisionTier
) -> SupervisorDecision:
    return SupervisorDecision(examined=False, note=Message.of(ExaminedCode.MODEL_WANTED))


def _not_changed(
    document: ReportDocument, issue: Issue, expansion: Expansion, refused: Sequence[Message]
) -> Integration | None:
    return None
