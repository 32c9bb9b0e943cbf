"""What the review agent proposes without a model where poor copies have cost fields."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.bench.measure import Measure, at_least, at_most, measured
from lab.bench.reading.faults import silent_wrong
from lab.bench.reading.held_out import scores_of
from scripts.regression.scoring.figures import entry_figures
from scripts.regression.scoring.proposals import cases, proposal_figures

#: Folder beside the corpus that keeps recognised pages, so that a corpus is reused without recognising it again.
RECOGNISED = "recognised"


def measure(corpus: Path) -> list[Measure]:
    """Read poor copies of held-out headers, without a school list or a model, and score the proposals."""
    entries = [entry for score in scores_of(corpus, corpus / RECOGNISED) for entry in score.entries]
    figures = proposal_figures(cases(entries))
    empty, found = figures["empty"], sum(entry.prediction is not None for entry in entries)
    how = (
        f"{len(entries)} poor copies of held-out header pages, two of three by hand; {found} of them show an "
        "entry. Missing are names, schools and grades on the page that the first reading lacks "
        f"({empty['missing']}) or is too unsure of to "
        f"complete the entry ({figures['missing'] - empty['missing']}); proposed is the value chosen for the "
        "person, which may be the one read"
    )
    return [
        measured(
            "proposal_rate_no_model",
            figures["rate"] or 0.0,
            "of 1",
            at_least(0.3),
            f"share of {figures['missing']} missing fields that a value is proposed for; {how}",
        ),
        measured(
            "proposal_precision_no_model",
            figures["precision"] or 0.0,
            "of 1",
            at_least(0.95),
            f"share of {figures['proposed']} proposals that are right ({figures['changed']} of them another value "
            f"than was read); {how}",
        ),
        measured(
            "proposal_harmful_no_model",
            figures["harmful_share"] or 0.0,
            "of 1",
            at_most(0.01),
            f"share of {figures['read_right']} right first values that a proposal would replace; {how}",
        ),
        *_of_empty(empty, how),
        *silent_wrong("heldout_poor_copies", entry_figures(entries), how),
    ]


def _of_empty(figures: Mapping[str, Any], how: str) -> list[Measure]:
    """The same of fields without any first value: the harder part of the sample."""
    return [
        measured(
            "proposal_rate_empty_no_model",
            figures["rate"] or 0.0,
            "of 1",
            None,
            f"share of the {figures['missing']} without a first value that a value is proposed for; {how}",
        ),
        measured(
            "proposal_precision_empty_no_model",
            figures["precision"] or 0.0,
            "of 1",
            None,
            f"share of the {figures['proposed']} proposals for them, or for fields that the page does not fill, "
            f"that are right; of {figures['shown_only']} values shown without being chosen "
            f"{figures['shown_only_right']} are right; {how}",
        ),
    ]
