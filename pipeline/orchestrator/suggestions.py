"""Suggestions of the review agent: the fields that it reads again, how, and which value is likelier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from core.messages import Message
from pipeline.extraction.model_fields import read_missing_fields
from pipeline.extraction.readings import same_value, seen_as_same
from pipeline.extraction.values.fields import parse_value
from pipeline.extraction.values.kinds import ends_in_public_suffix
from pipeline.extraction.values.text import plain_text, squeezed
from pipeline.looks.line_look import VOTES
from pipeline.orchestrator.artifacts import RAW_TEXT, load_reading
from pipeline.orchestrator.context import ProposedField, RunContext
from pipeline.orchestrator_routing import SECOND_READER
from pipeline.pages.page_model import Source
from pipeline.profiles import (
    HEADER_KINDS,
    ZONE_KINDS,
    FieldKind,
    PrintedRole,
    all_profiles,
    derived_fields,
    field_kind,
    text_fields,
)
from pipeline.reason_codes import ProposalReason, ReadingWay, ReasonCode
from pipeline.schema import FIELD_NAMES, FieldReading, Preferred, SecondReading, SubmissionRecord
from pipeline.second_reader.comparison import is_agreed, is_likely
from pipeline.spelling.lattice import SPELLED_KINDS, letter_likelihood, spellable, unpacked
from pipeline.validate import FIELDS_OF_CODE, unexplained_fields
from pipeline.validation.certainty import estimated, sure_values

# Ask the run's model for fields of its entry; the readings need a person's approval.


def read_by_model(
    context: RunContext, artifact_dir: str, record: SubmissionRecord, fields: Collection[str]
) -> dict[str, FieldReading]:
    """Return what the model reads in the entry's text, by field; empty without a model.

    The values of other fields that are not weak are removed from the text that is sent. Raises what
    `Model.ask` raises.
    """
    if context.model is None or not fields:
        return {}
    # The lattices of its lines are not in the state.
    stored, report = load_reading(context.store, artifact_dir)
    found = read_missing_fields(
        report[RAW_TEXT],
        fields,
        model=context.model,
        settings=context.settings,
        known=sure_values(record, context.policy, but=fields),
        looks=[(name, text) for name in fields for text in _further_readings(stored.readings.get(name))],
    )
    return {name: said_by_model(value, name in found.uncertain) for name, value in found.values.items()}


def _further_readings(reading: FieldReading | None) -> list[str]:
    """Return what looks after the first recognition read for a field: its values, and the letters of its line."""
    if reading is None:
        return []
    # The other crops of the line say nearly the same.
    lines = [unpacked(line).likeliest for line in reading.considered[:1]]
    return [text for text in (reading.value, reading.disagrees_with, *lines) if text]


def empty_but_labelled(record: SubmissionRecord) -> list[str]:
    """Return the empty fields that the entry's form prints a label for, beside which a value may be."""
    form = all_profiles().get(record.profile or "")
    labelled = {p.field for p in form.printed if p.role is PrintedRole.LABEL} if form is not None else set()
    return [name for name in FIELD_NAMES if name in labelled and record.value_of(name) is None]


# Choose the fields that the review agent reads again, and build proposals from the readings. Pure.


AS_READ = "as_read"

#: Confidence of a model's value: it occurs in the text, but may belong to another field.
MODEL_CONFIDENCE = 0.5
#: Confidence of a value that the model marked as uncertain.
DOUBTED_CONFIDENCE = 0.3
#: Blocking reasons that mean only that the reading is uncertain.
UNSURE_CODES = frozenset({ReasonCode.OCR_LOW_CONFIDENCE})
_DISAGREEING_CODES = frozenset({ReasonCode.CONTENT_MISMATCH, ReasonCode.SPELLED_AS_OTHERS})
#: A reading from these sources is proposed even if the first one was surer.
INFORMED_SOURCES = frozenset({Source.MODEL, Source.SCHOOL_LIST})


def target_fields(
    record: SubmissionRecord,
    required: Collection[str],
    missing: Collection[str],
    weak: Collection[str],
    blocking_codes: Iterable[str],
    complete_confidence: float,
) -> list[str]:
    """Return the fields to propose values for, in the record's order.

    These are missing fields, weak fields, those that a blocking reason concerns, and those in which the second
    reader has something else. If there are none of these and nothing blocks, the cause is low confidence: the
    required fields that lower it, or all if none does.
    """
    codes = set(blocking_codes) - UNSURE_CODES
    wanted = {*missing, *(name for name in weak if record.value_of(name) is not None)}
    for code in codes:
        wanted.update(FIELDS_OF_CODE.get(code, ()))
    if codes & _DISAGREEING_CODES:
        wanted.update(name for name, reading in record.readings.items() if reading.disagrees_with)
    if ReasonCode.UNEXPLAINED_WORDS in codes:
        wanted.update(unexplained_fields(record))
    wanted.update(name for name, one in record.readings.items() if one.second and one.second.is_other)
    if not wanted and not codes:
        low = {name for name in required if _confidence(record, name) < complete_confidence}
        wanted = low or set(required)
    return [name for name in FIELD_NAMES if name in wanted - derived_fields()]


