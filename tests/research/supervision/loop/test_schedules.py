"""Ten thousand schedules of decisions and failures: each ends in bounds, truly, with the last good document."""

from __future__ import annotations

import pytest

from research.supervision.loop.graph import SupervisionResult, run_supervision
from research.supervision.loop.routing import cited_keys, revision_problems
from research.supervision.types import INTEGRATION_TRIES, TIERS, AttemptOutcome, Ended, SupervisionTier
from tests.support.long import examples
from tests.support.research.supervised import Actors, MemoryStore, document, drawn, loop

SCHEDULES = examples(400, 10_000)
CHUNKS = 8


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_schedules_end_truthfully(chunk: int) -> None:
    ended = set()
    for seed in range(chunk, SCHEDULES, CHUNKS):
        ended.add(check_schedule(seed))
    assert len(ended) > 3


def check_schedule(seed: int) -> Ended:
    """Run one schedule to its end and hold what came of it against what happened."""
    words = drawn(seed)
    tier = list(TIERS.values())[seed % len(TIERS)]
    store = MemoryStore(decide=lambda _: words("decide"))
    graph, context, actors, store = loop(words, tier, "supervised" if seed % 2 else "automatic", store)
    first = {"supervision_id": str(seed), "version_no": 1}
    # A revision that waits is decided and resumed, as often as there are revisions.
    for _ in range(tier.max_iterations + 1):
        result = run_supervision(graph, str(seed), first, context)  # type: ignore[arg-type]
        if result.ended:
            break
    assert result.ended is not None
    check_bounds(result, tier, actors)
    check_truth(result, store)
    check_document(result, store)
    return result.ended


def check_bounds(result: SupervisionResult, tier: SupervisionTier, actors: Actors) -> None:
    assert result.iterations <= tier.max_iterations
    assert actors.analyses <= tier.max_iterations + 1
    assert actors.integrations <= tier.max_iterations * INTEGRATION_TRIES


def check_truth(result: SupervisionResult, store: MemoryStore) -> None:
    """The reason is what the attempts say."""
    outcomes = [store.attempts[number].outcome for number in sorted(store.attempts)]
    failed = [outcome in (AttemptOutcome.FAILED, AttemptOutcome.REFUSED_BY_GUARD) for outcome in outcomes]
    assert store.finished == [(result.ended, result.version_no)]
    assert (result.ended is Ended.CIRCUIT_BREAKER) == (len(failed) >= 2 and all(failed[-2:]))
    if result.ended is Ended.NO_EVIDENCE:
        assert set(outcomes) == {AttemptOutcome.NO_EVIDENCE}
    if result.ended is Ended.APPROVED:
        assert len(outcomes) == result.iterations
    if result.ended in (Ended.MAX_ITERATIONS, Ended.ERROR):
        assert (len(outcomes) == result.iterations and not all(failed[-2:])) or len(failed) == 1


def check_document(result: SupervisionResult, store: MemoryStore) -> None:
    """The last version that was accepted, with all that the first had."""
    assert result.version_no == len(store.versions) == 1 + result.integrations
    last = store.document(result.version_no)
    if result.integrations:
        assert not revision_problems(document(), last, cited_keys(last))
    else:
        assert last == document()
