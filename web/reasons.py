"""Reason codes in the language of the request, for filters and pages."""

from __future__ import annotations

from typing import NamedTuple

from flask import url_for

from pipeline import reason_codes
from pipeline.reason_codes import ReasonCode, ReasonInfo
from services.pages.document_pages import Document
from web.context import get_person
from web.i18n import mark, translated


class ReasonPage(NamedTuple):
    """A page on which what a reason is about can be changed."""

    url: str
    name: str


#: Endpoint and name of the page of each reason that has one.
_PAGES = {
    ReasonCode.UNKNOWN_SCHOOL.value: ("schools.index", mark("List of schools")),
    ReasonCode.DUPLICATE_SUBMISSION.value: ("duplicates.index", mark("Duplicate entries")),
}
_ORIGINAL = ("submissions.original", mark("Original file"))
#: The same where the page is that of the file.
_PAGES_OF_FILE = {
    ReasonCode.MORE_IN_FILE.value: _ORIGINAL,
    ReasonCode.ATTACHMENTS.value: _ORIGINAL,
    ReasonCode.DYNAMIC_FORM.value: _ORIGINAL,
    ReasonCode.UNREAD_CONTENT.value: _ORIGINAL,
    ReasonCode.SPLIT_UNCERTAIN.value: ("submissions.split_page", mark("Correct the split")),
}


def reason_info(code: str, form: str | None = None, version: int | None = None) -> ReasonInfo:
    """Return the label and the advice of a code, in the language of the request.

    `form` and `version`: what the entry was read with, where the advice is about one.
    """
    info = reason_codes.reason_info(code, form, version)
    return info._replace(label=translated(info.label), advice=translated(info.advice))


def reason_options() -> list[tuple[str, ReasonInfo]]:
    """Return (stored key, label and advice) of every reason code."""
    return [(code.value, reason_info(code.value)) for code in ReasonCode]


def reason_page(code: str, document: Document | None = None) -> ReasonPage | None:
    """Return the page of a code that its advice speaks of, None without one.

    `document`: the file of the entry; only reviewers correct its split.
    """
    if code in _PAGES:
        endpoint, name = _PAGES[code]
        return ReasonPage(url_for(endpoint), translated(name))
    if document is None or code not in _PAGES_OF_FILE:
        return None
    endpoint, name = _PAGES_OF_FILE[code]
    if code == ReasonCode.SPLIT_UNCERTAIN.value and not get_person().role.may_review:
        return None
    return ReasonPage(url_for(endpoint, upload_id=document.upload_id), translated(name))