def propose_field(
    record: SubmissionRecord, name: str, readings: Sequence[FieldReading], is_missing: bool
) -> ProposedField | None:
    """Return one field of the proposal: the best other reading, else the value as read, else an empty row."""
    current, kind = record.value_of(name), field_kind(name)
    votes = [reading for reading in readings if reading.method == VOTES]
    heard = [reading for reading in _heard(readings) if reading.value]
    # Do not show a value that looks the same to a person as another one.
    others = [r for r in heard if current is None or not seen_as_same(kind, r.value or "", current)]
    first = record.readings.get(name, FieldReading())
    read_as = first.disagrees_with if first.way is not None else None
    if first.second is not None and first.second.is_other:
        return _by_second_reader(name, current, first, first.second, others)
    if current is not None and read_as is not None and not seen_as_same(kind, current, read_as):
        return _as_others(name, current, first, others)
    if better := _best(record, name, [r for r in others if _says_something_else(current, r)], heard, votes):
        return ProposedField(
            name=name,
            current_value=current,
            proposed_value=better.value,
            confidence=better.confidence,
            source=better.source.value if better.source else None,
            method=better.method,
            reason=_why(current, better, others),
            evidence=better.evidence[0] if better.evidence else None,
            preferred=preferred_value(name, first, better, heard, votes),
            probability=estimated(name, better, [first, *(r for r in readings if r is not better)]).probability,
        )
    if current is not None and not is_missing:
        return _as_read(record, name, current, others, votes)
    return ProposedField(name, current, None, reason=Message.of(ProposalReason.NOTHING)) if is_missing else None


def worth_proposing(fields: Sequence[ProposedField], required: Collection[str], missing: Collection[str]) -> bool:
    """Whether these fields help a person to decide.

    If nothing is missing, confirming the values as read settles the entry. Otherwise the proposal must hold a
    value for a required field besides the empty rows, and an essay to confirm does not count; if it holds none,
    a review of the entire entry is better.
    """
    counting = set(required) - text_fields() if missing else {field.name for field in fields}
    return any(field.name in counting and field.proposed_value is not None for field in fields)


def said_by_model(value: str, uncertain: bool = False) -> FieldReading:
    """Return the reading of a value that a model found in the text; never sure by itself."""
    confidence = DOUBTED_CONFIDENCE if uncertain else MODEL_CONFIDENCE
    way = Message.of(ReadingWay.MODEL).to_json()
    return FieldReading(value=value, confidence=confidence, source=Source.MODEL, method="model", way=way)


def _heard(readings: Sequence[FieldReading]) -> list[FieldReading]:
    """Return the readings, without votes for values that others give or that have few votes."""
    said = {squeezed(reading.value) for reading in readings if reading.value and reading.method != VOTES}
    return [
        r
        for r in readings
        if r.method != VOTES or (r.confidence >= LIKELY and squeezed(r.value or "") not in said)
    ]


def _says_something_else(current: str | None, reading: FieldReading) -> bool:
    """Whether a reading is neither part of the first value nor that value with printed text around it."""
    if current is None or reading.source in INFORMED_SOURCES:
        return True
    value = reading.value or ""
    if len(squeezed(value)) < len(squeezed(current)) or squeezed(current) in squeezed(value):
        return False
    return not Counter(plain_text(current).split()) <= Counter(plain_text(value).split())


def _best(
    record: SubmissionRecord,
    name: str,
    others: Sequence[FieldReading],
    heard: Sequence[FieldReading],
    votes: Sequence[FieldReading],
) -> FieldReading | None:
    """Return the other reading that is listed, else agreed on by looks, else with most votes, else the surest.

    A reading less sure than the first does not count unless looks agree on it against the first; nor does one with
    fewer votes of the line than the first, or a less likely spelling.
    """
    kind, sure = field_kind(name), _confidence(record, name) if record.value_of(name) is not None else 0.0
    first = record.readings.get(name, FieldReading()).model_copy(update={"value": record.value_of(name)})

    def is_agreed(reading: FieldReading) -> bool:
        return agreed_over(first, reading, heard)

    def is_worth(reading: FieldReading) -> bool:
        if reading.source in INFORMED_SOURCES:
            return True
        if first.value and share_of(reading, votes) < share_of(first, votes):
            return False
        if first.value and share_of(reading, votes) < BACKED and spelling_gain(kind, first, reading) < 0:
            return False
        return reading.confidence >= sure or is_agreed(reading)

    return max(
        filter(is_worth, others),
        key=lambda r: (r.source is Source.SCHOOL_LIST, is_agreed(r), share_of(r, votes), r.confidence),
        default=None,
    )


