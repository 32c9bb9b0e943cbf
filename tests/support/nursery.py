"""Loaded by the fork server of tests: processes forked from it share its nursery of parsing children."""

from core.confined.children import ready
from pipeline.mupdf.file import PARSER

ready(PARSER)
