"""What every app of a test process would compile anew, from the same templates and routes, is compiled once."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, ClassVar

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from werkzeug.routing import Rule


class _Templates(BytecodeCache):
    """By the digest of their sources, in memory."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._codes[bucket.key, bucket.checksum] = bucket.code


class _Route(Rule):
    """What builds a route's address is given the rule at each call, so that equal rules may share it."""

    _builders: ClassVar[dict[tuple[Any, ...], Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = (self.rule, tuple(self._trace), repr(self.defaults), append_unknown)
        if key not in self._builders:
            self._builders[key] = super()._compile_builder(append_unknown)
        return self._builders[key]


def compile_once() -> None:
    """For all apps that are made from now on in this process."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Templates()}
    Flask.url_rule_class = _Route
