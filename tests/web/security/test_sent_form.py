"""Forms are counted before they are kept, and files of a request go to disk."""

from __future__ import annotations

import io
import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import FileStorage
from werkzeug.formparser import parse_form_data
from werkzeug.test import EnvironBuilder

from web.access import access
from web.security.sent_form import FormRequest

BOUNDARY = "b"
MULTIPART = f"multipart/form-data; boundary={BOUNDARY}"
URLENCODED = "application/x-www-form-urlencoded"


def part(head: str, value: str) -> str:
    return f"--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n{value}\r\n"


TOO_MUCH = {
    "many fields": (URLENCODED, "a&" * 3000),
    "many fields in parts": (MULTIPART, part('name="a"', "") * 3000),
    "one long field": (URLENCODED, "a=" + "x" * 9_000_000),
    "fields that are long together": (MULTIPART, part('name="a"', "x" * 1_000_000) * 9),
    "long names of fields": (MULTIPART, part(f'name="{"x" * 10_000}"', "") * 900),
    "a long head": (MULTIPART, part('name="a"' + "\r\nx: y" * 100_000, "")),
    "long names of files": (MULTIPART, part(f'name="files"; filename="{"x" * 10_000}"', "x") * 900),
    "nothing but what stands before the first part": (MULTIPART, "x" * 400_000),
}


@pytest.mark.parametrize("case", list(TOO_MUCH))
def test_too_much_is_refused(app: Flask, signed_in: Any, case: str) -> None:
    kind, body = TOO_MUCH[case]
    refused = signed_in("uploader").post("/theme", data=body, content_type=kind)
    assert refused.status_code == 413


def test_an_address_has_no_more_parameters_than_a_form(client: FlaskClient) -> None:
    assert client.get("/sign-in?" + "a&" * 3000).status_code == 400
    assert client.get("/sign-in?" + "a&" * 300).status_code == 200


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=20)


@settings(deadline=None)
@given(
    fields=st.lists(st.tuples(TEXT, TEXT), max_size=4),
    files=st.lists(st.tuples(TEXT.filter(bool), st.binary(max_size=200_000)), max_size=4),
)
def test_forms_are_read_as_werkzeug_reads_them(
    fields: list[tuple[str, str]], files: list[tuple[str, bytes]]
) -> None:
    builder = EnvironBuilder(method="POST", data={})
    for name, value in fields:
        builder.form.add(name, value)
    for name, data in files:
        builder.files.add_file("files", io.BytesIO(data), filename=name)
    body, kind = _body(builder)
    _, form, sent = parse_form_data(_environ(body, kind))
    with FormRequest(_environ(body, kind)) as read, ExitStack() as left:
        for one in sent.getlist("files"):
            left.callback(one.close)
        assert read.form == form
        assert [_told(one) for one in read.files.getlist("files")] == [_told(one) for one in sent.getlist("files")]


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=3), st.integers(1, 4), st.booleans())
def test_urlencoded_fields_are_read_as_werkzeug_reads_them(
    fields: list[tuple[str, str]], times: int, every: bool
) -> None:
    """Wherever a chunk ends within an escape."""
    quoted = [(name, "x" * times + value + "ñ😀%" * 6000) for name, value in fields]
    body = "&".join(f"{quote_plus(name)}={quote_plus(value, safe='ñ' if every else '')}" for name, value in quoted)
    _, form, _ = parse_form_data(_environ(body.encode(), URLENCODED))
    with FormRequest(_environ(body.encode(), URLENCODED)) as read:
        assert read.form == form


def _body(builder: EnvironBuilder) -> tuple[bytes, str]:
    environ = builder.get_environ()
    builder.close()
    return environ["wsgi.input"].read(), environ.get("CONTENT_TYPE", "")


def _environ(body: bytes, kind: str) -> dict[str, Any]:
    return EnvironBuilder(
        method="POST", input_stream=io.BytesIO(body), content_type=kind, headers={"Content-Length": str(len(body))}
    ).get_environ()


def _told(file: FileStorage) -> tuple[str | None, bytes, bytes]:
    data = file.read()
    if data:
        file.seek(-1, os.SEEK_END)
    return file.filename, data, file.read(1)


def test_any_number_of_files_is_one_open_file_and_no_memory(own_app: Flask) -> None:
    @access("public")
    def count() -> dict[str, int]:
        before = _open_files()
        files = request.files.getlist("files")
        opened = _open_files() - before
        return {"opened": opened, "files": len(files), "bytes": sum(len(file.read()) for file in files)}

    own_app.before_request_funcs[None].clear()
    own_app.add_url_rule("/count", "count", count, methods=["POST"])
    files = [(io.BytesIO(b"x" * 1000), f"{number}.pdf") for number in range(300)]
    before = _open_files()
    assert own_app.test_client().post("/count", data={"files": files}).json == {
        "opened": 1,
        "files": 300,
        "bytes": 300_000,
    }
    assert _open_files() == before
