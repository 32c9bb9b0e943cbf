"""Imported by the process that all workers of the tests are forked from: each finds models and lists loaded."""

from __future__ import annotations

import httpx

from core.config import load_settings
from jobs.worker import preload_jobs
from research.text.language import detect_language, in_dictionary
from tests.support.compiled import compile_once

# Workers of tests run few and short jobs: what each job would load anew is loaded here, too.
detect_language("A text of more than twelve words, so that the model of characters is loaded and asked once.")
in_dictionary("neither in one nor in the other")
preload_jobs(load_settings(_env_file=None))
compile_once()
# The authorities that clients trust.
httpx.create_ssl_context()
