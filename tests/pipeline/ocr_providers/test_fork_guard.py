"""A recogniser never crosses a fork once it has run, and one that was only loaded works in the child."""

import subprocess
import sys

import pytest

from core.config import ROOT
from tests.support.long import some

#: The parent does `before`, forks, and reports how the child ended: "read", the error's code, or "hung".
_PROGRAM = """
import os, sys, threading
import numpy as np
from core.confined.mupdf import pymupdf
from core.config import load_settings
from core.errors import AppError
from pipeline.runner import preload_pipeline
from pipeline.ocr_providers.rapidocr import RapidOcr

settings = load_settings(ocr_threads={threads})
with pymupdf.open() as document:
    page = document.new_page(width=300, height=100)
    page.insert_text((20, 50), "Marisol Quintero", fontsize=16)
    pixels = page.get_pixmap(dpi=150)
picture = np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, 3)
{before}
pid = os.fork()
if pid == 0:
    try:
        words = [word.text for line in RapidOcr(settings).recognise(picture) for word in line.words]
        os._exit(0 if words == ["Marisol", "Quintero"] else 3)
    except AppError as error:
        os._exit(7 if error.code == "recogniser_forked" and not error.retryable else 4)
timer = threading.Timer({patience}, os.kill, (pid, 9))
timer.start()
ended = os.waitpid(pid, 0)[1]
timer.cancel()
print("hung" if os.WIFSIGNALED(ended) else {{0: "read", 7: "refused"}}.get(os.WEXITSTATUS(ended), str(ended)))
"""


def outcome(before: str, threads: int) -> str:
    program = _PROGRAM.format(before=before, threads=threads, patience=300)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=900
    )
    return done.stdout.strip()


@pytest.mark.long
@pytest.mark.parametrize("threads", some([1, 2], every=2))
def test_a_child_reads_with_the_models_that_its_parent_loaded(threads: int) -> None:
    assert outcome("preload_pipeline(settings)", threads) == "read"


def test_a_child_of_a_process_that_has_read_is_refused_at_once() -> None:
    assert outcome("RapidOcr(settings).recognise(picture)", 1) == "refused"


def test_a_warm_parent_that_has_read_nothing_may_fork_often() -> None:
    before = "preload_pipeline(settings)\nfor _ in range(2):\n    if os.fork() == 0: os._exit(0)\n    os.wait()"
    assert outcome(before, 1) == "read"
