"""All bombs, with the names of files that they would come under."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import NamedTuple

from lab.fuzz.bombs import (
    form_json,
    form_toml,
    html,
    markdown,
    pdf_colours,
    pdf_drawing,
    pdf_fields,
    pdf_filters,
    pdf_fonts,
    pdf_many_pages,
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
    pdf_many_pages: ".pdf",
    form_toml: ".toml",
    form_json: ".json",
}
#: Pages that are read of one file, and those of files whose pages take long only all together.
PAGES, _ALL_PAGES = 3, 1000


class Bomb(NamedTuple):
    """A hostile file that is drawn when it is asked for."""

    #: Module and function, as "pdf_drawing.nested_forms".
    name: str
    #: Ending of the file's name.
    suffix: str
    draw: Callable[[], bytes]
    #: How many pages are read of it.
    pages: int = PAGES


def bombs() -> Iterator[Bomb]:
    """Yield all of them: each public function of a module of bombs."""
    for module, suffix in _SUFFIXES.items():
        short = module.__name__.rpartition(".")[2]
        pages = _ALL_PAGES if module is pdf_many_pages else PAGES
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield Bomb(f"{short}.{name}", suffix, function, pages)
