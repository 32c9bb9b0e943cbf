"""What a profile changes of the one before it, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from core.messages import Message
from pipeline.profiles import FieldSpec, Printed, PrintedRole, Profile
from services.messages.form_studio import FormChange

#: A box that moved by less than this (points) has not moved for a person.
_MOVED = 0.5


def differences(before: Profile, after: Profile) -> list[Message]:
    """Return what differs: the form, then its fields with their options, then what it prints."""
    return [*_of_form(before, after), *_of_fields(before, after), *_of_prints(before, after)]


def _of_form(before: Profile, after: Profile) -> Iterator[Message]:
    if before.label != after.label:
        yield Message.of(FormChange.LABEL, before=before.label, after=after.label)
    if before.kind is not after.kind:
        yield Message.of(FormChange.KIND)


def _of_fields(before: Profile, after: Profile) -> Iterator[Message]:
    for name in after.fields:
        if name not in before.fields:
            yield Message.of(FormChange.FIELD_ADDED, name=name)
    for name in before.fields:
        if name not in after.fields:
            yield Message.of(FormChange.FIELD_REMOVED, name=name)
    for name, spec in after.fields.items():
        if name in before.fields:
            yield from _of_field(name, before.fields[name], spec)
            yield from _of_options(name, _options(before, name), _options(after, name))


def _of_field(name: str, before: FieldSpec, after: FieldSpec) -> Iterator[Message]:
    if before.kind is not after.kind:
        yield Message.of(
            FormChange.FIELD_KIND, name=name, kind_before=before.kind.value, kind_after=after.kind.value
        )
    if before.label != after.label:
        yield Message.of(FormChange.FIELD_LABEL, name=name, before=_label(before), after=_label(after))
    if bool(before.required) != bool(after.required):
        yield Message.of(FormChange.FIELD_REQUIRED if after.required else FormChange.FIELD_OPTIONAL, name=name)
    parts = (
        (FormChange.FIELD_PATTERN, before.pattern, after.pattern),
        (FormChange.FIELD_LANGUAGE, before.language, after.language),
        (FormChange.FIELD_MEANING, before.meaning, after.meaning),
        (FormChange.FIELD_WIDGETS, before.widgets, after.widgets),
    )
    yield from (Message.of(code, name=name) for code, one, other in parts if one != other)
    if _moved(before.zone, after.zone):
        yield Message.of(FormChange.FIELD_ZONE, name=name)


def _label(spec: FieldSpec) -> str:
    return " / ".join((spec.label or {}).values()) or "–"


def _options(profile: Profile, field: str) -> dict[str, Printed]:
    return {p.value or "": p for p in profile.printed if p.role is PrintedRole.OPTION and p.field == field}


def _of_options(name: str, before: dict[str, Printed], after: dict[str, Printed]) -> Iterator[Message]:
    yield from (Message.of(FormChange.OPTION_ADDED, name=name, value=v) for v in after if v not in before)
    yield from (Message.of(FormChange.OPTION_REMOVED, name=name, value=v) for v in before if v not in after)
    for value, option in after.items():
        if value in before and _changed(before[value], option):
            yield Message.of(FormChange.OPTION_CHANGED, name=name, value=value)


def _of_prints(before: Profile, after: Profile) -> Iterator[Message]:
    old, new = _prints(before), _prints(after)
    yield from (Message.of(FormChange.PRINT_ADDED, text=text) for text in new if text not in old)
    yield from (Message.of(FormChange.PRINT_REMOVED, text=text) for text in old if text not in new)
    for text, printed in new.items():
        if text in old and _changed(old[text], printed):
            yield Message.of(FormChange.PRINT_CHANGED, text=text)


def _prints(profile: Profile) -> dict[str, Printed]:
    return {p.texts[0]: p for p in profile.printed if p.role is not PrintedRole.OPTION}


def _changed(before: Printed, after: Printed) -> bool:
    alike = (before.texts, before.role, before.field, before.whole_line, before.repeat) == (
        after.texts,
        after.role,
        after.field,
        after.whole_line,
        after.repeat,
    )
    return not alike or _moved(before.at, after.at) or _moved(before.mark, after.mark)


def _moved(before: tuple[float, ...] | None, after: tuple[float, ...] | None) -> bool:
    if before is None or after is None:
        return before is not after
    return any(abs(one - other) >= _MOVED for one, other in zip(before, after, strict=True))
