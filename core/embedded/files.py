"""Create files and folders below a server's home folder, with the owner of that folder."""

from __future__ import annotations

import os
import pwd
import secrets
from pathlib import Path

from core.errors import EmbeddedServiceError


def open_own(path: Path, flags: int) -> int:
    """Open or make a private file and return its descriptor.

    Raises EmbeddedServiceError when the file belongs to somebody else. A link is never followed: root must
    not be led to write elsewhere by a folder that an ordinary user owns.
    """
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except PermissionError as exc:
        raise EmbeddedServiceError(belongs_to_another(path)) from exc
    if os.geteuid() == 0:
        _like_its_folder(path, descriptor)
    return descriptor


def make_once(path: Path, content: bytes) -> None:
    """Write a private file with the owner of its folder; the first of several writers wins."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    with os.fdopen(open_own(draft, os.O_WRONLY | os.O_EXCL), "wb") as file:
        file.write(content)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def make_folder(path: Path, mode: int = 0o700) -> Path:
    """Create a folder, unless it exists, with the owner of its parent folder."""
    try:
        path.mkdir(mode=mode)
    except FileExistsError:
        return path
    except PermissionError as exc:
        raise EmbeddedServiceError(belongs_to_another(path.parent)) from exc
    if os.geteuid() == 0:
        above = path.parent.stat()
        os.chown(path, above.st_uid, above.st_gid)
    return path


def belongs_to_another(path: Path) -> str:
    """Return the error sentence for a file or folder of another user; names the innermost one that can be read."""
    for found in (path, *path.parents):
        try:
            owner = found.stat().st_uid
        except OSError:
            continue
        break
    return (
        f"{found} belongs to {user_name(owner)}, not to {user_name(os.geteuid())}. "
        "Start as that user, or set VAR_DIR to a folder of your own."
    )


def user_name(uid: int) -> str:
    """The login name of a user id, or the number where there is none."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _like_its_folder(path: Path, descriptor: int) -> None:
    above = path.parent.stat()
    os.fchown(descriptor, above.st_uid, above.st_gid)
