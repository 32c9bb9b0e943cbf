"""LangSmith's ingestion endpoints on this machine, as the installed client speaks to them."""

from __future__ import annotations

import gzip
import json
from typing import Any
from urllib.parse import parse_qs

import zstandard
from requests_toolbelt.multipart.decoder import MultipartDecoder

from tests.support.servers.loopback import LoopbackServer, Request, Response, json_response


class LangSmithServer(LoopbackServer):
    """Takes runs; `text` is everything that was sent, `runs` what it says, by id."""

    key = "lsv2_pt_loopback_0000"
    #: The one project that it knows.
    project = "second-reader"
    project_path = "/o/00000000-0000-4000-8000-00000000000a/projects/p/00000000-0000-4000-8000-00000000000b"

    def __init__(self, *, compressed: bool = True, multipart: bool = True) -> None:
        super().__init__()
        self.compressed = compressed
        self.multipart = multipart
        self.faults: list[str] = []

    def respond(self, request: Request) -> Response:
        if request.method == "GET" and request.path == "/info":
            return json_response(self._info())
        if request.headers.get("x-api-key") != self.key:
            self.faults.append("wrong key")
            return json_response({"detail": "Invalid token"}, 401)
        path, _, query = request.path.partition("?")
        if request.method == "GET" and path == "/sessions":
            return json_response([_project(name) for name in parse_qs(query)["name"] if name == self.project])
        if request.method == "POST" and request.path in ("/runs/multipart", "/runs/batch"):
            return json_response({"message": "accepted"}, 202)
        self.faults.append(f"{request.method} {request.path}")
        return json_response({"detail": "Not Found"}, 404)

    def _info(self) -> dict[str, Any]:
        return {
            "version": "0.12.0",
            "instance_flags": {"zstd_compression_enabled": self.compressed},
            "batch_ingest_config": {
                "use_multipart_endpoint": self.multipart,
                "scale_up_qsize_trigger": 1000,
                "scale_up_nthreads_limit": 16,
                "scale_down_nempty_trigger": 4,
                "size_limit": 100,
                "size_limit_bytes": 20971520,
            },
        }

    @property
    def ingested(self) -> list[Request]:
        return [request for request in self.requests if request.method == "POST"]

    @property
    def text(self) -> str:
        """Every byte that came in, unpacked: paths, headers and bodies."""
        return "\n".join(
            f"{request.path} {request.headers} {unpacked(request).decode(errors='replace')}"
            for request in self.requests
        )

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """By run id: all that posts and patches said of it."""
        merged: dict[str, dict[str, Any]] = {}
        for request in self.ingested:
            for run_id, fields in _runs_of(request):
                merged.setdefault(run_id, {}).update(fields)
        return merged


def unpacked(request: Request) -> bytes:
    encoding = request.headers.get("content-encoding", "")
    if encoding == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(request.body)
    return gzip.decompress(request.body) if encoding == "gzip" else request.body


def _runs_of(request: Request) -> list[tuple[str, dict[str, Any]]]:
    body = unpacked(request)
    if request.path == "/runs/batch":
        batch = json.loads(body)
        return [(run["id"], run) for run in [*batch.get("post", []), *batch.get("patch", [])]]
    found = []
    for part in MultipartDecoder(body, request.headers["content-type"]).parts:
        name = part.headers[b"Content-Disposition"].decode().split('name="')[1].split('"')[0]
        _, run_id, *field = name.split(".")
        value = json.loads(part.content)
        found.append((run_id, {field[0]: value} if field else value))
    return found


def _project(name: str) -> dict[str, Any]:
    _, _, tenant, _, _, project = LangSmithServer.project_path.split("/")
    return {"id": project, "tenant_id": tenant, "name": name, "reference_dataset_id": None}
