"""The samples of the demo are what the recorded model answers: a changed prompt fails here before a visitor."""

from __future__ import annotations

import json

from lab.cassettes.sample_reports import SHOWN, recorded


def test_every_request_of_the_samples_has_its_reply_and_the_demo_shows_what_they_make() -> None:
    names = sorted(path.stem for path in SHOWN.glob("*.json"))
    assert names == ["catalog", "narrative", "supervision"]
    for name, desk, report_id in recorded(names):
        shown = json.loads((SHOWN / f"{name}.json").read_text(encoding="utf-8"))
        made = desk.rows(report_id)
        for table in ("report_versions", "report_revisions"):
            assert [row["document"] for row in shown[table]] == [row["document"] for row in made[table]]
