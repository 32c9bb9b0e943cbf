"""The declarative base: how Python types map onto the migrations' column types."""

from __future__ import annotations

import uuid
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from sqlalchemy import (
    BigInteger,
    Date,
    DateTime,
    Dialect,
    Float,
    Integer,
    Numeric,
    Select,
    Text,
    TypeDecorator,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, REAL
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.orm import registry as Registry

from core.messages import Message

#: A primary key that the database makes.
UuidKey = Annotated[uuid.UUID, mapped_column(Uuid, primary_key=True, server_default=text("gen_random_uuid()"))]
#: The moment of the insert, by the database's clock.
CreatedAt = Annotated[datetime, mapped_column(DateTime(timezone=True), server_default=text("now()"))]
Real = Annotated[float, mapped_column(REAL)]
BigInt = Annotated[int, mapped_column(BigInteger)]
TextList = Annotated[list[str], mapped_column(ARRAY(Text), server_default=text("'{}'"))]
JsonObject = Annotated[dict[str, Any], mapped_column(JSONB, server_default=text("'{}'::jsonb"))]


def in_array(query: Select[Any]) -> Any:
    """Return the values of a query as an array, in a column: those of several tables come by one statement."""
    [column] = query.selected_columns
    return func.array(query.scalar_subquery(), type_=ARRAY(column.type))


class MessageColumn(TypeDecorator[Message]):
    """A message as JSON, `{"code": …, "params": {…}}`."""

    impl = JSONB(none_as_null=True)
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> dict[str, Any] | None:
        return None if value is None else value.to_json()

    def process_result_value(self, value: dict[str, Any] | None, dialect: Dialect) -> Message | None:
        return None if value is None else Message.from_json(value)


class MessagesColumn(TypeDecorator[list[Message]]):
    """Several messages as a JSON array; never null."""

    impl = JSONB
    cache_ok = True

    def process_bind_param(self, value: list[Message] | None, dialect: Dialect) -> list[dict[str, Any]]:
        return [one.to_json() for one in value or ()]

    def process_result_value(self, value: list[dict[str, Any]] | None, dialect: Dialect) -> list[Message]:
        return [Message.from_json(one) for one in value or ()]


#: Messages in order; may be empty.
Messages = Annotated[list[Message], mapped_column(MessagesColumn, server_default=text("'[]'::jsonb"))]


class MayFail:
    """Columns of rows whose work may fail: the code of the error and its parameters."""

    error_code: Mapped[str | None]
    error_params: Mapped[JsonObject]

    @property
    def error(self) -> Message | None:
        """What went wrong, None where nothing did."""
        return None if self.error_code is None else Message(self.error_code, self.error_params)

    @error.setter
    def error(self, message: Message | None) -> None:
        for name, value in error_columns(message).items():
            setattr(self, name, value)


def error_columns(message: Message | None) -> dict[str, Any]:
    """The columns of `MayFail` by name, for an UPDATE; of None, those of a row that has not failed."""
    if message is None:
        return {"error_code": None, "error_params": {}}
    return {"error_code": message.code, "error_params": dict(message.params)}


class Keyed:
    """Columns of rows with a key that the database makes, and the moment of their insert."""

    id: Mapped[UuidKey] = mapped_column(sort_order=-1)
    created_at: Mapped[CreatedAt]


class Queued:
    """Columns of rows that a worker takes: the lease on the row, how often it was taken, when it was queued."""

    attempts: Mapped[int] = mapped_column(server_default=text("0"))
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    enqueued_at: Mapped[datetime | None]


class Base(DeclarativeBase):
    """Base of all models. The migrations define the schema; a test checks that the models match it."""

    #: Explicit, so that Flask-SQLAlchemy's `db` can take it over and have the same models and tables.
    registry: ClassVar[Registry] = Registry(
        type_annotation_map={
            str: Text,
            int: Integer,
            float: Float,
            uuid.UUID: Uuid,
            datetime: DateTime(timezone=True),
            date: Date,
            Decimal: Numeric(12, 6),
            dict[str, Any]: JSONB,
            list[str]: ARRAY(Text),
            Message: MessageColumn,
        }
    )


def columns_of(table: type[Base], shown: type) -> list[InstrumentedAttribute[Any]]:
    """Return the columns of a table that are named as fields of this dataclass, for a query of what it shows."""
    names = {one.key for one in table.__mapper__.column_attrs}
    return [getattr(table, one.name) for one in fields(shown) if one.name in names]
