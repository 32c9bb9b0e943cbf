"""Half decisions: a decision, its item, the trail and the entry are written in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg

Row = dict[str, Any]

#: Each query finds what must not be: a sentence a row.
_HALVES = (
    """
    select 'proposal ' || g.id || ' is decided, with ' || count(d.id) || ' decisions that stand' as found
      from review_suggestions g
      left join review_decisions d on d.item_id = g.id and d.kind = 'suggestion' and d.undone_at is null
     where g.status in ('approved', 'rejected') group by g.id having count(d.id) <> 1
    """,
    """
    select 'proposal ' || g.id || ' is decided, and nobody, or not all of it' as found
      from review_suggestions g
     where g.status in ('approved', 'rejected')
       and (g.resolved_at is null or g.resolved_by_user_id is null or exists (
         select from review_suggestion_fields f where f.suggestion_id = g.id and f.decision = 'pending'))
    """,
    """
    select 'proposal ' || g.id || ' waits, and is decided in part' as found
      from review_suggestions g
     where g.status = 'pending'
       and (g.resolved_at is not null
         or exists (select from review_suggestion_fields f
                     where f.suggestion_id = g.id and f.decision <> 'pending')
         or exists (select from review_decisions d
                     where d.item_id = g.id and d.kind = 'suggestion' and d.undone_at is null))
    """,
    """
    select 'escalation ' || e.id || ' is decided, with ' || count(d.id) || ' decisions that stand' as found
      from escalations e
      left join review_decisions d on d.item_id = e.id and d.kind = 'escalation' and d.undone_at is null
     where e.status in ('resolved', 'rejected') group by e.id having count(d.id) <> 1
    """,
    """
    select 'escalation ' || e.id || ' is ' || e.status || ', and its decision says something else' as found
      from escalations e
     where (e.status in ('resolved', 'rejected')) <> (e.decided_at is not null)
        or (e.status in ('resolved', 'rejected')) <> (e.decision is not null)
        or (e.status in ('resolved', 'rejected') and e.resumed_at is null)
    """,
    """
    select 'decision ' || d.id || ' is not in the trail' as found
      from review_decisions d
     where not exists (
       select from review_events v
        where v.submission_id = d.submission_id and v.actor_id = d.actor_id and v.created_at = d.created_at)
    """,
    """
    select 'event ' || v.id || ' (' || v.kind || ') has no decision' as found
      from review_events v
     where v.actor_id is not null
       and (v.kind like 'field\\_%' or v.kind in ('escalation_resolved', 'rejected'))
       and not exists (
         select from review_decisions d
          where d.submission_id = v.submission_id and d.actor_id = v.actor_id and d.created_at = v.created_at)
    """,
    """
    select 'decision ' || d.id || ' was taken back, and the trail has it not' as found
      from review_decisions d
     where d.undone_at is not null and not exists (
       select from review_events v
        where v.submission_id = d.submission_id and v.kind = 'undone' and v.created_at = d.undone_at)
    """,
    """
    select 'entry ' || s.id || ' is ' || s.status || ', after a decision that stands' as found
      from review_decisions d join submissions s on s.id = d.submission_id
     where d.undone_at is null and d.version = s.version
       and s.status not in ('resolved', 'rejected', 'escalated')
    """,
    """
    select distinct 'entry ' || v.submission_id || ' was settled by its run after a person had decided' as found
      from review_events v join review_events p on p.submission_id = v.submission_id and p.run_no = v.run_no
     where v.actor_id is null and v.kind in ('completed', 'suggested', 'escalated')
       and p.actor_id is not null and p.id < v.id
       and (p.kind like 'field\\_%' or p.kind in ('edited', 'escalation_resolved', 'rejected', 'undone'))
    """,
)


def half_decisions(
    cursor: psycopg.Cursor[Row], acknowledged: Sequence[str], taken_back: Sequence[str]
) -> list[str]:
    """Return a sentence on each decision that is not whole, or that was acknowledged and is not there."""
    found = [str(row["found"]) for query in _HALVES for row in cursor.execute(query).fetchall()]
    rows = cursor.execute("select id::text as id, undone_at from review_decisions").fetchall()
    stored = {row["id"]: row["undone_at"] for row in rows}
    found += [f"decision {one} was acknowledged and is not there" for one in acknowledged if one not in stored]
    found += [f"decision {one} was said to be taken back" for one in taken_back if stored.get(one) is None]
    return found
