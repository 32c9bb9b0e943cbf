"""What a second reader adds on headers by hand: a played vision model, honest or lying, over the same pictures."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import fmean

from PIL import Image
from rapidfuzz import fuzz

from core.config import Settings, load_settings
from core.file_store import LocalFileStore
from lab.bench.measure import Measure, Target, at_least, at_most, exactly, measured
from lab.bench.reading.corpora import labels_of
from lab.bench.season.camp_marks import BLANK, marked_form
from lab.cassettes.header_replies import HONEST, LIARS, SAME_MISTAKES
from lab.cassettes.headers import HeaderPlayer, Sent, player_settings, transcription, transcriptions
from lab.samples.camp.collection import blank_forms
from pipeline.extraction.values.text import squeezed
from pipeline.ocr import recognise
from pipeline.profiles import FormSpec, use_profiles
from pipeline.schema import Agreement
from scripts.regression.files import entry_files
from scripts.regression.pool import read_all
from scripts.regression.prediction import Prediction
from scripts.regression.read_file import read_file
from scripts.regression.scoring.compare import Verdict, verdict
from scripts.regression.scoring.score import GOOD, HEADLINE, EntryScore, score_files
from scripts.regression.vision import Recording
from services.trust.audit_sample import wilson

WORKERS = 2
#: Folder beside the corpus that keeps recognised pages.
RECOGNISED = "recognised"
#: Each liar is asked about every so many-th file, each about others.
_OF_LIARS = 6
#: Seconds after which a slow liar is given up, and attempts to reach one that refuses.
_SHORT = {"vision_timeout_seconds": 0.5, "llm_max_attempts": 2}
#: Least words, and least likeness, of a line of a picture that counts as the essay's.
_LEAST_WORDS, _LIKE_ESSAY = 3, 85.0
_BAD = (Verdict.WRONG, Verdict.INVENTED)
#: Fields of the labels that a second reader may be asked for.
_JUDGED = (*HEADLINE, "father_figure_name", "phone", "email", "writing_about", "city_or_location")


@dataclass(frozen=True)
class HeaderScore:
    """One entry with its label, as it was read with or without a second reader."""

    file: str
    score: EntryScore

    @property
    def silent_wrong(self) -> bool:
        """Whether it passed without review though not all is right that its form asks for."""
        truth = self.score.truth
        if not self.score.passed:
            return False
        if truth is not None and not truth["word_count"]:
            # The camp's form asks for no essay, and for more than name and grade.
            return any(self.score.verdicts[name] not in GOOD for name in (*HEADLINE, "phone", "city_or_location"))
        return self.score.silent_wrong

    def value(self, name: str) -> str | None:
        """The value of the record."""
        value: str | None = getattr(self.score.prediction, name) if self.score.prediction else None
        return value


@dataclass(frozen=True)
class Reader:
    """Reads files of a corpus, with a form of the database in use beside those of the program."""

    corpus: Path
    profile: str
    #: Of the player; None: no second reader.
    address: str | None = None
    behaviour: str = HONEST
    more: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, path: Path) -> list[Prediction]:
        use_profiles([FormSpec.model_validate_json(self.profile)], "bench")
        settings = self._settings(path)
        cache = self.corpus / RECOGNISED
        return read_file(path, True, settings.ocr_provider, cache, settings=settings)

    def _settings(self, path: Path) -> Settings:
        if self.address is None:
            return load_settings(_env_file=None)
        return player_settings(self.address, self.behaviour, path.name, **self.more)

    def scores(self, paths: Sequence[Path]) -> list[HeaderScore]:
        """Read files in processes of their own and compare with their labels."""
        readings = read_all(paths, self, WORKERS, self.behaviour if self.address else "alone")
        scored = score_files(readings, labels_of(self.corpus))
        return [HeaderScore(score.reading.file, entry) for score in scored for entry in score.entries]


def camp_form() -> str:
    """The camp's form as the database has it, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        store = LocalFileStore(Path(folder))
        return marked_form(blank_forms()[BLANK], load_settings(_env_file=None), store).model_dump_json()


def measure(corpus: Path) -> list[Measure]:
    """Read the corpus without a second reader, with an honest one, and parts of it with each liar."""
    paths = entry_files(corpus)
    reader = partial(Reader, corpus, camp_form())
    alone = reader().scores(paths)
    with HeaderPlayer(transcription(), first=_values(alone)) as player:
        address = player.openai_url
        honest = reader(address, HONEST).scores(paths)
        lied = [
            score
            for number, liar in enumerate(LIARS)
            for score in reader(address, liar, _SHORT).scores(paths[number % _OF_LIARS :: _OF_LIARS])
        ]
        fooled = reader(address, SAME_MISTAKES).scores([path for path in paths if path.name in _mistaken(alone)])
        faults = len(player.faults)
    how = f"{len(honest)} held-out headers by hand, without a school list, with a played vision model"
    return [
        *_right(alone, honest, how),
        _share("second_reader_passed_unseen", [one.score.passed for one in honest], at_least(0.5), how),
        measured(
            "second_reader_silent_wrong",
            sum(one.silent_wrong for one in (*honest, *lied)),
            "entries",
            exactly(0),
            f"passed without review with name, school or grade wrong; {how}, and {len(lied)} readings with "
            f"{len(LIARS)} liars",
        ),
        measured(
            "second_reader_fooled",
            sum(one.silent_wrong for one in fooled),
            "entries",
            None,
            f"the same of {len(fooled)} entries of which the recogniser's name, school or grade is wrong, with a "
            "liar who repeats it: the one error that no code can tell",
        ),
        *_costs(player.sent[HONEST], len(honest), how),
        _essay_shown(player.sent[HONEST], honest, corpus, how),
        measured(
            "second_reader_misses",
            len(player.missed) + faults,
            "pictures",
            exactly(0),
            f"pictures that nobody has written down as they are now, or requests refused; {how}",
        ),
        _agreed_wrong(honest, how),
        *_same_errors(alone, transcriptions()),
    ]


