"""The season's schools: the list, what a written name may mean, new schools, aliases, merges."""

from __future__ import annotations

import uuid
from typing import Any

from pydantic import Field

from services.school_names import LikelySchools, likely_schools, search_schools
from services.schools import MergedSchools, add_alias, add_school, merge_schools
from web.access import get_context, get_person
from web.api.operation import operation
from web.api.protocol import ListPage, PageQuery, RequestModel, ResponseModel, ShortText


class SchoolQuery(PageQuery):
    """Which schools of the list."""

    q: ShortText | None = Field(None, description="A part of the name or of an alias; case does not matter.")


class SchoolLine(ResponseModel):
    """One school of the list."""

    id: uuid.UUID
    name: str
    city: str | None
    district: str | None
    aliases: list[str]
    settled: int = Field(description="Number of settled entries that have its name or an alias.")


class SchoolList(ListPage[SchoolLine]):
    """Schools of the current season, by name."""


class WrittenName(RequestModel):
    """A name as it is written."""

    text: ShortText


class LikelySchoolShape(ResponseModel):
    """A known school that may be meant."""

    id: uuid.UUID | None = Field(description="Null for a school that only settled entries have.")
    name: str
    city: str | None
    likeness: float = Field(ge=0, le=100)


class LikelySchoolsShape(ResponseModel):
    """What is known of a written name."""

    text: str
    listed: LikelySchoolShape | None = Field(description="The school of the list whose name or alias it is.")
    nearest: str | None = Field(
        description="The school that the text is a misspelling of; the first of `schools`."
    )
    schools: list[LikelySchoolShape] = Field(description="The most similar known schools, best first.")


class NewSchool(RequestModel):
    """A school that is not on the list."""

    name: ShortText
    city: ShortText | None = None
    district: ShortText | None = None


class NewAlias(RequestModel):
    """Another spelling of a school of the list."""

    school: ShortText = Field(description="Its name, or an alias that it has.")
    alias: ShortText


class SchoolMerge(RequestModel):
    """Two schools of the list that are one, each by its name or an alias."""

    duplicate: ShortText = Field(description="Leaves the list; its name and aliases go to the other.")
    into: ShortText


class SchoolNamed(ResponseModel):
    """The school that was changed."""

    name: str


class MergedShape(ResponseModel):
    """What a merge has done."""

    merged: str
    into: str
    aliases: int = Field(description="Number of aliases that the remaining school has received.")


@operation("GET", "/schools", rule="reader", answer=SchoolList)
def list_of_schools(query: SchoolQuery) -> Any:
    """List the schools of the season."""
    return search_schools(get_context(), query.q or "", query.cursor or None, query.limit)


@operation("GET", "/schools/likely", rule="reader", answer=LikelySchoolsShape)
def schools_like(query: WrittenName) -> LikelySchools:
    """Show which known schools a written name may mean."""
    return likely_schools(get_context(), query.text)


@operation("POST", "/schools", rule="reviewer", answer=SchoolNamed, status=201)
def new_school(body: NewSchool) -> SchoolNamed:
    """Add a school to the list."""
    city, district = body.city or None, body.district or None
    return SchoolNamed(name=add_school(get_context(), body.name, city, district, get_person().id))


@operation("POST", "/schools/aliases", rule="reviewer", answer=SchoolNamed, status=201, problems=(404,))
def new_alias(body: NewAlias) -> SchoolNamed:
    """Add another spelling to a school of the list."""
    return SchoolNamed(name=add_alias(get_context(), body.school, body.alias, get_person().id))


@operation("POST", "/schools/merge", rule="admin", answer=MergedShape, problems=(404,))
def merge_two_schools(body: SchoolMerge) -> MergedSchools:
    """Merge two schools of the list.

    Entries keep what is written in them.
    """
    return merge_schools(get_context(), body.duplicate, body.into, get_person().id)
