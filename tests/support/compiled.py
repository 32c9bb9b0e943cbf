"""What every app of a test process would compile anew from the same sources is compiled once."""

from __future__ import annotations

from types import CodeType

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class _Kept(BytecodeCache):
    """Templates by the digest of their sources, in memory."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


def keep_compiled_templates() -> None:
    """For all apps that are made from now on in this process."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Kept()}
