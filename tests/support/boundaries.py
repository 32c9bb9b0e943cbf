"""Every boundary where a process may end and nothing be lost or doubled, and how each is seen from outside."""

from __future__ import annotations

from typing import Any

from pipeline.orchestrator_graph import NODES
from research.allocation import LAST_ROUND
from research.supervision.loop.graph import NODES as SUPERVISION_NODES
from tests.support.moments import MOMENTS, Reached

#: Every moment between two effects of the orchestrator. `mark_for_human` has one more: the escalation is logged,
#: the interrupt is still to come; what follows happens after a person decided.
NODE_BOUNDARIES = (
    *(f"{node}:{point}" for node in NODES for point in ("start", "work_done", "logged")),
    "mark_for_human:announced",
)
#: Of the review agent, within the node `review_agent`.
REVIEW_AGENT_BOUNDARIES = tuple(
    f"review_agent.{node}:{point}"
    for node in ("get_pdf", "extract_text", "infer_llm", "propose_update")
    for point in ("start", "done")
)

#: Of `resolve_escalation`, in the process that the person talks to.
RESOLVE_BOUNDARIES = {
    "begin": "resolve:begun",
    "wrote escalations": "resolve:won",
    "commit escalations": "resolve:written",
    "committed escalations": "resolve:committed",
    "enqueued": "resolve:enqueued",
}
#: Of `resume_run` where the checkpoint is gone.
SETTLE_BOUNDARIES = {
    "begin": "resume:begun",
    "committed runs": "resume:leased",
    "write escalations": "resume:graph_done",
    "commit escalations": "resume:written",
    "committed escalations": "resume:closed",
}
#: Of `resume_run` where the thread waits: also those of the node that goes on.
RESUME_BOUNDARIES = (
    *SETTLE_BOUNDARIES.values(),
    *(name for name in NODE_BOUNDARIES if name.startswith("mark_for_human:")),
)
#: Of `decide_revision`.
DECIDE_BOUNDARIES = {
    "begin": "decide:begun",
    "wrote report_revisions": "decide:won",
    "committed report_revisions": "decide:committed",
    "enqueued": "decide:enqueued",
}

#: Of the loop of a report's rounds.
LOOP_BOUNDARIES = (
    "plan:start",
    "plan:done",
    *(
        f"{node}_{index}:{point}"
        for index in range(1, LAST_ROUND + 1)
        for node in ("plan_round", "join_round")
        for point in ("start", "done")
    ),
    "synthesise:start",
    "synthesise:done",
)
#: Of the node that waits for a person.
APPROVAL_BOUNDARIES = ("approve_plan:start", "approve_plan:done")
#: Of one researcher, behind its kind.
RESEARCHER_BOUNDARIES = (
    *(f"{step}:{point}" for step in ("search", "fetch", "store") for point in ("start", "done")),
    "fetch:stored",
)
#: Of a supervision's loop.
SUPERVISION_BOUNDARIES = tuple(f"{node}:{point}" for node in SUPERVISION_NODES for point in ("start", "done"))
#: Tables that the research of one gap writes, each in transactions of its own.
EXPANSION_BOUNDARIES = ("expand_topic:wrote report_tasks", "expand_topic:wrote report_sources")


def of_orchestrator(reached: Reached) -> Reached:
    """Tell `reached` of the boundaries of the orchestrator: its log rows come between its nodes' work and end."""
    announced = False

    def moment(name: str) -> None:
        nonlocal announced
        node = MOMENTS.node
        if name == "mark_for_human:start":
            announced = False
        if name == "write orchestrator_logs" and (node != "mark_for_human" or announced):
            reached(f"{node}:work_done")
        elif name == "committed orchestrator_logs":
            is_last = node != "mark_for_human" or announced
            announced = True
            reached(f"{node}:{'logged' if is_last else 'announced'}")
        elif name.endswith((":start", ":done")):
            reached(name)

    return moment


def of_resume(reached: Reached) -> Reached:
    """Tell `reached` of the boundaries of a resume, those of the orchestrator among them."""
    nodes = of_orchestrator(reached)

    def moment(name: str) -> None:
        if name in SETTLE_BOUNDARIES and not MOMENTS.node:
            reached(SETTLE_BOUNDARIES[name])
        nodes(name)

    return moment


def of_report(reached: Reached) -> Reached:
    """Tell `reached` of the boundaries of a report's loop and its researchers."""

    def moment(name: str) -> None:
        if name == "committed report_sources" and MOMENTS.node.endswith(".fetch"):
            reached(f"{MOMENTS.node}:stored")
        elif name.endswith((":start", ":done")) and "_researcher:" not in name:
            # A researcher as a whole begins and ends with its first and its last step.
            reached(name)

    return moment


def of_supervision(reached: Reached) -> Reached:
    """Tell `reached` of the boundaries of a supervision's loop, and of every table that an expansion wrote."""

    def moment(name: str) -> None:
        verb, _, table = name.partition(" ")
        if verb == "committed" and MOMENTS.node == "expand_topic":
            reached(f"expand_topic:wrote {table}")
        elif name.endswith((":start", ":done")):
            reached(name)

    return moment


def named_by_round(path: str, state: Any) -> str:
    """A node of a report's loop with its round, one of a researcher with its kind."""
    if path == "plan_round":
        return f"plan_round_{state.get('round_index', 0) + 1}"
    if path == "join_round":
        return f"join_round_{state['round_index']}"
    return path.replace("_researcher.", ".")
