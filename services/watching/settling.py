"""Which files of a folder are whole: those that have not changed for a while. The time is given to it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from services.watching.folder import FoundFile

#: Seconds after which files that come one by one are handed in all the same, though more are coming.
LONGEST_WAIT = 300.0
#: Seconds that a file may stay empty: scanners make it before they write.
EMPTY_FOR = 900.0
#: Seconds after which a file that has not changed is taken though it is said to be open for writing: some network
#: file systems say so of every file.
OPEN_FOR = 900.0


@dataclass(frozen=True)
class Pace:
    """How long to wait, in seconds."""

    #: A file is whole when its size and time have not changed for so long.
    settle: float = 5.0
    #: Files are handed in together when nothing has come or changed for so long.
    quiet: float = 20.0


class Settling:
    """What lies in the folder, and since when each file is as it is."""

    def __init__(self, pace: Pace) -> None:
        """Begin with nothing known."""
        self._pace = pace
        self._since: dict[FoundFile, float] = {}
        self._found: dict[FoundFile, float] = {}
        self._changed = float("-inf")

    def note(self, files: Collection[FoundFile], now: float) -> None:
        """Take in what lies there at this moment."""
        since = {one: self._since.get(one, now) for one in files}
        if since.keys() - self._since.keys():
            self._changed = now
        self._since = since
        self._found = {one: self._found.get(one, now) for one in files}

    def renew(self, one: FoundFile, now: float) -> None:
        """Take a file for one that has changed at this moment; one that was found long ago stays as it is."""
        if now - self._found[one] < OPEN_FOR:
            self._since[one] = self._changed = now

    def odd(self) -> list[FoundFile]:
        """Return links, devices and the like."""
        return [one for one in self._since if not one.ordinary]

    def empty(self, now: float) -> list[FoundFile]:
        """Return files that have been empty for too long."""
        return [one for one, at in self._since.items() if one.ordinary and not one.size and now - at >= EMPTY_FOR]

    def ready(self, now: float, most: int) -> list[FoundFile]:
        """Return the files to hand in now, at most so many; none while more may be coming."""
        whole = [one for one, at in self._since.items() if self._is_whole(one, now - at)]
        if not whole:
            return []
        waits = now - min(self._since[one] for one in whole)
        if now - self._changed < self._pace.quiet and len(whole) < most and waits < LONGEST_WAIT:
            return []
        return whole[:most]

    def _is_whole(self, one: FoundFile, unchanged: float) -> bool:
        return one.ordinary and one.size > 0 and not one.unfinished and unchanged >= self._pace.settle
