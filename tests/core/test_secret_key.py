from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.auth.keys import secret_key
from core.config import load_settings


def test_made_once_by_however_many_at_once(tmp_path: Path) -> None:
    settings = load_settings(_env_file=None, var_dir=tmp_path / "var")
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: secret_key(settings), range(8)))
    assert len(keys) == 1 and len(keys.pop()) >= 48
    assert [path.name for path in settings.var_dir.iterdir()] == ["secret_key"]
    assert (settings.var_dir / "secret_key").stat().st_mode & 0o077 == 0


def test_the_settings_own_key_comes_first(tmp_path: Path) -> None:
    settings = load_settings(_env_file=None, var_dir=tmp_path, secret_key="given")
    assert secret_key(settings) == "given"
    assert not list(tmp_path.iterdir())
