"""Supabase Storage on this machine: the object endpoints, with its checks and its errors.

Shapes from https://supabase.com/docs/reference/self-hosting-storage/introduction. Storage answers most errors
with HTTP 400 and puts the status that matters into the body.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.servers.loopback import DROPPED, LoopbackServer, Request, Response, json_response


def storage_error(status: int, error: str, message: str, http_status: int | None = None) -> Response:
    body = {"statusCode": str(status), "error": error, "message": message}
    return json_response(body, http_status or 400)


NO_OBJECT = storage_error(404, "not_found", "Object not found")
NO_BUCKET = storage_error(404, "Bucket not found", "Bucket not found")
BAD_KEY = storage_error(403, "Unauthorized", "signature verification failed")
TOO_LARGE = storage_error(413, "Payload too large", "The object exceeded the maximum allowed size", 413)
BROKEN = storage_error(500, "internal", "Internal Server Error", 500)
EXISTS = storage_error(409, "Duplicate", "The resource already exists")
GATEWAY_PAGE = Response(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"})


class SupabaseStorageServer(LoopbackServer):
    """One private bucket in memory. `failures` are answered first, in order, one a request."""

    key = "service-role-loopback-0000"
    bucket = "second-reader"

    def __init__(self, *failures: Response, max_bytes: int = 1 << 20) -> None:
        super().__init__()
        self.failures = list(failures)
        self.max_bytes = max_bytes
        self.objects: dict[str, tuple[bytes, str]] = {}
        #: When each was stored.
        self.times: dict[str, datetime] = {}
        #: By how much all files seem to be older than they are.
        self.age = timedelta()
        #: How many uploads are stored without an answer, and how many after that are told that the file exists.
        self.unanswered = self.told_it_exists = 0
        self.faults: list[str] = []
        #: By token: which object, and until when.
        self.signed: dict[str, tuple[str, float]] = {}

    def respond(self, request: Request) -> Response:
        if self.failures:
            return self.failures.pop(0)
        if request.method == "GET" and request.path.startswith("/storage/v1/object/sign/"):
            return self._by_signature(request)
        if (
            request.headers.get("authorization") != f"Bearer {self.key}"
            or request.headers.get("apikey") != self.key
        ):
            return BAD_KEY
        parts = unquote(request.path.split("?")[0]).split("/")
        if parts[:4] != ["", "storage", "v1", "object"] or len(parts) < 5:
            return self._unknown(request)
        return self._answer(request, parts[4:])

    def _answer(self, request: Request, parts: list[str]) -> Response:
        verb = parts.pop(0) if parts[0] in ("info", "list", "sign") else ""
        bucket, name = parts[0], "/".join(parts[1:])
        if bucket != self.bucket:
            return NO_BUCKET
        match request.method, verb, bool(name):
            case "POST", "", True:
                return self._upload(request, name)
            case "GET", "", True:
                return self._download(name)
            case "GET", "info", True:
                return self._info(name)
            case "POST", "sign", True:
                return self._sign(name, int(request.json()["expiresIn"]))
            case "POST", "list", False:
                return self._list(request.json())
            case "DELETE", "", False:
                return self._remove(request.json())
        return self._unknown(request)

    def _unknown(self, request: Request) -> Response:
        self.faults.append(f"{request.method} {request.path}")
        return storage_error(404, "Not Found", f"Route {request.method}:{request.path} not found", 404)

    def _upload(self, request: Request, name: str) -> Response:
        if name in self.objects and request.headers.get("x-upsert") != "true":
            return EXISTS
        if name in self.objects and not self.unanswered and self.told_it_exists > 0:
            self.told_it_exists -= 1
            return EXISTS
        data, content_type = _file_of(request)
        if len(data) > self.max_bytes:
            return TOO_LARGE
        self.objects[name] = (data, content_type)
        self.times[name] = datetime.now(UTC)
        if self.unanswered > 0:
            self.unanswered -= 1
            return DROPPED
        return json_response({"Id": _id(name), "Key": f"{self.bucket}/{name}"})

    def _download(self, name: str) -> Response:
        if name not in self.objects:
            return NO_OBJECT
        data, content_type = self.objects[name]
        return Response(200, data, {"Content-Type": content_type})

    def _info(self, name: str) -> Response:
        if name not in self.objects:
            return NO_OBJECT
        data, content_type = self.objects[name]
        info = {"id": _id(name), "name": name, "size": len(data), "content_type": content_type, "metadata": {}}
        return json_response(info)

    def _sign(self, name: str, seconds: int) -> Response:
        if name not in self.objects:
            return NO_OBJECT
        token = f"signed-{len(self.signed)}"
        self.signed[token] = (name, time.monotonic() + seconds)
        return json_response({"signedURL": f"/object/sign/{self.bucket}/{name}?token={token}"})

    def _by_signature(self, request: Request) -> Response:
        query = parse_qs(urlsplit(request.path).query)
        name, until = self.signed.get(query["token"][0], ("", 0.0))
        if time.monotonic() > until:
            return storage_error(400, "InvalidJWT", '"exp" claim timestamp check failed')
        found = self._download(name)
        disposition = f"attachment; filename={query['download'][0]}"
        return Response(found.status, found.body, {**found.headers, "Content-Disposition": disposition})

    def _list(self, wanted: dict[str, Any]) -> Response:
        """One level below the prefix: files with an id, folders without."""
        folder = wanted["prefix"].strip("/") + "/" if wanted["prefix"] else ""
        below = {name.removeprefix(folder) for name in self.objects if name.startswith(folder)}
        entries = [
            {"name": name, "id": _id(folder + name), "updated_at": self._changed_at(folder + name)}
            if name in below
            else {"name": name, "id": None, "updated_at": None}
            for name in sorted({name.split("/")[0] for name in below})
        ]
        start = wanted["offset"]
        return json_response(entries[start : start + min(wanted["limit"], 1000)])

    def _changed_at(self, name: str) -> str:
        return (self.times.get(name, datetime.now(UTC)) - self.age).isoformat().replace("+00:00", "Z")

    def _remove(self, wanted: dict[str, Any]) -> Response:
        if len(wanted["prefixes"]) > 1000:
            return storage_error(400, "Error", "body/prefixes must NOT have more than 1000 items")
        removed = [name for name in wanted["prefixes"] if self.objects.pop(name, None)]
        return json_response([{"name": name, "id": _id(name)} for name in removed])


def _id(name: str) -> str:
    return f"id-of-{name}"


def _file_of(request: Request) -> tuple[bytes, str]:
    """The file of a multipart form, byte for byte."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    form = BytesParser(policy=HTTP).parsebytes(head + request.body)
    for part in form.iter_parts():
        if part.get_filename():
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            return data, part.get_content_type()
    raise AssertionError("no file in the form")
