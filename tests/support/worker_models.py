"""Imported by the process that all workers of the tests are forked from: each finds models and lists loaded."""

from __future__ import annotations

from core.config import load_settings
from jobs.preload import preload

preload(load_settings(_env_file=None))