def _as_read(
    record: SubmissionRecord,
    name: str,
    current: str,
    others: Sequence[FieldReading],
    votes: Sequence[FieldReading],
) -> ProposedField:
    first = record.readings.get(name, FieldReading())
    return ProposedField(
        name=name,
        current_value=current,
        proposed_value=current,
        confidence=first.confidence,
        source=first.source.value if first.source else None,
        method=AS_READ,
        reason=Message.of(
            ProposalReason.BOTH_READERS if first.is_agreed else ProposalReason.AS_READ, problems=_also(others)
        ),
        evidence=first.evidence[0] if first.evidence else None,
        preferred=Preferred.PROPOSED
        if first.is_agreed
        else preferred_as_read(name, first.model_copy(update={"value": current}), votes),
        probability=first.probability,
    )


def _by_second_reader(
    name: str, current: str | None, first: FieldReading, second: SecondReading, others: Sequence[FieldReading]
) -> ProposedField:
    """Return the field with the second reader's value.

    It is preferred if the recogniser finds it likely on the line, or if another look at the page has it. Otherwise
    both values stand: a model invents plausible ones.
    """
    kind, value = field_kind(name), second.value or ""
    seen = any(one.source is Source.OCR and is_agreed(kind, one.value or "", value, {}) for one in others)
    rest = [one for one in others if not is_agreed(kind, one.value or "", value, {})]
    code = ProposalReason.NOT_READ if current is None else ProposalReason.READ_DIFFERENTLY
    return ProposedField(
        name=name,
        current_value=current,
        proposed_value=value,
        confidence=MODEL_CONFIDENCE,
        source=Source.MODEL.value,
        method=SECOND_READER,
        reason=Message.of(code, way=Message.of(ReadingWay.SECOND_READER), problems=_also(rest)),
        evidence=first.evidence[0] if first.evidence else second.place,
        preferred=Preferred.PROPOSED if seen or is_likely(second) else Preferred.NEITHER,
    )


def _as_others(name: str, current: str, respelled: FieldReading, others: Sequence[FieldReading]) -> ProposedField:
    """Return the field that was respelled like other entries; the value to keep is the one that was read."""
    assert respelled.way is not None
    also = _also([reading for reading in others if reading.value != respelled.disagrees_with])
    return ProposedField(
        name=name,
        current_value=respelled.disagrees_with,
        proposed_value=current,
        confidence=respelled.confidence,
        source=respelled.source.value if respelled.source else None,
        method=respelled.method,
        reason=Message.of(ProposalReason.AS_OTHERS, way=Message.from_json(respelled.way), problems=also),
        evidence=respelled.evidence[0] if respelled.evidence else None,
        preferred=Preferred.PROPOSED,
        probability=respelled.probability,
    )


def _why(current: str | None, better: FieldReading, others: Sequence[FieldReading]) -> Message:
    code = ProposalReason.NOT_READ if current is None else ProposalReason.READ_DIFFERENTLY
    rest = [reading for reading in others if reading.value != better.value]
    return Message.of(code, way=_way(better), problems=_also(rest))


def _also(readings: Sequence[FieldReading]) -> list[Message]:
    """Return the other readings as messages, each once."""
    found: list[Message] = []
    for reading in readings:
        message = Message.of(ProposalReason.ALSO_READ, way=_way(reading), value=reading.value)
        if message not in found:
            found.append(message)
    return found


def _way(reading: FieldReading) -> Message:
    return Message.from_json(reading.way) if reading.way else Message.of(ReadingWay.SECOND)


def _confidence(record: SubmissionRecord, name: str) -> float:
    reading = record.readings.get(name)
    return 0.0 if reading is None else reading.standing


# Decide which of two values of a field is likelier, by the scorers that made them. Pure.


#: Confidence or certainty below which a value is more likely wrong than right.
LIKELY = 0.5
#: Minimum gain in log-likelihood per letter of a spelling over the first one; a smaller gain is not significant.
CLEARLY = 0.25
#: Minimum share of the votes of its line for a recognised value to be preferred. Of the development part's poor
#: copies, nearly all values with more were right.
BACKED = 0.7
#: Least looks that agree on a value to overrule one that was read once.
_AGREEING = 2
#: Kinds of short values for which neither form nor spelling is much evidence.
_UNJUDGED = frozenset(ZONE_KINDS) - frozenset(HEADER_KINDS)
#: Sources without recognition: their letters are right.
_EXACT = frozenset({Source.ACROFORM, Source.TEXT_LAYER})


