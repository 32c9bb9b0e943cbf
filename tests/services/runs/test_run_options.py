"""What a person asks of the next reading is done by it: the provider, the form, the model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.config import Settings
from core.models import Run
from pipeline.extraction.page_roles import roles_of
from pipeline.orchestrator_routing import route_after_pipeline
from pipeline.orchestrator_state import AgentState
from pipeline.profiles import form_profiles, freeform_profile
from pipeline.recognition.page_contents import read_pages
from services.context import Context
from services.recovery.kinds import RUNS
from services.recovery.work import take_lease
from services.runs import run as module
from services.runs.run import run_context, run_submission
from services.seasons import current_season
from tests.support.factories import make_run
from tests.support.reading.entries import COMPLETE, acroform
from tests.support.review import desk

CHUNK = {"index": 0, "page_start": 1, "page_end": 1, "doc_class": "SINGLE_TYPED", "profile": "freeform"}


class HeardError(Exception):
    """Raised in place of a reading; carries what it was asked for."""


def queue(context: Context, **options: Any) -> str:
    """A run with these options that waits for a worker."""
    with context.database.session() as session:
        entry = desk.make_entry(context, session, chunk_metadata=CHUNK, run_no=2)
        run: Run = make_run(session, entry.submission, status="queued", options=options)
    return run.run_id


def test_provider_and_form_reach_the_reader(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(state: AgentState, **_: Any) -> None:
        raise HeardError(state["ocr_provider_name"], state["chunk_metadata"])

    monkeypatch.setattr(module, "read_submission", read)
    form = form_profiles()[0].key
    with pytest.raises(HeardError) as heard:
        run_submission(context, queue(context, ocr_provider="none", profile=form))
    assert heard.value.args == ("none", {**CHUNK, "profile": form, "forms": [form]})
    with pytest.raises(HeardError) as heard:
        run_submission(context, queue(context))
    assert heard.value.args == (context.settings.ocr_provider, CHUNK)


def test_the_forms_of_the_season_reach_the_reader_unless_a_person_named_one(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(state: AgentState, **_: Any) -> None:
        raise HeardError((state["chunk_metadata"] or {})["forms"])

    monkeypatch.setattr(module, "read_submission", read)
    in_use = [form.key for form in form_profiles()[:2]]
    with context.database.session() as session:
        current_season(session).form_profiles = in_use
    for options, forms in (({}, in_use), ({"profile": "freeform"}, ["freeform"])):
        with pytest.raises(HeardError) as heard:
            run_submission(context, queue(context, **options))
        assert heard.value.args == (forms,)


def test_the_form_that_was_named_is_the_only_one(settings: Settings) -> None:
    # Without its widgets, whose names say what form it is: by its print alone.
    pages = [replace(page, widgets=[]) for page in read_pages(acroform(COMPLETE), settings, None, "none")]
    (best,) = roles_of(pages)
    assert best.profile is not None
    (named,) = roles_of(pages, (freeform_profile().key,))
    assert named.profile is None
    others = [form.key for form in form_profiles() if form.key != best.profile.key]
    for other in others:
        (page,) = roles_of(pages, (other,))
        assert page.profile is None or page.profile.key != best.profile.key


def test_the_model_is_asked_for_whatever_is_missing(context: Context) -> None:
    state: Any = {"missing_fields": ["grade"], "confidence": 0.89, "tries": 1, "tools_used": ["run_pipeline"]}
    routes = []
    for options in ({}, {"ask_model": True}):
        lease = take_lease(context, RUNS, queue(context, **options))
        assert lease is not None
        policy = run_context(context, lease).policy
        routes.append(route_after_pipeline(state, policy, model_configured=True))
    assert routes == ["review", "retry"]
