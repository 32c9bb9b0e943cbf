"""Ask the run's model for fields of its entry; the readings need a person's approval."""

from __future__ import annotations

from collections.abc import Collection

from pipeline.extraction.model_fields import read_missing_fields
from pipeline.orchestrator.artifacts import load_text
from pipeline.orchestrator.context import RunContext
from pipeline.orchestrator.review_proposals import said_by_model
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.confidence import sure_values


def read_by_model(
    context: RunContext, artifact_dir: str, record: SubmissionRecord, fields: Collection[str]
) -> dict[str, FieldReading]:
    """Return what the model reads in the entry's text, by field; empty without a model.

    The values of other fields that are not weak are removed from the text that is sent. Raises what
    `Model.ask` raises.
    """
    if context.model is None or not fields:
        return {}
    found = read_missing_fields(
        load_text(context.store, artifact_dir),
        fields,
        model=context.model,
        settings=context.settings,
        known=sure_values(record, context.policy, but=fields),
    )
    return {name: said_by_model(value, name in found.uncertain) for name, value in found.values.items()}
