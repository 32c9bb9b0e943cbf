"""Whether the estimated probability of a recognised value is what it says, and tells right from wrong values."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

from core.config import get_settings
from lab.bench.measure import Measure, at_least, at_most, measured
from lab.bench.reading.corpora import SEED, labels_of
from lab.bench.reading.held_out import WORKERS
from lab.bench.reading.proposals import RECOGNISED
from pipeline.looks.second_look import second_readings
from pipeline.schema import FieldReading, SubmissionRecord
from pipeline.validation.certainty import SIGNALS, probability_of
from scripts.regression.files import entry_files
from scripts.regression.pool import digest, read_all
from scripts.regression.prediction import FileReading, Prediction
from scripts.regression.read_file import read_file
from scripts.regression.scoring.compare import Verdict
from scripts.regression.scoring.reliability import Judged, calibration_error, ranking
from scripts.regression.scoring.score import EntryScore, score_files
from scripts.regression.scoring.writing import Writing

#: Folder beside the corpus that keeps what was read of each file: a corpus is reused without reading it again.
VALUES = "values"
#: Fewer wrong values of a field than this say nothing of the field alone.
_FEW = 5
_DRAWS = 1000


@dataclass(frozen=True)
class ReadValue:
    """One recognised value: what it was estimated from, and whether it is right."""

    field: str
    #: Digest of its file.
    file: str
    by_hand: bool
    right: bool
    #: As `pipeline/validation/certainty.signals_of` names them.
    signals: Mapping[str, float]


def measure(corpus: Path) -> list[Measure]:
    """Read entries of held-out people and hands through the orchestrator; compare probabilities with the truth."""
    values = values_of(corpus)
    by_hand = [value for value in values if value.by_hand]
    how = (
        f"{len(values)} recognised values of held-out people, schools and hands (seed {SEED}), {_wrong(values)} "
        "of them wrong or invented; single entries, most of them poor copies; by the orchestrator without model "
        "or school list"
    )
    return [
        *_figures("confidence", values, how, True),
        *_figures("confidence_handwritten", by_hand, f"of the {len(by_hand)} on forms by hand; {how}"),
        measured(
            "confidence_auroc_of_what_may_pass",
            ranking([Judged(value.field, value.signals["confidence"], value.right) for value in values]) or 0.0,
            "of 1",
            None,
            f"the same of the figure that decides what may pass, which was shown before; {how}",
        ),
        *_by_field(values, how),
    ]


def values_of(corpus: Path) -> list[ReadValue]:
    """Return the recognised values of a corpus; files that were read before are not read again."""
    kept = corpus / VALUES
    kept.mkdir(exist_ok=True)
    labels = labels_of(corpus)
    files = [path for path in entry_files(corpus) if digest(path) in labels]
    left = [path for path in files if not _kept(kept, path).exists()]
    read_all(left, partial(_read_and_keep, corpus=corpus, labels=labels), WORKERS, "confidence")
    # A file that could not be read has no values.
    found = [json.loads(path.read_text()) for path in (_kept(kept, file) for file in files) if path.exists()]
    return [ReadValue(**value) for values in found for value in values]


def judged(values: Sequence[ReadValue]) -> list[Judged]:
    """Return the values with the probability that they have now."""
    return [Judged(value.field, probability_of(value.signals), value.right) for value in values]


def given_again(
    fields: Sequence[str], pdf_key: str, ocr_provider_name: str, record: SubmissionRecord, **clients: Any
) -> dict[str, list[FieldReading]]:
    """Read only fields with a value again: nothing is estimated of the others, and sharpening pages takes long."""
    given = [name for name in fields if record.value_of(name) is not None]
    return second_readings(given, pdf_key, ocr_provider_name, record, **clients)


def _read_and_keep(path: Path, corpus: Path, labels: Mapping[str, Any]) -> list[Prediction]:
    predictions = read_file(
        path,
        use_orchestrator=True,
        ocr_provider=get_settings().ocr_provider,
        cache_dir=corpus / RECOGNISED,
        read_again=given_again,
    )
    (score,) = score_files([FileReading(path.name, digest(path), predictions, 0.0)], labels)
    values = [asdict(value) for entry in score.entries for value in _values(digest(path), entry)]
    _kept(corpus / VALUES, path).write_text(json.dumps(values))
    return predictions


def _values(file: str, entry: EntryScore) -> list[ReadValue]:
    if entry.prediction is None:
        return []
    return [
        ReadValue(
            name, file, entry.writing is Writing.HANDWRITTEN, verdict is Verdict.RIGHT, _weighed(seen.signals)
        )
        for name, verdict in entry.verdicts.items()
        if (seen := entry.prediction.seen.get(name)) is not None and seen.probability is not None
        if verdict in (Verdict.RIGHT, Verdict.WRONG, Verdict.INVENTED)
    ]


def _weighed(signals: Mapping[str, float]) -> dict[str, float]:
    return {name: signals[name] for name in SIGNALS}


def _kept(folder: Path, path: Path) -> Path:
    return folder / f"{path.name}.json"


def _figures(name: str, values: Sequence[ReadValue], how: str, has_target: bool = False) -> list[Measure]:
    found = judged(values)
    auroc, error = ranking(found) or 0.0, calibration_error(found) or 0.0
    return [
        measured(
            f"{name}_auroc",
            auroc,
            "of 1",
            at_least(0.85) if has_target else None,
            f"how often a right value has a higher probability than a wrong one; {how}",
        ),
        measured(
            f"{name}_ece",
            error,
            "of 1",
            at_most(0.05) if has_target else None,
            f"mean distance between probability and share right, over ten equal bins; {how}",
        ),
        measured(
            f"{name}_ece_by_chance",
            _error_by_chance(found),
            "of 1",
            None,
            f"the same distance by chance alone if each probability were true, mean of {_DRAWS} draws; {how}",
        ),
    ]


def _error_by_chance(values: Sequence[Judged]) -> float:
    """Return the calibration error to be expected of as many values if each probability were exactly true."""
    rng = Random(SEED)
    draws = (
        calibration_error([replace(value, right=rng.random() < value.confidence) for value in values])
        for _ in range(_DRAWS)
    )
    return fmean(error or 0.0 for error in draws)


def _by_field(values: Sequence[ReadValue], how: str) -> list[Measure]:
    """The same field by field, where enough of a field is wrong: pooled, it may only tell the fields apart."""
    found = []
    for field in sorted({value.field for value in values}):
        own = [value for value in values if value.field == field]
        if _wrong(own) >= _FEW and (auroc := ranking(judged(own))) is not None:
            what = f"of {field} alone: {len(own)} values, {_wrong(own)} wrong; {how}"
            found.append(measured(f"confidence_auroc_{field}", auroc, "of 1", None, what))
    return found


def _wrong(values: Sequence[ReadValue]) -> int:
    return sum(not value.right for value in values)
