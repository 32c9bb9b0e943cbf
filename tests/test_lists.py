"""Every list is paged by the place of a row; what stays short is named here, each with its reason."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import typing
from collections.abc import Iterator, Sequence
from functools import cache
from inspect import isclass, isfunction, signature
from types import ModuleType, UnionType
from typing import Any

from pydantic import BaseModel

from core.models.base import Base
from services.keyset import RowPage
from tests.support.code import ROOT, id_of, sources, syntax_tree
from web.api import openapi
from web.api.protocol import PageQuery

#: What a function takes that returns one page of a list.
PLACES = {"cursor", "after"}

#: Use cases that pages and the API call and that return rows without a place to go on from: {why: names}.
SHORT = {
    "of one entry, file, pair or letter": {
        "services.audits.audit_detail",
        "services.entries.detail.submission_detail",
        "services.entries.essay.essay_page",
        "services.event_log.viewers_of",
        "services.letters.items.items_of_submission",
        "services.replays.run_detail.run_detail",
        "services.review.details.suggestion_detail",
        "services.review.item.desk_item",
        "services.review.item.item_to_decide",
        "services.review.pairs.pair_detail",
        "services.uploads.split.arranged",
        "services.uploads.split.split_changes",
        "services.uploads.split.split_view",
    },
    "of one report, of which a plan has so many parts and a supervision so many attempts": {
        "services.reports.files.own_document",
        "services.reports.progress.report_progress",
        "services.reports.source_panel.source_panel",
        "services.reports.versions.report_detail",
        "services.reports.versions.report_versions",
        "services.supervision.revisions.quoted_sources",
        "services.supervision.revisions.revision_detail",
        "services.supervision.timeline.supervision_timeline",
        "services.supervision.timeline.supervisions_of",
    },
    "made by people of the office by hand: some tens": {
        "services.form_studio.draft.list_drafts",
        "services.form_studio.draft.saving_of",
        "services.form_studio.problems.mark_problems",
        "services.form_studio.samples.list_samples",
        "services.forms.versions.list_forms",
        "services.policy.history",
        "services.saved_lists.list_filters",
        "services.schools.school_detail",
        "services.season_admin.seasons.list_seasons",
        "services.season_admin.seasons.season_names",
        "services.season_admin.seasons.waiting_elsewhere",
    },
    "a window of its own, by number": {"services.library.documents.library_document"},
    "the first of many by a limit, of which the page says so": {
        "services.accounts.api_tokens.list_tokens",
        "services.accounts.sign_in.list_sessions",
        "services.audits.audit_queue",
        "services.entries.listing.list_similar",
        "services.erasure.held_export.with_namesakes",
        "services.policy.preview_policy",
        "services.queue.failed_work.last_passes",
        "services.queue.jobs.queue_view",
        "services.review.bulk.preview_bulk",
        "services.school_names.likely_schools",
        "services.schools.unlisted_schools",
    },
    "as many as the program has kinds, parts, days or bins": {
        "services.doctor.checks.examine",
        "services.queue.failed_work.samples",
        "services.queue.jobs.in_spans",
        "services.season_admin.set_up.set_up_view",
        "services.stats.lists.orchestrator_stats",
        "services.trust.trust_view.trust_view",
    },
    "of what the same request names": {
        "services.batches.default_values.preview_defaults",
        "services.letters.answers.find_letters",
        "services.letters.writing.plan_letters",
        "services.school_lists.import_schools",
    },
    "a file, written row by row": {"services.event_log.every_event"},
}
#: Where only the first page of a list is wanted.
FIRST_PAGES = {
    ("web/admin/form_samples.py", "list_submissions"): "the newest entries, to choose a sample from",
    ("web/api/batches.py", "batch_progress"): "the answer to an upload, which leads to the batch",
    ("web/review/bulk.py", "list_waiting"): "those that a preview of as many leaves out",
    ("web/submissions/upload.py", "recent_batches"): "the last ones, under the form",
}
#: Statements that skip rows and are no lists.
SKIPS = {
    "services/form_studio/draft.py": "forgets all steps but the last",
    "services/trust/figures.py": "whether a season has more than so many entries",
}
#: Lists of the API that are whole.
WHOLE = {"/supervisions": "of one report"}


def test_nothing_is_paged_by_skipping_rows() -> None:
    found = {
        id_of(path)
        for path in sources("core", "pipeline", "research", "services", "jobs", "commands", "web")
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "offset"
    }
    assert found == set(SKIPS)


def test_every_list_goes_on_from_a_place() -> None:
    whole = {name for name, function in used().items() if has_rows(returned(function)) and not places(function)}
    named = [name for names in SHORT.values() for name in names]
    assert whole == set(named) and len(named) == len(set(named))


def test_every_page_of_a_list_can_be_asked_for() -> None:
    paged = {
        name.rpartition(".")[2]
        for name, function in used().items()
        if places(function) and has_rows(returned(function))
    }
    firsts = {
        (id_of(path), name)
        for path in sources("web")
        for node in ast.walk(syntax_tree(path))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func).rpartition(".")[2]) in paged
        if not any(word in ast.unparse(node) for word in ("cursor", "after", "'page'"))
    }
    assert firsts == set(FIRST_PAGES)


def test_every_list_of_the_api_has_a_cursor_and_a_limit() -> None:
    lists = [
        one
        for one in openapi.OPERATIONS
        if one.method == "GET" and isclass(one.answer) and "rows" in one.answer.model_fields
    ]
    assert len(lists) >= 8
    for one in lists:
        if not one.path.endswith(tuple(WHOLE)):
            assert one.query is not None and issubclass(one.query, PageQuery), one.path


@cache
def used() -> dict[str, Any]:
    """The use cases that pages and the API import, by their dotted names."""
    found = {}
    for path in sources("web"):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for thing in vars(module).values():
            if isfunction(thing) and thing.__module__.startswith("services."):
                found[f"{thing.__module__}.{thing.__name__}"] = thing
    return found


def places(function: Any) -> bool:
    return not PLACES.isdisjoint(signature(function).parameters)


def returned(function: Any) -> Any:
    """What a function returns; the names of its own module and of those for types alone are known."""
    module: ModuleType = importlib.import_module(function.__module__)
    return typing.get_type_hints(function, vars(module) | {"Any": Any}).get("return")


def has_rows(hint: Any, deep: bool = True) -> bool:
    """Whether a value of this type holds any number of rows, itself or in an attribute."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (UnionType, typing.Union) or (origin is tuple and inner[-1:] != (...,)):
        return any(has_rows(one, deep) for one in inner)
    if origin in (list, tuple, Sequence, Iterator):
        return is_row(inner[0])
    if origin is RowPage:
        return True
    if deep and dataclasses.is_dataclass(hint) and isclass(hint):
        return any(has_rows(one, False) for one in typing.get_type_hints(hint).values())
    return False


def is_row(kind: Any) -> bool:
    return isclass(kind) and (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel | Base))
