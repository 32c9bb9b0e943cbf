"""Base classes and field types of the models of requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Generic, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    computed_field,
)

from core.messages import Message
from services.audit import LONGEST_NOTE
from web.i18n import say

_LONGEST = 100_000


def _not_endless(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError(f"at most {_LONGEST} characters")
    return text


# Text without NUL, which PostgreSQL cannot store.
ShortText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=200)]
Reason = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$", max_length=LONGEST_NOTE)]
#: A field's value, including essays. The length is in the description, not the schema: tools that analyse
#: patterns fail on a large number.
Words = Annotated[
    str,
    StringConstraints(pattern=r"^[^\x00]*$"),
    AfterValidator(_not_endless),
    Field(description=f"At most {_LONGEST} characters."),
]
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
Version = Annotated[
    int,
    Field(ge=1, lt=2**31, description="The version that was seen; it may stand in If-Match instead."),
]
Asked = Annotated[
    list[FieldName],
    Field(max_length=100, description="Of what is still missing then: what a letter asks for, until it comes."),
]
Waived = Annotated[
    list[FieldName],
    Field(max_length=100, description="What is missing and is accepted as it is; needs a `reason`."),
]
SeenVersion = Annotated[int, Field(ge=1, lt=2**31, description="The version that was seen.")]
Share = Annotated[float, Field(ge=0, le=1)]
# Of a list by name the cursor holds a name.
Cursor = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]*$", max_length=1200)]


class Given(BaseModel):
    """Base of models that clients send. Unknown names are errors."""

    model_config = ConfigDict(extra="forbid")


class Shown(BaseModel):
    """Base of models in answers, built from the attributes of a use case's result."""

    model_config = ConfigDict(from_attributes=True)


class Told(Shown):
    """A message: a stable code with its values for programs, and a sentence for people."""

    code: str
    params: dict[str, Any]

    @computed_field(description="For people, in the language that the client asks for.")  # type: ignore[prop-decorator]
    @property
    def detail(self) -> str:
        """The sentence of the code."""
        return say(Message(self.code, self.params))


class MayFailShape(Shown):
    """Base of shapes with the error of failed work."""

    error_code: str | None
    error_params: dict[str, Any] = Field(description="The values that the code speaks of, by name.")

    @computed_field(description="What went wrong and what to do, for people.")  # type: ignore[prop-decorator]
    @property
    def error_message(self) -> str | None:
        """The sentence of the code."""
        return say(Message(self.error_code, self.error_params)) if self.error_code else None


Item = TypeVar("Item")


class ListPage(Shown, Generic[Item]):
    """One page of a list, without a total."""

    rows: list[Item]
    next: str | None = Field(description="The `cursor` of the page after this one; null on the last.")
    previous: str | None = Field(description="The `cursor` of the page before this one; null on the first.")


class PageQuery(Given):
    """Which page of a list."""

    cursor: Cursor | None = Field(None, description="`next` or `previous` of another page; none: the first.")
    limit: int = Field(50, ge=1, le=200, description="Rows a page.")
