"""The policy of a season: what a complete entry needs, and the limits of its texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.messages import LabelledEnum
from pipeline.extraction.readings import with_taught
from pipeline.profiles import FieldKind, fields_of_kind, known_profile
from pipeline.schema import FIELD_NAMES, DocClass, SubmissionRecord

# The length of an entry's texts, and the limits of its form.


_LINE_BREAK = re.compile(r"\r\n|[\r\n\u2028\u2029]")


def character_count(text: str) -> int:
    """Return the number of characters as forms count them.

    Spaces and punctuation count, a line break counts once however it is stored, an accented letter is one
    character, and blanks before and after the text do not count.
    """
    return len(unicodedata.normalize("NFC", _LINE_BREAK.sub("\n", text).strip()))


def character_limits(profile: str | None, version: int | None, policy: Policy) -> dict[str, int]:
    """Return {field: most characters} of a version of a form; the season's limit for essays takes precedence."""
    form = known_profile(profile, version)
    limits = {} if form is None else {n: s.max_characters for n, s in form.fields.items() if s.max_characters}
    if policy.max_essay_characters is not None:
        limits |= dict.fromkeys(fields_of_kind(FieldKind.ESSAY), policy.max_essay_characters)
    return limits


def over_limit(record: SubmissionRecord, policy: Policy) -> list[str]:
    """Return the fields whose text is longer than it may be."""
    return [
        name
        for name, limit in character_limits(record.profile, record.profile_version, policy).items()
        if character_count(record.value_of(name) or "") > limit
    ]


# The policy of a season: what a complete entry needs.


DEFAULT_REQUIRED: tuple[str, ...] = ("student_name", "school_name", "grade", "essay_text")

_Share = Annotated[float, Field(ge=0.0, le=1.0)]


class WaivedBy(LabelledEnum, places=("waived_by",)):
    """Who may accept, with a reason, an entry that lacks something required."""

    NOBODY = "nobody", "Nobody"
    ADMINS = "admins", "Admins"
    REVIEWERS = "reviewers", "Reviewers and admins"


class Policy(BaseModel):
    """The rules and thresholds for the entries of one season.

    `services.policy` makes it from the settings and the season. Validation, routing, the review agent and the
    reading without a supervisor all decide by it and by nothing else.
    """

    # Reject a misspelled rule of a season, so that it does not silently leave the default in force.
    model_config = ConfigDict(frozen=True, extra="forbid")

    #: Required fields of classes that differ from `default_required`.
    required: dict[DocClass, tuple[str, ...]] = Field(default_factory=dict)
    #: Required fields of entries by the key of their form; they take precedence over the form's own.
    required_by_form: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    #: Required even if a built-in form does not ask for them.
    default_required: tuple[str, ...] = DEFAULT_REQUIRED
    min_essay_words: int = Field(default=50, ge=0)
    #: Maximum words of a corrected essay; None for no limit.
    max_essay_words: int | None = Field(default=None, ge=1)
    max_essay_characters: int | None = Field(default=None, ge=1)
    #: Canonical names with their aliases; empty if the season has no list.
    known_schools: dict[str, list[str]] = Field(default_factory=dict)
    #: Spellings of schools learned from settled entries, the most frequent first; also without a list.
    taught_schools: tuple[str, ...] = ()
    #: Whether a second entry of a child is shown to a person, even with a different essay.
    one_entry_each: bool = False
    #: Who may accept an essay that is too short, and empty fields of `may_stay_empty`.
    waived_by: WaivedBy = WaivedBy.REVIEWERS
    #: Required fields that may be accepted empty.
    may_stay_empty: tuple[str, ...] = ()
    #: Whether the machine may complete an entry without a person.
    auto_complete: bool = True
    complete_confidence: _Share = 0.9
    retry_confidence: _Share = 0.5
    weak_field_confidence: _Share = 0.8
    #: Whether values that the recognizer and the second reader both read count as sure, and how sure they are.
    agreed_completes: bool = True
    agreed_confidence: _Share = 0.9
    #: Most readings of one entry, the first included.
    max_tries: int = Field(default=2, ge=1)
    #: Most nodes that one run executes before it is escalated.
    max_steps: int = Field(default=5, ge=1)

    @model_validator(mode="after")
    def _requires_known_fields(self) -> Self:
        others = (*self.required.values(), *self.required_by_form.values())
        wanted = {*self.default_required, *self.may_stay_empty, *(name for names in others for name in names)}
        if unknown := sorted(wanted - set(FIELD_NAMES)):
            raise ValueError(f"no such field: {', '.join(unknown)}")
        return self

    @cached_property
    def schools(self) -> dict[str, list[str]]:
        """The known schools with the learned ones; canonical names with their aliases."""
        listed = tuple((name, tuple(aliases)) for name, aliases in self.known_schools.items())
        return _schools(listed, self.taught_schools)

    def required_of(self, record: SubmissionRecord) -> tuple[str, ...]:
        return self.required_for(record.doc_class, record.profile, record.profile_version)

    def required_for(
        self, doc_class: DocClass | None, form: str | None = None, version: int | None = None
    ) -> tuple[str, ...]:
        """Return the required fields of an entry of this class that was read with this form.

        They are the season's for the form, else the form's own, else the season's for the class; for a form of the
        database only fields that it asks for.
        """
        profile = known_profile(form, version)
        if form is not None and form in self.required_by_form:
            wanted = self.required_by_form[form]
        elif profile is not None and profile.required is not None:
            return profile.required
        else:
            wanted = self.required.get(doc_class, self.default_required) if doc_class else self.default_required
        if profile is None or profile.version is None:
            return wanted
        return tuple(name for name in wanted if name in profile.fields)

    def may_complete(
        self, missing: Collection[str], weak: Collection[str], blocking_codes: Collection[str], confidence: float
    ) -> bool:
        """Whether an entry with this reading may be completed without a person."""
        return (
            self.auto_complete
            and not missing
            and not weak
            and not blocking_codes
            and confidence >= self.complete_confidence
        )


@lru_cache(maxsize=4)
def _schools(listed: tuple[tuple[str, tuple[str, ...]], ...], taught: tuple[str, ...]) -> dict[str, list[str]]:
    """Join the two lists once for as long as they are the same: every decision and every reading asks for them."""
    return with_taught(dict(listed), taught)