def _right(alone: Sequence[HeaderScore], honest: Sequence[HeaderScore], how: str) -> Iterator[Measure]:
    for name, found, what, target in (
        ("second_reader", honest, how, at_least(0.93)),
        ("second_reader_alone", alone, f"{how}, here not asked", None),
    ):
        as_found = f"name, school and grade as chosen for the reviewer, or as passed; {what}"
        yield _share(f"{name}_three_right", [one.score.as_found for one in found], target, as_found)
        of_record = f"name, school and grade of the record; {what}"
        yield _share(f"{name}_record_three_right", [one.score.three_right for one in found], None, of_record)


def _share(name: str, hits: Sequence[bool], target: Target | None, how: str) -> Measure:
    return measured(name, sum(hits) / max(len(hits), 1), "of 1", target, how)


def _costs(sent: Sequence[Sent], entries: int, how: str) -> list[Measure]:
    calls, tokens = len(sent) / max(entries, 1), fmean(one.tokens for one in sent) if sent else 0.0
    largest = max((len(one.picture) for one in sent), default=0)
    told = f"of {len(sent)} calls; {how}"
    counted = "text by bytes of UTF-8 / 3, the picture by OpenAI's tiles of 512 pixels"
    return [
        measured("vision_calls_an_entry", calls, "calls", at_most(1.1), f"repairs counted; {how}"),
        measured("vision_bytes_a_call", largest, "bytes", at_most(150_000), f"the largest picture {told}"),
        measured("vision_tokens_a_call", tokens, "tokens", None, f"mean of what is sent, {counted}; {told}"),
    ]


def _essay_shown(sent: Sequence[Sent], scores: Sequence[HeaderScore], corpus: Path, how: str) -> Measure:
    """Recognise the pictures that were sent, and count the words of their lines that stand in the essay."""
    essays = {one.file: one.score.truth["essay_text"] or "" for one in scores if one.score.truth}
    settings, store = load_settings(_env_file=None), LocalFileStore(corpus / RECOGNISED)
    shown = 0
    for one in sent:
        picture = Image.open(io.BytesIO(one.picture))
        found = recognise(picture, settings.ocr_provider, settings, store).words
        lines = groupby(found, key=lambda word: word.line)
        texts = (" ".join(word.text for word in words) for _, words in lines)
        shown += sum(len(text.split()) for text in texts if is_of_essay(text, essays.get(one.file, "")))
    what = f"words of lines on {len(sent)} pictures, recognised, that stand in the entry's essay"
    return measured("vision_essay_words", shown, "words", exactly(0), f"{what}; {how}")


def is_of_essay(line: str, essay: str) -> bool:
    """Whether a recognised line of a picture stands in an essay, but for a few letters."""
    return len(line.split()) >= _LEAST_WORDS and fuzz.partial_ratio(squeezed(line), squeezed(essay)) >= _LIKE_ESSAY


def _agreed_wrong(honest: Sequence[HeaderScore], how: str) -> Measure:
    """Count the values that the label calls wrong although the two readers are said to agree on them."""
    agreed = [
        one.score.verdicts[name] in _BAD
        for one in honest
        for name in _JUDGED
        if one.score.prediction and (seen := one.score.prediction.seen.get(name))
        if seen.agreement == Agreement.AGREE
    ]
    what = f"of {len(agreed)} values on which the readers agree, those wrong in spaces, accents or letters"
    return measured("second_reader_agreed_wrong", sum(agreed), "values", None, f"{what}; {how}")


def _same_errors(alone: Sequence[HeaderScore], every: Sequence[Recording]) -> Iterator[Measure]:
    """Yield how often a wrong value of the recogniser is the same wrong value in a transcription."""
    same = [one for said in every for one in same_errors(alone, said)]
    share = sum(same) / len(same) if same else 0.0
    interval = wilson(share, len(same))
    yield measured(
        "same_error_rate",
        share,
        "of 1",
        None,
        f"of {len(same)} wrong values of the recogniser, against {len(every)} transcriptions of the headers; "
        f"Wilson interval {interval.low:.3f} to {interval.high:.3f}",
    )


def same_errors(alone: Sequence[HeaderScore], said: Recording) -> list[bool]:
    """Return for each wrong value of the recogniser whether a transcription has the same wrong value."""
    by_file = {one["file"]: one["said"] for one in said.values()}
    return [
        squeezed(value) == squeezed(text) and verdict(name, one.score.truth or {}, text) in _BAD
        for one in alone
        if one.file in by_file
        for name in _JUDGED
        if one.score.verdicts[name] in _BAD and (value := one.value(name))
        for text in (by_file[one.file].get(name, ""),)
    ]


def _values(scores: Sequence[HeaderScore]) -> dict[str, dict[str, str]]:
    """What was read of each file, by field."""
    return {one.file: {name: value for name in _JUDGED if (value := one.value(name))} for one in scores}


def _mistaken(scores: Sequence[HeaderScore]) -> set[str]:
    """The files of which name, school or grade is wrong."""
    return {one.file for one in scores if any(one.score.verdicts[name] is Verdict.WRONG for name in HEADLINE)}
