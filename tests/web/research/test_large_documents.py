"""Pages of the largest documents: asked for eight at a time, while the site goes on answering others."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.routing import BuildError, Rule

from core.models import Profile, Report
from research.document import ReportDocument
from research.exports.formats import EXPORT_FORMATS
from research.exports.markdown import from_markdown
from research.supervision.revisions import add_version
from services.accounts.api_tokens import make_token
from services.context import Context
from tests.support.real_server import serving
from tests.support.research.large_documents import LARGE, TOO_MANY_HEADINGS
from tests.support.research.reports import make_finished_report
from tests.support.research.supervisions import make_revision, make_supervision
from tests.support.site import sign_in_as
from web.research.report import document_parts

#: Seconds within which `/healthz` answers, whatever else is asked: well below one where no other tests run beside.
HEALTH = 3.0
AT_A_TIME = 8


@dataclass(frozen=True)
class Site:
    """The site as a program sees it that is signed in and has a token."""

    port: int
    cookie: str
    token: str

    def ask(self, path: str, seconds: float = 60, body: str | None = None, kind: str = "") -> int:
        """Return the status. Raises TimeoutError."""
        headers = {"Cookie": self.cookie, "Authorization": f"Bearer {self.token}"}
        headers |= {"Content-Type": kind} if body is not None else {}
        if not path.startswith("/api/"):
            del headers["Authorization"]
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=seconds)) as connection:
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def ask_all(self, asked: Sequence[tuple[str, str | None, str]]) -> list[int]:
        """Ask eight at a time, and meanwhile for the health; return the statuses."""
        over, healths = threading.Event(), list[int]()

        def watch() -> None:
            while not over.wait(0.05):
                healths.append(self.ask("/healthz", HEALTH))

        with ThreadPoolExecutor(AT_A_TIME + 1) as pool:
            watched = pool.submit(watch)
            try:
                found = list(pool.map(lambda one: self.ask(one[0], body=one[1], kind=one[2]), asked))
            finally:
                over.set()
            watched.result()
        assert healths and set(healths) == {200}
        return found


@pytest.fixture
def site(own_app: Flask, context: Context, officer: Profile) -> Iterator[Site]:
    client = own_app.test_client()
    sign_in_as(client, officer)
    name = own_app.config["SESSION_COOKIE_NAME"]
    cookie = client.get_cookie(name)
    assert cookie is not None
    token = make_token(context, officer.id, "walk", 1)
    with serving(own_app) as port:
        yield Site(port, f"{name}={cookie.value}", token)


@cache
def large(shape: str) -> ReportDocument:
    return from_markdown(LARGE[shape])


@pytest.fixture
def values(context: Context, shape: str) -> dict[str, object]:
    """What stands in the addresses: a report whose versions are large, the later one in another order."""
    document = large(shape)
    turned = document.model_copy(update={"sections": _changed(document)})
    with context.database.session() as session:
        report = make_finished_report(session)
        session.get_one(Report, report.id).origin = "uploaded"
        for one in (document, turned):
            last = add_version(session, report.id, one, "edited", made_by=report.requested_by)
        loop = make_supervision(session, report, first_version=last, last_version=last)
        stored = document.model_dump(mode="json")
        revision = make_revision(session, loop, base_version=last, document=stored)
        return {
            "report_id": report.id,
            "version_no": last - 1,
            "supervision_id": loop.id,
            "revision_id": revision.id,
            "key": "okafor2019",
        }


def _changed(document: ReportDocument) -> tuple[object, ...]:
    return tuple(
        one.model_copy(update={"body": f"{one.body[::-1]}\n\nMore."}) for one in reversed(document.sections)
    )


def addresses(app: Flask, values: dict[str, object]) -> Iterator[str]:
    """Every address of the site's map that shows something of a report, in each format there is."""
    for rule in app.url_map.iter_rules():
        assert isinstance(rule, Rule)
        of_report = rule.arguments and rule.arguments <= {*values, "export_format"}
        if "GET" not in (rule.methods or ()) or not of_report or not {"report_id", "revision_id"} & rule.arguments:
            continue
        formats = EXPORT_FORMATS if "export_format" in rule.arguments else ("",)
        more = [{"format": name} for name in EXPORT_FORMATS] if rule.endpoint == "api.export_report" else [{}]
        if rule.endpoint in {"research.report", "research.compare", "research.revision"}:
            more += [{"view": "side", "edit": "document", "part": "2"}]
        for name in formats:
            path = _path(app, rule, values | {"export_format": name})
            yield from (f"{path}?{urlencode(query)}" if query else path for query in more)


def _path(app: Flask, rule: Rule, values: dict[str, object]) -> str:
    given = {name: value for name, value in values.items() if name in rule.arguments}
    try:
        return app.url_map.bind("127.0.0.1").build(rule.endpoint, given)
    except BuildError:
        raise AssertionError(f"{rule.rule} takes something else") from None


@pytest.mark.parametrize("shape", LARGE)
def test_every_page_of_a_large_document(own_app: Flask, site: Site, values: dict[str, object]) -> None:
    asked = list(addresses(own_app, values))
    assert len(asked) > 20
    found = site.ask_all([(path, None, "") for path in asked for _ in range(AT_A_TIME // 4)])
    assert set(found) <= {200, 202, 404}, [one for one in zip(asked, found, strict=False) if one[1] >= 500]


@pytest.mark.parametrize("shape", LARGE)
def test_large_documents_are_uploaded_and_edited(site: Site, values: dict[str, object], shape: str) -> None:
    head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    upload = f"{head}{LARGE[shape]}\r\n--x--\r\n"
    edit = urlencode({"version": 1, "decide": "edit", "document": LARGE[shape]})
    found = site.ask_all(
        [("/api/v1/documents", upload, "multipart/form-data; boundary=x")] * AT_A_TIME
        + [(f"/research/revisions/{values['revision_id']}", edit, "application/x-www-form-urlencoded")] * AT_A_TIME
    )
    assert 201 in found[:AT_A_TIME] and set(found) <= {200, 201, 302, 400, 409, 413, 503}


def test_a_document_of_too_many_headings_is_refused(signed_in) -> None:
    file = (io.BytesIO(TOO_MANY_HEADINGS.encode()), "a.md")
    refused = signed_in("officer").post("/research/documents/new", data={"file": file})
    assert refused.status_code == 413 and "more than 2,000 headings" in refused.text


@pytest.mark.parametrize("shape", LARGE)
def test_the_parts_are_the_whole(shape: str) -> None:
    document = large(shape)
    parts = document_parts(document)
    assert len(parts) > 1
    words = "".join("".join(one.body.split()) for part in parts for one in part)
    assert len(words) >= sum(len("".join(one.body.split())) for one in document.sections)


def test_most_documents_have_one_part() -> None:
    assert len(document_parts(from_markdown("# Kites\n\n" + "Fathers and kites. " * 3000))) == 1
