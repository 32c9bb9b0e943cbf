"""Markdown: escape plain text, parse documents, read foreign Markdown as plain text and as an outline."""

from research.markdown_text.printable import as_markdown, in_cell, without_marks

__all__ = ["as_markdown", "in_cell", "without_marks"]
