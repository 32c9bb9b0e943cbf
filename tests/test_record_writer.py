"""One module writes the values of an entry: `pipeline/supabase_db.py`, with the mapping below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.test_structure import ROOT, id_of, layer_of, sources

WRITERS = {ROOT / "pipeline" / "supabase_db.py"}
ROWS = {"SubmissionField", "FieldEvidence"}
PROJECTED = {"student_name", "school_name", "grade", "word_count", "ocr_confidence_avg"}
STATEMENTS = {"insert", "update", "delete"}


def writes(tree: ast.AST) -> Iterator[str]:
    """Statements and rows of the two tables, and the projected columns being assigned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _by_call(node)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr in PROJECTED:
            yield f"{node.lineno}: .{node.attr} ="


def _by_call(node: ast.Call) -> Iterator[str]:
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    first = node.args[0].id if node.args and isinstance(node.args[0], ast.Name) else ""
    if name in ROWS:
        yield f"{node.lineno}: {name}(…)"
    if name in STATEMENTS and first in ROWS:
        yield f"{node.lineno}: {name}({first})"
    if name in ("Submission", "values") and PROJECTED & {keyword.arg for keyword in node.keywords}:
        yield f"{node.lineno}: {name}(…)"


def test_no_second_writer_of_the_record() -> None:
    found = {
        id_of(path): lines
        for path in sources()
        if layer_of(path) not in ("lab", "scripts")
        and path not in WRITERS
        and (lines := list(writes(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "session.add(SubmissionField(name='grade'))",
        "session.execute(update(SubmissionField).values(value='4'))",
        "session.execute(delete(FieldEvidence))",
        "submission.grade = '4'",
        "update(Submission).values(grade='4')",
    ],
)
def test_each_way_to_write_is_seen(text: str) -> None:
    assert list(writes(ast.parse(text)))
