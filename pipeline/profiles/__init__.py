"""Form profiles: the printed texts of a form and their positions, one TOML file per form.

Coordinates in a profile are points on the form's page (612 x 792 unless said otherwise), origin top-left.
`extends` takes another profile's fields and prints, less `without_fields` and `without_roles`; `include` adds the
prints of files that are no profile by themselves.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from core.errors import ConfigurationError
from pipeline.pages.page_model import Box

FOLDER = Path(__file__).parent
#: Keys of the profiles that pages may be matched with; without any, all.
Forms: TypeAlias = tuple[str, ...]
ANY_FORM: Forms = ()


class ProfileKind(StrEnum):
    """Kinds of pages that a profile describes."""

    FORM = "form"
    ESSAY_PAGE = "essay_page"
    FREEFORM = "freeform"


class FieldKind(StrEnum):
    """Kinds of fields, which decide how values are parsed and checked."""

    PERSON = "person"
    SCHOOL = "school"
    GRADE = "grade"
    EMAIL = "email"
    PHONE = "phone"
    CHOICE = "choice"
    TEXT = "text"
    ESSAY = "essay"
    REACTION = "reaction"
    IGNORED = "ignored"


#: The kinds of the short fields around the essay.
HEADER_KINDS = (FieldKind.PERSON, FieldKind.SCHOOL, FieldKind.GRADE, FieldKind.EMAIL, FieldKind.PHONE)


class PrintedRole(StrEnum):
    """Roles of a printed text on the form."""

    TITLE = "title"
    LOGO = "logo"
    DEADLINE = "deadline"
    LABEL = "label"
    OPTION = "option"
    PROMPT = "prompt"
    LIMIT = "limit"
    REACTION = "reaction"
    NOTE = "note"
    RULE = "rule"
    RULES_HEADING = "rules_heading"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FieldSpec(_Part):
    """One field of a form."""

    kind: FieldKind
    #: Where its value belongs on the form.
    zone: Box | None = None
    #: Names of its AcroForm fields.
    widgets: tuple[str, ...] = ()
    #: Words that precede its value in a header line ("Name: …").
    heads: tuple[str, ...] = ()


class Printed(_Part):
    """One text that the form prints, with its aliases; the first is the whole of it."""

    role: PrintedRole
    texts: tuple[str, ...] = Field(min_length=1)
    field: str | None = None
    #: The value that an option represents.
    value: str | None = None
    at: Box | None = None
    #: Where an option is ticked.
    mark: Box | None = None
    #: The rest of the line was printed too, in words that vary.
    whole_line: bool = False
    #: The second place of this label on the form.
    repeat: bool = False


class IgnoredZone(_Part):
    """A part of the page that only ever holds print."""

    zone: Box


class Profile(_Part):
    """One form, ready to be matched with a page."""

    key: str
    label: str
    kind: ProfileKind
    page: tuple[float, float] = (612.0, 792.0)
    fields: dict[str, FieldSpec]
    printed: tuple[Printed, ...]
    ignore: tuple[IgnoredZone, ...] = ()

    def field_of_kind(self, kind: FieldKind) -> str | None:
        """The first field of this kind."""
        return next((name for name, spec in self.fields.items() if spec.kind is kind), None)


def _toml(name: str, folder: Path) -> dict[str, Any]:
    path = folder / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as exc:
        raise ConfigurationError(f"profile {name}: {exc}") from exc


def _resolved(name: str, folder: Path) -> dict[str, Any]:
    raw = _toml(name, folder)
    fields: dict[str, Any] = {}
    printed: list[dict[str, Any]] = []
    if base := raw.pop("extends", None):
        parent = _resolved(base, folder)
        gone, roles = set(raw.pop("without_fields", ())), set(raw.pop("without_roles", ()))
        fields = {key: spec for key, spec in parent["fields"].items() if key not in gone}
        printed = [p for p in parent["printed"] if p["role"] not in roles and p.get("field") not in gone]
    for extra in raw.pop("include", ()):
        printed += _toml(extra, folder)["printed"]
    return {**raw, "fields": fields | raw.get("fields", {}), "printed": printed + raw.get("printed", [])}


def read_profile(name: str, folder: Path = FOLDER) -> Profile:
    """Read one profile by its key. Raises ConfigurationError (unreadable, no such file)."""
    return Profile.model_validate(_resolved(name, folder))


@lru_cache(maxsize=1)
def all_profiles() -> dict[str, Profile]:
    """The built-in profiles by key, newest form first."""
    keys = sorted((p.stem for p in FOLDER.glob("*.toml") if "key" in _toml(p.stem, FOLDER)), reverse=True)
    return {key: read_profile(key) for key in keys}


def form_profiles() -> list[Profile]:
    """The profiles of forms and essay pages, without the freeform one."""
    return [p for p in all_profiles().values() if p.kind is not ProfileKind.FREEFORM]


def freeform_profile() -> Profile:
    """The profile of essays without a form."""
    return next(p for p in all_profiles().values() if p.kind is ProfileKind.FREEFORM)
