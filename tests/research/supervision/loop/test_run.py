"""Loops that are taken up where a process left them."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from core.graphs import StrictSerializer
from research.supervision.loop.graph import create_supervision_graph, run_supervision
from research.supervision.loop.routing import SupervisionState
from research.supervision.types import TIERS, Ended
from tests.support.research.supervised import loop


class Dies(InMemorySaver):
    """Does not get to write the checkpoint of this step, once."""

    step: int | None

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        if metadata["step"] == self.step:
            self.step = None
            raise KeyboardInterrupt
        return super().put(config, checkpoint, metadata, new_versions)


@pytest.mark.parametrize("step", range(-1, 6))
def test_a_loop_goes_on_behind_each_checkpoint(step: int) -> None:
    _, context, _, store = loop(lambda _: "well", TIERS["quick"])
    saver = Dies(serde=StrictSerializer())
    saver.step = step
    graph = create_supervision_graph(saver)
    begin: SupervisionState = {"supervision_id": "s", "version_no": 1, "iteration": 0}
    with pytest.raises(KeyboardInterrupt):
        run_supervision(graph, "s", begin, context)
    result = run_supervision(graph, "s", begin, context)
    assert (result.ended, result.iterations, result.integrations) == (Ended.MAX_ITERATIONS, 1, 1)
    assert len(store.versions) == 2
    assert store.finished
