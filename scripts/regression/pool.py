"""Read many files in spawned processes; a file that fails or kills its process affects only itself."""

from __future__ import annotations

import hashlib
import multiprocessing
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from scripts.regression.prediction import FileReading, Prediction

Reader = Callable[[Path], list[Prediction]]


def read_all(paths: Sequence[Path], reader: Reader, workers: int, title: str) -> list[FileReading]:
    """Read every file, in the order given, with a progress bar."""
    found: dict[Path, FileReading] = {}
    with tqdm(total=len(paths), desc=title, unit="file") as bar:
        for path, reading in _read_parallel(paths, reader, workers):
            found[path] = reading
            bar.update()
        for path in paths:
            if path not in found:
                found[path] = _read_alone(path, reader)
                bar.update()
    return [found[path] for path in paths]


def read_one(path: Path, reader: Reader) -> FileReading:
    """Read one file; any exception becomes the `error` of the result."""
    started = perf_counter()
    predictions: list[Prediction] = []
    error = None
    try:
        predictions = reader(path)
    except Exception as exc:  # noqa: BLE001 - the edge: the report takes it
        error = "".join(traceback.format_exception_only(exc)).strip()
    return FileReading(path.name, digest(path), predictions, perf_counter() - started, error)


def digest(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _read_parallel(paths: Sequence[Path], reader: Reader, workers: int) -> Iterator[tuple[Path, FileReading]]:
    """Yield each file as it is done. When a process dies the remaining files are left to the caller."""
    with _executor(workers) as executor:
        futures: dict[Future[FileReading], Path] = {
            executor.submit(read_one, path, reader): path for path in paths
        }
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                continue


def _read_alone(path: Path, reader: Reader) -> FileReading:
    """Read a file in a separate process: it may be the one that killed the pool."""
    with _executor(1) as executor:
        try:
            return executor.submit(read_one, path, reader).result()
        except BrokenProcessPool:
            return FileReading(path.name, digest(path), [], 0.0, "the reading process died")


def _executor(workers: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a child of a process that has recognised something hangs.
    return ProcessPoolExecutor(max_workers=workers, mp_context=multiprocessing.get_context("spawn"))
