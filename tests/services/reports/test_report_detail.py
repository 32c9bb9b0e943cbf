from __future__ import annotations

import uuid

import pytest

from core.errors import NotFoundError
from services.context import Context
from services.reports.versions import report_detail, report_document


def test_the_latest_version_is_shown(context: Context, finished: uuid.UUID) -> None:
    detail = report_detail(context, finished)
    assert detail.version_no == 2 and detail.document is not None
    assert detail.document.sections[0].heading == "What was found, version 2"
    assert [(line.version_no, line.made_by is None) for line in detail.versions] == [(2, False), (1, True)]


def test_an_older_version(context: Context, finished: uuid.UUID) -> None:
    detail = report_detail(context, finished, 1)
    assert detail.document is not None and detail.document.sections[0].heading == "What was found, version 1"
    assert report_document(context, finished, 1) == detail.document


def test_what_was_checked(context: Context, finished: uuid.UUID) -> None:
    detail = report_detail(context, finished)
    assert [claim.claim_id for claim in detail.checked("fabricated")] == ["c4"]
    assert [claim.source_key for claim in detail.checked("misattributed")] == ["marlow2021"]
    assert [claim.claim_id for claim in detail.verified_anew] == ["c1"]


def test_nothing_is_written_yet(context: Context, running: uuid.UUID) -> None:
    detail = report_detail(context, running)
    assert detail.document is None and detail.versions == ()
    with pytest.raises(NotFoundError):
        report_document(context, running)


def test_no_such_version(context: Context, finished: uuid.UUID) -> None:
    for version_no in (0, 3):
        with pytest.raises(NotFoundError):
            report_detail(context, finished, version_no)
