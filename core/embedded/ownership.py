"""Owning a server: the first owner starts it, the last one's release stops it."""

from __future__ import annotations

import os

from core.embedded.keeping import end_keeper, ensure_keeper
from core.embedded.locks import is_held, locked, open_lock, try_shared
from core.embedded.server import Server, end, ensure_running, removal_ends


class Ownership:
    """One owner's share of a running server.

    The share is a lock on an open file. Forks of the owner have the same share: the end of one does not
    release it, and the server runs as long as any of them lives.
    """

    def __init__(self, server: Server) -> None:
        """Attach to the running server of this place, or start one.

        Raises EmbeddedServiceError.
        """
        self._server = server
        self._process = os.getpid()
        with locked(server.place.lock):
            self._share = open_lock(server.place.owners)
            try_shared(self._share)
            try:
                # The keeper first: if this process fails or is killed from here on, the keeper stops the server.
                ensure_keeper(server)
                self.started = ensure_running(server)
            except BaseException:
                os.close(self._share)
                raise
        self._owned = True

    def release(self) -> None:
        """Release the share and stop the server if it was the last; no effect in a fork or on a second call."""
        if not self._owned or os.getpid() != self._process:
            return
        self._owned = False
        server = self._server
        os.close(self._share)
        with removal_ends(server), locked(server.place.lock):
            if not is_held(server.place.owners):
                end_keeper(server)
                end(server)
