"""The profile that the marks of a form describe."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.blanks.marks import FieldMark, FormMarks
from pipeline.profiles import FieldKind, FieldSpec, IgnoredZone, Printed, PrintedRole, Profile
from pipeline.profiles.declared import common_fields


def profile_of(marks: FormMarks) -> Profile:
    """Return the profile. Raises ValidationError for marks that describe none."""
    return Profile(
        key=marks.key,
        label=marks.label,
        kind=marks.kind,
        page=marks.page,
        fields={field.key: _spec(field) for field in marks.fields},
        printed=(*_options(marks), *_printed(marks)),
        ignore=tuple(IgnoredZone(zone=box) for box in marks.ignore),
    )


def _spec(field: FieldMark) -> FieldSpec:
    return FieldSpec(
        kind=field.kind,
        zone=field.zone,
        widgets=field.widgets,
        heads=field.heads,
        label=_label(field),
        meaning=field.meaning or None,
        required=field.required,
        pattern=field.pattern or None,
        language=field.language or None,
    )


def _label(field: FieldMark) -> dict[str, str] | None:
    """Return the label by language; None where it is that which the field has in every form."""
    label = {code: text for code, text in (("en", field.label_en), ("es", field.label_es)) if text}
    common = common_fields().get(field.key)
    return None if not label or (common and common.label == label) else label


def _options(marks: FormMarks) -> Iterator[Printed]:
    for field in marks.fields:
        for option in field.options if field.kind is FieldKind.CHOICE else ():
            yield Printed(
                role=PrintedRole.OPTION,
                texts=option.texts,
                field=field.key,
                value=option.value,
                value_es=option.value_es,
                at=option.at,
                mark=option.mark,
            )


def _printed(marks: FormMarks) -> Iterator[Printed]:
    for one in marks.printed:
        yield Printed(
            role=one.role,
            texts=one.texts,
            field=one.field or None,
            at=one.at,
            whole_line=one.whole_line,
            repeat=one.repeat,
        )
