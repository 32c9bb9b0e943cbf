"""Watch a folder until it is stopped."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress

import watchfiles
from redis.exceptions import RedisError
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from core.errors import AppError, NotFoundError
from core.messages import Message, say
from core.models import Profile
from core.tracing.log import get_logger
from services.accounts.person import Role, has_address
from services.batches.default_values import SaidOfBatch, checked_defaults
from services.context import Context
from services.messages.entries import WatchRefused
from services.seasons import current_season
from services.watching.intake import (
    AGAIN,
    EMPTY_FOR,
    Journal,
    Memory,
    Pace,
    Settling,
    Watch,
    move_aside,
    move_taken,
    put_back_changed,
    take_files,
)
from services.watching.places import FolderListing, WatchedFolder, record_place

log = get_logger(__name__)


def uploader_of(context: Context, email: str) -> uuid.UUID:
    """Return the account that files are uploaded by. Raises NotFoundError if none may upload."""
    may = [role.value for role in Role if role.may_upload]
    found = context.database.scalar(
        select(Profile.id).where(has_address(email), Profile.is_active, Profile.role.in_(may))
    )
    if found is None:
        raise NotFoundError(WatchRefused.NO_UPLOADER)
    return found


def check_said(context: Context, said: SaidOfBatch) -> None:
    """Raise InvalidInputError if the data for every batch do not fit the current season."""
    with context.database.session() as session:
        checked_defaults(session, current_season(session).id, said.defaults)


def watch_folder(
    context: Context,
    folder: WatchedFolder,
    email: str,
    said: SaidOfBatch,
    pace: Pace,
    stop: threading.Event,
    tell: Callable[[str], None],
) -> None:
    """Upload what comes, in rounds, until `stop`; a started round is finished.

    The caller has locked the folder. Failures are reported, logged and retried; nothing is lost, as files stay
    until they were uploaded.
    """
    settling, journal, not_before = Settling(pace), Journal(folder), 0.0
    memory = Memory()
    for _ in _rounds(folder, pace, stop):
        now = time.monotonic()
        if now < not_before:
            continue
        try:
            watch = Watch(context, folder, journal, uploader_of(context, email), said, tell, now, memory)
            one_round(watch, settling)
        except (AppError, SQLAlchemyError, OSError, RedisError) as exc:
            why = say(exc.told) if isinstance(exc, AppError) else _kind(exc)
            log.warning("watching_interrupted", code=getattr(exc, "code", None), kind=type(exc).__name__)
            tell(f"Nothing was taken: {why} The files stay in the folder; trying again in {AGAIN:.0f} s.")
            not_before = now + AGAIN


def _kind(problem: Exception) -> str:
    """Return the system's name of a problem; other texts may quote stored data."""
    text = problem.strerror if isinstance(problem, OSError) else None
    return f"{text}." if text else type(problem).__name__


def one_round(watch: Watch, settling: Settling) -> None:
    """Move uploaded files, put aside those that can never be read, and upload complete ones.

    Raises AppError, SQLAlchemyError, RedisError or OSError if nothing can be uploaded now.
    """
    if not watch.memory.placed:
        record_place(watch.context, watch.folder)
        watch.memory.placed = True
    put_back_changed(watch)
    if watch.journal.batches:
        move_taken(watch)
    listed, now = watch.folder.found(), watch.now
    watch.memory.keep(listed)
    _tell_what_is_left(watch, listed)
    known = {one for batch in watch.journal.batches.values() for one in batch}
    known |= {one for one, until in watch.memory.put_off.items() if now < until}
    settling.note([one for one in listed.files if one not in known], now)
    for found in settling.odd():
        move_aside(watch, found, Message.of(WatchRefused.NOT_A_FILE))
    for found in settling.empty(now):
        move_aside(watch, found, Message.of(WatchRefused.EMPTY, limit=round(EMPTY_FOR / 60)))
    most = watch.context.settings.max_files_per_upload
    for found in settling.ready(now, most):
        if watch.folder.is_being_written(found):
            settling.renew(found, now)
    ready = settling.ready(now, most)
    if ready:
        take_files(watch, ready)


def _tell_what_is_left(watch: Watch, listed: FolderListing) -> None:
    """Report which folders and unfinished files are not taken, each once while it is there."""
    for name in listed.folders:
        watch.tell_once(
            name,
            "left",
            f"{name}/ is a folder: what lies in it is left alone. Move its files up to have them taken.",
        )
    for one in listed.files:
        if one.unfinished:
            sentence = f"{one.name} is left until it is renamed: its name says that a program still writes it."
            watch.tell_once(one.name, "left", sentence)
    for name in listed.unseen:
        if watch.tell_once(name, "closed", f"{name} cannot be looked at now. It stays in the folder."):
            log.warning("file_not_seen")


def _rounds(folder: WatchedFolder, pace: Pace, stop: threading.Event) -> Iterator[None]:
    """Yield when something changed, and often enough for unreported changes, as in network folders or by time."""
    every = max(0.05, min(1.0, pace.settle / 2, pace.quiet / 2))
    while not stop.is_set():
        yield
        with suppress(OSError, RuntimeError):
            for _ in watchfiles.watch(
                folder.path,
                watch_filter=None,
                debounce=100,
                step=50,
                stop_event=stop,
                rust_timeout=round(1000 * every),
                yield_on_timeout=True,
                raise_interrupt=False,
                recursive=False,
            ):
                if stop.is_set():
                    return
                yield
        # The folder is away, as a network drive may be.
        stop.wait(every)
