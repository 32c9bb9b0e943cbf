"""All bombs, with the names of files that they would come under."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import NamedTuple

from scripts.fuzz.bombs import (
    html,
    markdown,
    pdf_colours,
    pdf_drawing,
    pdf_fields,
    pdf_filters,
    pdf_fonts,
    pdf_pictures,
    pdf_printed,
    pdf_sizes,
    pdf_structure,
    pictures,
    plain_text,
    word,
)

#: The ending of its files' names, by module.
_SUFFIXES: dict[ModuleType, str] = {
    pdf_drawing: ".pdf",
    pdf_filters: ".pdf",
    pdf_pictures: ".pdf",
    pdf_fonts: ".pdf",
    pdf_printed: ".pdf",
    pdf_colours: ".pdf",
    pdf_structure: ".pdf",
    pdf_sizes: ".pdf",
    pdf_fields: ".pdf",
    pictures: ".png",
    word: ".docx",
    markdown: ".md",
    html: ".html",
    plain_text: ".txt",
}


class Bomb(NamedTuple):
    """A hostile file that is drawn when it is asked for."""

    #: Module and function, as "pdf_drawing.nested_forms".
    name: str
    #: Ending of the file's name.
    suffix: str
    draw: Callable[[], bytes]


def bombs() -> Iterator[Bomb]:
    """Yield all of them: each public function of a module of bombs."""
    for module, suffix in _SUFFIXES.items():
        short = module.__name__.rpartition(".")[2]
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield Bomb(f"{short}.{name}", suffix, function)