def preferred_value(
    name: str,
    first: FieldReading,
    better: FieldReading,
    others: Sequence[FieldReading],
    votes: Sequence[FieldReading] = (),
) -> Preferred:
    """Return whether `better`, the first reading or neither is preferred.

    `others` are all further readings of the field, including `better`; `votes` those of its line. A proposal is
    preferred if it is plausible, backed by the votes and likelier than the first reading; if both are equally
    likely, the first reading is preferred where it is plausible and backed. Neither is of two pages that are
    equally sure.
    """
    kind = field_kind(name)
    if first.disagrees_with and any(r.value == first.value and r.confidence == better.confidence for r in others):
        return Preferred.NEITHER
    if plausible(kind, better) and is_backed(better, votes) and _likelier(kind, first, better, others, votes):
        return Preferred.PROPOSED
    return Preferred.AS_READ if plausible(kind, first) and is_backed(first, votes) else Preferred.NEITHER


def preferred_as_read(name: str, first: FieldReading, votes: Sequence[FieldReading] = ()) -> Preferred:
    """Return the preference for a proposal of the first reading itself: that one if likely, else neither."""
    likely = plausible(field_kind(name), first) and is_backed(first, votes)
    return Preferred.PROPOSED if likely else Preferred.NEITHER


def share_of(reading: FieldReading, votes: Sequence[FieldReading]) -> float:
    """Return the share (0-1) of the votes that a value has, whatever its spaces, case and accents."""
    letters = squeezed(reading.value or "")
    return max((vote.confidence for vote in votes if squeezed(vote.value or "") == letters), default=0.0)


def is_backed(reading: FieldReading, votes: Sequence[FieldReading]) -> bool:
    """Whether the votes do not contradict a value; true if there are none, or it was not recognised."""
    return not votes or reading.source is not Source.OCR or share_of(reading, votes) >= BACKED


def plausible(kind: FieldKind, reading: FieldReading) -> bool:
    """Whether a reading can be a value of the kind: by its form and, for recognised text, by its spelling."""
    if not reading.value:
        return False
    if kind in _UNJUDGED and reading.source is Source.OCR:
        return reading.confidence >= LIKELY
    if kind not in HEADER_KINDS or reading.source is Source.SCHOOL_LIST:
        return True
    judged = parse_value(kind, reading.value)
    if judged.text is None or judged.certainty < LIKELY:
        return False
    if reading.source in _EXACT:
        return True
    if kind is FieldKind.EMAIL:
        return ends_in_public_suffix(reading.value)
    return kind not in SPELLED_KINDS or spellable(kind, reading.value)


def _likelier(
    kind: FieldKind,
    first: FieldReading,
    better: FieldReading,
    others: Sequence[FieldReading],
    votes: Sequence[FieldReading],
) -> bool:
    if not first.value:
        return better.confidence >= LIKELY and (bool(votes) or _is_witnessed(kind, better, others))
    if better.source is Source.MODEL and better.confidence >= LIKELY:
        # Its confidence is the same for all values; what speaks for a value is that the first one is none.
        return better.confidence > first.confidence or not plausible(kind, first)
    if better.source in INFORMED_SOURCES:
        return better.confidence > first.confidence
    if better.confidence < first.confidence and not agreed_over(first, better, others):
        return False
    if kind in SPELLED_KINDS:
        return spelling_gain(kind, first, better) > CLEARLY
    return _voices(kind, better, others) > _voices(kind, first, [first, *others])


def _is_witnessed(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> bool:
    """Whether a reading has more evidence than one recognition: an equivalent second reading.

    A value that only one reading finds, and the first did not, is as often noise.
    """
    return reading.source is not Source.OCR or _voices(kind, reading, readings) > 1


def spelling_gain(kind: FieldKind, first: FieldReading, better: FieldReading) -> float:
    """Return the gain in likelihood of a spelling over the first one, as a logarithm per letter; 0 without one."""
    if kind not in SPELLED_KINDS:
        return 0.0
    return letter_likelihood(kind, better.value or "") - letter_likelihood(kind, first.value or "")


def agreed_over(first: FieldReading, better: FieldReading, others: Sequence[FieldReading]) -> bool:
    """Whether two or more looks have exactly this value and none has that of the first reading."""
    looks = [squeezed(look.value) for look in others if look.value and look.source is Source.OCR and look.way]
    own, rival = squeezed(first.value or ""), squeezed(better.value or "")
    return looks.count(rival) >= _AGREEING and own not in looks


def _voices(kind: FieldKind, reading: FieldReading, readings: Sequence[FieldReading]) -> int:
    """Return the number of readings with an equivalent value."""
    return sum(same_value(kind, reading.value or "", other.value) for other in readings if other.value)
