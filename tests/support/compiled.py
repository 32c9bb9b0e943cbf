"""What every test would compute or load anew, done once: templates, routes, statements, pictures, vectors …"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from types import CodeType
from typing import Any, ClassVar

import certifi
from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from PIL import Image
from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.util import LRUCache
from werkzeug import security
from werkzeug.routing import Rule

from services.accounts import passwords
from tests.support.vectors import share_vectors


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


def _share_statements() -> None:
    """Give all engines one cache of compiled statements, in which dialects of one class count as the same."""
    shared: LRUCache[Any, Any] = LRUCache(2000)

    def shared_cache(_: Engine) -> LRUCache[Any, Any]:
        return shared

    def leave(_: Engine, _cache: object) -> None:
        """An engine's own cache is not kept."""

    Engine._compiled_cache = property(shared_cache, leave)  # type: ignore[assignment]
    PGDialect_psycopg.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign, assignment]
    PGDialect_psycopg.__eq__ = lambda self, other: type(self) is type(other)  # type: ignore[method-assign]


def _share_certificates() -> None:
    """Read the authorities that all clients trust once; a client that asks for others gets its own."""

    @cache
    def trusted() -> ssl.SSLContext:
        return original(cafile=certifi.where())

    def create(purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH, **given: Any) -> ssl.SSLContext:
        usual = purpose is ssl.Purpose.SERVER_AUTH and given == {"cafile": certifi.where()}
        return trusted() if usual else original(purpose, **given)

    original = ssl.create_default_context
    ssl.create_default_context = create


def _share_pictures() -> None:
    """Compress a picture once: the pages that tests look at are few, and each takes a quarter of a second."""
    made: dict[tuple[Any, ...], bytes] = {}

    def save(picture: Image.Image, file: Any, name: str | bytes) -> None:
        shown = sha256(picture.tobytes()).digest()
        key = (picture.mode, repr(picture.getpalette()), picture.size, repr(picture.encoderinfo), shown)
        if key not in made:
            kept = BytesIO()
            original(picture, kept, name)
            made[key] = kept.getvalue()
        file.write(made[key])

    Image.init()
    original = Image.SAVE["WEBP"]
    Image.register_save("WEBP", save)


def _share_password_hashes() -> None:
    """Hash a password once: it takes a tenth of a second, and the people of tests have the same few."""
    security._hash_internal = cache(security._hash_internal)
    passwords.generate_password_hash = cache(security.generate_password_hash)


def compile_once() -> None:
    """For all apps that are made from now on in this process."""
    _share_statements()
    _share_certificates()
    _share_pictures()
    _share_password_hashes()
    share_vectors()
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _Templates()}
    Flask.url_rule_class = _Route
