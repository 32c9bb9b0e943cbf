"""Where others can exchange a folder, it is said; a file is opened by its own names alone, never by links."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.folders import create_file, open_file, open_to_others, opened, removable, require_kept

#: An account that is not the one of the tests.
_SOMEBODY = 12345


@pytest.fixture
def open_place(tmp_path: Path) -> Path:
    """A folder in which everybody renames, and a folder of ours in it."""
    (tmp_path / "open" / "sub").mkdir(parents=True)
    (tmp_path / "open").chmod(0o777)
    return tmp_path / "open"


@pytest.mark.parametrize("asked", ["", "sub", "sub/new", "sub/.."])
def test_a_folder_below_one_that_others_change_is_open_to_them(open_place: Path, asked: str) -> None:
    assert open_to_others(open_place / asked, make=True) == open_place
    assert not (open_place / "sub" / "new").exists()


@pytest.mark.parametrize("hops", [1, 3])
def test_a_link_that_leads_through_one_is_open_to_them(open_place: Path, tmp_path: Path, hops: int) -> None:
    (tmp_path / "0").symlink_to(open_place / "sub")
    for hop in range(hops):
        (tmp_path / str(hop + 1)).symlink_to(str(hop))
    assert open_to_others(tmp_path / str(hops) / "new", make=True) == open_place


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives links to others")
def test_a_link_of_somebody_else_is_open_to_them(open_place: Path) -> None:
    open_place.chmod(0o1777)
    (open_place / "theirs").symlink_to("sub")
    assert open_to_others(open_place / "theirs") is None
    os.chown(open_place / "theirs", _SOMEBODY, -1, follow_symlinks=False)
    assert open_to_others(open_place / "theirs") == open_place / "theirs"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another account")
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o755])
@pytest.mark.parametrize("owners", [(1, 2), (1, _SOMEBODY), (_SOMEBODY, 2)])
def test_who_may_remove_a_file_is_said_as_the_system_decides_it(
    tmp_path: Path, mode: int, owners: tuple[int, int]
) -> None:
    (tmp_path / "file").touch()
    os.chown(tmp_path / "file", owners[1], -1)
    tmp_path.chmod(mode)
    os.chown(tmp_path, owners[0], -1)
    with opened(tmp_path) as folder:
        os.setresuid(_SOMEBODY, _SOMEBODY, 0)
        try:
            said = removable(folder, "file")
            with suppress(PermissionError):
                os.unlink("file", dir_fd=folder)
        finally:
            os.setresuid(0, 0, 0)
    assert said is not (tmp_path / "file").exists()


def test_a_circle_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="links"):
        open_to_others(tmp_path / "a")


def test_missing_folders_are_made_private(open_place: Path) -> None:
    open_place.chmod(0o1777)
    before = os.umask(0)
    try:
        require_kept(open_place / "sub" / "a" / "b", make=True)
    finally:
        os.umask(before)
    assert [(open_place / "sub" / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]


def test_a_file_is_not_opened_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with opened(tmp_path) as folder:
        with create_file(folder, "a/b/file") as file:
            file.write(b"kept")
        (tmp_path / "a" / "file").symlink_to("b/file")
        with open_file(folder, "a/b/file") as file:
            assert file.read() == b"kept"
        for name in ("link/b/file", "a/file"):
            with pytest.raises(OSError):
                open_file(folder, name)


@pytest.mark.parametrize(
    ("group", "members", "is_open"),
    [("ours", [], False), ("ours", ["me"], False), ("ours", ["me", "other"], True), ("staff", [], True)],
)
def test_a_group_of_the_account_alone_is_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, members: list[str], is_open: bool
) -> None:
    """As where each account has a group of its name, and folders are made with the umask 002."""
    me = SimpleNamespace(pw_name="ours", pw_gid=os.getegid())
    monkeypatch.setattr("core.folders.pwd.getpwuid", lambda _: me)
    named = [me.pw_name if name == "me" else name for name in members]
    known = SimpleNamespace(gr_name=group, gr_gid=me.pw_gid, gr_mem=named)
    monkeypatch.setattr("core.folders.grp.getgrgid", lambda _: known)
    tmp_path.chmod(0o775)
    assert open_to_others(tmp_path) == (tmp_path if is_open else None)
