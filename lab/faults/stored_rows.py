"""Orphan rows: rows that refer to nothing, which the database's own foreign keys do not refuse."""

from __future__ import annotations

from typing import Any

import psycopg

Row = dict[str, Any]

#: Each query finds what must not be: a sentence a row.
_ORPHANS = (
    """
    select 'batch ' || b.id || ' names ' || b.file_count || ' files and has ' || count(u.id) as found
      from upload_batches b left join uploads u on u.batch_id = b.id and u.split_id is null
     group by b.id having count(u.id) <> b.file_count or count(u.id) = 0
    """,
    """
    select 'pages ' || p.id || ' of a file that is ' || u.status as found
      from page_ranges p join uploads u on u.id = p.upload_id where u.status not in ('stored', 'analysing')
    """,
    """
    select 'file ' || u.id || ' says ' || coalesce(u.entry_count, 0) || ' entries and has ' || count(s.id) as found
      from uploads u left join submissions s on s.upload_id = u.id
     where u.status = 'split' group by u.id having count(s.id) <> coalesce(u.entry_count, 0)
    """,
    """
    select 'entry ' || s.id || ' of a file that was not split' as found
      from submissions s join uploads u on u.id = s.upload_id where u.status not in ('split', 'superseded')
    """,
    "select 'decision ' || d.id || ' on nothing' as found from review_decisions d"
    " where (d.kind = 'suggestion' and not exists (select from review_suggestions g where g.id = d.item_id))"
    " or (d.kind = 'escalation' and not exists (select from escalations e where e.id = d.item_id))",
    "select 'run ' || r.run_id || ' of an entry with fewer runs' as found"
    " from runs r join submissions s on s.id = r.submission_id where r.run_no > s.run_no",
    "select distinct 'thread ' || c.thread_id || ' of no run' as found from langgraph.checkpoints c"
    " where not exists (select from runs r where r.run_id = c.thread_id)",
)


def orphan_rows(cursor: psycopg.Cursor[Row]) -> list[str]:
    """Return a sentence on each."""
    return [str(row["found"]) for query in _ORPHANS for row in cursor.execute(query).fetchall()]
