"""Replay a run of the supervisor by other rules, and show what differs. Writes nothing.

    .venv/bin/python scripts/orchestrator_replay.py RUN_ID [--from STEP] [--set COMPLETE_CONFIDENCE=0.95 …]

RUN_ID is that of the run's page (ENTRY:NUMBER). The run begins with its checkpoints, or with its stored reading
where these are removed; the rules are those that it had. No page is read, and no model asked but with --ask-model,
whose calls are in no ledger. Ends with 0 whether something differs or not, with 2 where it cannot be replayed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import Settings, get_settings
from core.errors import AppError
from core.messages import label_of
from pipeline.orchestrator.decisions import Step
from services.context import open_context
from services.policy import Rule
from services.replays.replay import STEPS, PlayedStep, Replay, replay


def main(arguments: list[str] | None = None, settings: Settings | None = None) -> int:
    """Read the command line, replay, print."""
    options = _parser().parse_args(arguments)
    try:
        changes = dict(_rule(text) for text in options.rules)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    context = open_context(settings or get_settings())
    try:
        found = replay(context, options.run_id, changes, options.from_step, options.ask_model)
    except AppError as error:
        print(error.detail or error.help_message, file=sys.stderr)
        return 2
    finally:
        context.close()
    print(json.dumps(asdict(found), default=str, indent=1) if options.json else "\n".join(lines_of(found)))
    return 0


def lines_of(found: Replay) -> list[str]:
    """Return the replay as lines of text: what differs is marked by `!`."""
    lines = [f"from {found.source.label}"]
    lines += [f"{label_of(Rule, key)}: {before} -> {after}" for key, (before, after) in found.rules.items()]
    for number, pair in enumerate(found.pairs, start=1):
        lines.append(f"{'!' if pair.differs else ' '} {number}  was: {_said(pair.before)}")
        if pair.differs:
            lines.append(f"     now: {_said(pair.after)}")
    changed = found.outcome_before != found.outcome_after
    lines.append(f"{'!' if changed else ' '} outcome: {found.outcome_before} -> {found.outcome_after}")
    proposed = (", ".join(fields) or "nothing" for fields in (found.proposed_before, found.proposed_after))
    lines.append(
        f"{'!' if found.proposed_before != found.proposed_after else ' '} proposes: {' -> '.join(proposed)}"
    )
    if found.calls:
        lines.append(f"  calls of the model: {found.calls}")
    told = "different" if found.differs else "the same"
    lines.append(f"The result would have been {told}.")
    return lines


def _said(step: PlayedStep | None) -> str:
    if step is None:
        return "the run had ended"
    numbers = f"confidence {step.confidence}, missing {list(step.missing)}, weak {list(step.weak)}"
    return f"{label_of(Step, step.action)} ({numbers}) => {step.route or step.outcome or 'end'}"


def _rule(text: str) -> tuple[str, Any]:
    """Return a rule and its value. Raises ValueError."""
    key, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text}: write RULE=VALUE")
    rule = key.strip().lower()
    return rule, value.split(",") if rule == Rule.DEFAULT_REQUIRED else value.strip()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Replay a run of the supervisor by other rules; writes nothing.")
    parser.add_argument("run_id", metavar="RUN_ID")
    parser.add_argument(
        "--from", dest="from_step", choices=STEPS, help="the step that is the first to be replayed"
    )
    parser.add_argument(
        "--set",
        dest="rules",
        action="extend",
        nargs="+",
        default=[],
        metavar="RULE=VALUE",
        help="a rule of the season, as COMPLETE_CONFIDENCE=0.95; lists by commas",
    )
    parser.add_argument("--ask-model", action="store_true", help="ask the model that is set up; that costs money")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
