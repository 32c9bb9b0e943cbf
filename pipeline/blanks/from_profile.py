"""The marks of a form that has a profile, to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pipeline.blanks.marks import FieldMark, FormMarks, OptionMark, PrintMark
from pipeline.pages.page_model import Box
from pipeline.profiles import FieldSpec, PrintedRole, Profile
from pipeline.profiles.declared import declared_fields


def marks_of(profile: Profile, page: tuple[float, float]) -> FormMarks:
    """Return the marks of a profile on a page of this size in points."""
    across, down = page[0] / profile.page[0], page[1] / profile.page[1]

    def moved(box: Box | None) -> Box | None:
        if box is None:
            return None
        scaled = (box[0] * across, box[1] * down, box[2] * across, box[3] * down)
        return Box(*(round(value, 1) for value in scaled))

    return FormMarks(
        key=profile.key,
        label=profile.label,
        kind=profile.kind,
        page=(round(page[0], 1), round(page[1], 1)),
        fields=tuple(_fields(profile, moved)),
        printed=tuple(
            PrintMark(
                role=one.role,
                texts=one.texts,
                field=one.field or "",
                at=moved(one.at),
                whole_line=one.whole_line,
                repeat=one.repeat,
            )
            for one in profile.printed
            if one.role is not PrintedRole.OPTION
        ),
        ignore=tuple(box for one in profile.ignore if (box := moved(one.zone))),
    )


def _fields(profile: Profile, moved: Callable[[Box | None], Box | None]) -> Iterator[FieldMark]:
    for key, spec in profile.fields.items():
        labels = _labels(key, spec)
        yield FieldMark(
            key=key,
            label_en=labels.get("en", ""),
            label_es=labels.get("es", ""),
            kind=spec.kind,
            required=bool(spec.required),
            pattern=spec.pattern or "",
            language=spec.language or "",
            meaning=spec.meaning or "",
            zone=moved(spec.zone),
            widgets=spec.widgets,
            heads=spec.heads,
            options=tuple(
                OptionMark(
                    value=one.value or "",
                    value_es=one.value_es,
                    texts=one.texts,
                    at=moved(one.at),
                    mark=moved(one.mark),
                )
                for one in profile.printed
                if one.role is PrintedRole.OPTION and one.field == key
            ),
        )


def _labels(key: str, spec: FieldSpec) -> dict[str, str]:
    """Return the labels that the form gives the field, else those that it has in every form."""
    if spec.label:
        return spec.label
    declared = declared_fields().get(key)
    return declared.label if declared else {}
