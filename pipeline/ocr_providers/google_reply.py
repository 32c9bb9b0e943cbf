"""The part of Google's answer that is used, as validated types.

Google omits zero and empty values, as protocol buffers do in JSON.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, frozen=True, allow_inf_nan=False)


class Vertex(_Part):
    """A corner in pixels of the picture sent; it may lie outside."""

    x: float = 0.0
    y: float = 0.0


class Polygon(_Part):
    """Corners clockwise from the start of the text, whatever its orientation."""

    vertices: list[Vertex] = Field(min_length=4, max_length=4)


class Break(_Part):
    """A break before (`is_prefix`) or after a symbol."""

    type: str = "UNKNOWN"
    is_prefix: bool = False


class SymbolProperty(_Part):
    """Properties of a symbol besides its text."""

    detected_break: Break | None = None


class Symbol(_Part):
    """A letter, a digit, a mark."""

    text: str
    property: SymbolProperty | None = None


class Piece(_Part):
    """A word in Google's sense: punctuation is a separate word."""

    bounding_box: Polygon
    symbols: list[Symbol] = Field(min_length=1)
    confidence: float | None = Field(default=None, ge=0, le=1)


class Paragraph(_Part):
    """Pieces in reading order; breaks separate the lines."""

    words: list[Piece] = []


class Block(_Part):
    """A group of paragraphs."""

    paragraphs: list[Paragraph] = []


class Page(_Part):
    """A page; each picture has one."""

    blocks: list[Block] = []


class FullText(_Part):
    """All text of a picture."""

    pages: list[Page] = []


class Failure(_Part):
    """Why this picture could not be read; its message may quote anything and is not kept."""

    code: int = 0


class Annotated(_Part):
    """The answer for one picture: neither text nor error where it is blank."""

    full_text_annotation: FullText | None = None
    error: Failure | None = None


class GoogleReply(_Part):
    """One answer a picture sent."""

    responses: list[Annotated] = Field(min_length=1, max_length=1)
