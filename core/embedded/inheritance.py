"""Data that earlier versions kept as `nobody` are given to the user that the server runs as now."""

from __future__ import annotations

import os

from core.embedded.place import Place


def take_over(place: Place) -> None:
    """Change the owner of a data folder that belongs to a shared user. The caller holds the lock; no server runs.

    Only what belongs to that user is changed, and no link is followed: whoever runs as that user could have put
    links to files of root there.
    """
    if not place.is_inherited:
        return
    before = place.data.stat().st_uid
    for _, folders, files, here in os.fwalk(place.data, topdown=False):
        for name in (*folders, *files):
            if os.stat(name, dir_fd=here, follow_symlinks=False).st_uid == before:
                os.chown(name, place.account.uid, place.account.gid, dir_fd=here, follow_symlinks=False)
    os.chown(place.data, place.account.uid, place.account.gid)
