"""What a worker loads before it forks: each job runs in a fork, which would import and load it again."""

from __future__ import annotations

from importlib import import_module

from sqlalchemy.orm import configure_mappers

from core.config import Settings
from core.llm import open_model
from core.queue.job import RUNNER
from pipeline.preload import preload as preload_reading
from services.recovery.kinds import ALL

#: The dotted names of everything that a worker runs.
RUNNABLE = frozenset({RUNNER})


def preload(settings: Settings) -> None:
    """Import the modules of all jobs, and load the models and lists that reading uses.

    What only documents of the library and reports use is loaded by their jobs: 110 MB for a second of work.
    """
    for work in ALL:
        for function in work.functions:
            import_module(function.rpartition(".")[0])
    configure_mappers()
    # For the packages of its provider; it is opened anew for each run.
    open_model(settings)
    # Last: it has the garbage collector leave what is there alone.
    preload_reading(settings)
