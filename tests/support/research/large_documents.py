"""The largest documents that may be uploaded, each large in its own way."""

from __future__ import annotations

from collections.abc import Mapping

_ROW = "|".join(["1"] * 500)
_LISTS = "\n".join(f"{'  ' * depth}- a" for depth in range(600))
_REFERENCES = "# References\n\n- [@abc2020] Abc (2020). Kites.\n"
#: 20,000 headings, which is more than a document may have.
TOO_MANY_HEADINGS = "# Kites\n\n" + "## Part\n\nWords.\n\n" * 20_000
#: Markdown by what there is much of.
LARGE: Mapping[str, str] = {
    "headings": "# Kites\n\n" + f"## Part\n\n{'Words. ' * 30}\n\n" * 1999,
    "table": f"# Kites\n\nWords.\n\n{_ROW}\n{'|'.join(['-'] * 500)}\n" + f"{_ROW}\n" * 500,
    "nesting": f"# Kites\n\n{_LISTS}\n\n{'> ' * 100_000}a",
    "brackets": "# Kites\n\n" + "[a](b" * 80_000,
    "line": "# Kites\n\n" + "word [@abc2020] *said* " * 17_000 + f"\n\n{_REFERENCES}",
}
