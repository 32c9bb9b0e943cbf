"""Imported by the process that all workers of the tests are forked from: each finds models and lists loaded."""

from __future__ import annotations

from core.config import load_settings
from jobs.preload import preload
from research.text import dictionaries, language

# Workers of tests run few and short jobs: what each job would load anew is loaded here, too.
language.load()
dictionaries.load()
preload(load_settings(_env_file=None))
