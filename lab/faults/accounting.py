"""The accounting: what the database, the queue and the file store hold, beside what was sent and told.

It reads tables, keys and files by themselves; nothing of the product's own services is asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.rows import dict_row

from lab.faults.deciding import Decided
from lab.faults.decisions_whole import half_decisions
from lab.faults.material import Drawn
from lab.faults.sending import ACKNOWLEDGED, REFUSED, Attempt
from lab.faults.stored_files import Files, orphan_files
from lab.faults.stored_rows import orphan_rows

Row = dict[str, Any]
#: Codes of files that cannot be read by anybody.
_UNREADABLE = frozenset({"not_a_document", "encrypted_document", "damaged_document", "document_error"})
#: Statuses of an entry that is finished, or waits for a person.
_STANDING = frozenset({"completed", "suggested", "escalated", "resolved", "rejected"})
#: What people, the machine and the graph did to an entry, oldest first.
_HISTORY = """
select to_char(at, 'HH24:MI:SS.MS') || '  ' || what as line from (
  select created_at as at, id as place,
         concat_ws(' ', case when actor_id is null then 'machine' else 'person' end, kind, field_name,
                   'run ' || run_no, 'version ' || version) as what
    from review_events where submission_id = %(entry)s
  union all
  select timestamp, step, concat_ws(' ', 'step', run_id, step, action_taken, final_outcome)
    from orchestrator_logs where submission_id = %(entry)s
  union all
  select created_at, 0, concat_ws(' ', 'decision on', kind, item_id, 'taken back ' || undone_at::time)
    from review_decisions where submission_id = %(entry)s
  union all
  select settled_at, 0, concat_ws(' ', 'run', run_id, status, outcome, 'in attempt', attempts)
    from runs where submission_id = %(entry)s
) as all_of_it order by at, place
"""


@dataclass
class Account:
    """What is wrong, a sentence each; all empty where everything is accounted for."""

    accounted: int = 0
    #: Entries that are missing, failed or not finished.
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    #: Attempts that were acknowledged and are not there, or were refused and are.
    misreported: list[str] = field(default_factory=list)
    #: Leases and jobs that are left although nothing is under way.
    left: list[str] = field(default_factory=list)

    def add(self, other: Account) -> None:
        """Take another installation's account in."""
        self.accounted += other.accounted
        for name in ("missing", "doubled", "orphans", "half", "misreported", "left"):
            getattr(self, name).extend(getattr(other, name))

    @property
    def sentences(self) -> list[str]:
        """All of it, each with what it is about."""
        names = ("missing", "doubled", "orphans", "half", "misreported", "left")
        return [f"{name}: {sentence}" for name in names for sentence in getattr(self, name)]


def account_for(
    connection: psycopg.Connection[Any],
    files: Files,
    drawn: Sequence[Drawn],
    attempts: Sequence[Attempt],
    decided: Decided,
    jobs: Sequence[str],
) -> Account:
    """Compare what is stored with what was drawn, told and decided. `jobs`: ids of jobs still on the queue."""
    with connection.cursor(row_factory=dict_row) as cursor:
        uploads = cursor.execute("select * from uploads").fetchall()
        account = Account()
        _account_for_files(cursor, uploads, drawn, account)
        account.misreported += _misreported(uploads, attempts, files)
        account.half += half_decisions(cursor, decided.acknowledged, decided.taken_back)
        account.orphans += [*orphan_rows(cursor), *orphan_files(cursor, files)]
        account.left += [*_leases(cursor), *(f"job {job}" for job in jobs)]
        return account


def _account_for_files(
    cursor: psycopg.Cursor[Row], uploads: Sequence[Row], drawn: Sequence[Drawn], account: Account
) -> None:
    by_digest: defaultdict[str, list[Row]] = defaultdict(list)
    for upload in uploads:
        if upload["duplicate_of"] is None and upload["split_id"] is None:
            by_digest[upload["sha256"]].append(upload)
    records = _records_of(cursor)
    for file in drawn:
        name = f"{file.kind} {file.digest[:12]}"
        found = by_digest.get(file.digest, [])
        if len(found) > 1:
            account.doubled.append(f"{name} has {len(found)} rows that are no duplicates")
        if not found:
            account.missing.append(f"{name} has no row")
            continue
        _account_for_one(cursor, name, file, found[0], records.get(found[0]["id"], []), account)


def _account_for_one(
    cursor: psycopg.Cursor[Row], name: str, file: Drawn, upload: Row, records: Sequence[Row], account: Account
) -> None:
    if not file.readable:
        if upload["status"] == "failed" and upload["error_code"] in _UNREADABLE and not records:
            account.accounted += file.entries
        else:
            account.missing.append(f"{name} is {upload['status']} {upload['error_code']}, and cannot be read")
        return
    if len(records) > file.records:
        account.doubled.append(f"{name} has {len(records)} records of {file.records} entries")
    if len(records) < file.records:
        account.missing.append(
            f"{name} is {upload['status']} {upload['error_code']}: {len(records)} of {file.records} records"
        )
    standing = [record for record in records if _why_not(record) is None]
    account.missing += [
        f"{name}, entry {record['chunk_index']}: {why}{_history(cursor, record['id'])}"
        for record in records
        if (why := _why_not(record))
    ]
    account.accounted += min(len(standing), file.records)


def _records_of(cursor: psycopg.Cursor[Row]) -> dict[Any, list[Row]]:
    """The live entries of each file, with what is stored of their latest run and of their fields."""
    rows = cursor.execute(
        """
        select s.*, r.status as run_status, r.outcome as run_outcome,
               (select count(*) from runs x where x.submission_id = s.id) as runs,
               (select count(*) from submission_fields f where f.submission_id = s.id) as fields,
               (select count(*) from review_suggestions g
                 where g.submission_id = s.id and g.status = 'pending') as proposals,
               (select count(*) from escalations e
                 where e.submission_id = s.id and e.status = 'pending') as escalations
          from submissions s left join runs r on r.submission_id = s.id and r.run_no = s.run_no
         where s.status <> 'superseded' order by s.upload_id, s.chunk_index
        """
    ).fetchall()
    found: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        found[row["upload_id"]].append(row)
    return found


def _why_not(record: Row) -> str | None:
    """Return why a record is not whole; None if it is."""
    status = record["status"]
    waiting = {"suggested": (1, 0), "escalated": (0, 1)}.get(status, (0, 0))
    if status not in _STANDING:
        return f"status {status} {record['error_code']}"
    if record["runs"] != record["run_no"]:
        return f"{record['runs']} runs, and the latest is number {record['run_no']}"
    if record["run_outcome"] != status:
        return f"status {status}, and its latest run ended {record['run_outcome']} ({record['run_status']})"
    if (record["proposals"], record["escalations"]) != waiting:
        return f"status {status}, {record['proposals']} proposals and {record['escalations']} escalations wait"
    return None if record["fields"] else "no field is stored"


def _history(cursor: psycopg.Cursor[Row], entry: Any) -> str:
    """Return a line on each thing that happened to an entry, in their order: what one needs to find the cause."""
    return "".join(f"\n    {row['line']}" for row in cursor.execute(_HISTORY, {"entry": entry}).fetchall())


def _misreported(uploads: Sequence[Row], attempts: Sequence[Attempt], files: Files) -> list[str]:
    """Each attempt has a file name of its own, so that its row tells which attempt stored it."""
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    for upload in uploads:
        rows[upload["original_filename"]].append(upload)
    found = [f"a row of {name}, which nobody sent" for name in rows.keys() - {one.filename for one in attempts}]
    for attempt in attempts:
        stored = rows.get(attempt.filename, [])
        if len(stored) > 1:
            found.append(f"{attempt.filename} is there {len(stored)} times")
        if attempt.told == ACKNOWLEDGED and not stored:
            found.append(f"{attempt.filename} was acknowledged and is not there")
        if attempt.told == REFUSED and stored:
            found.append(f"{attempt.filename} was refused ({attempt.answer}) and is there")
        for row in stored:
            if files.digest(row["storage_key"]) != attempt.digest or row["sha256"] != attempt.digest:
                found.append(f"{attempt.filename}: other bytes are stored than were sent")
    return found


def _leases(cursor: psycopg.Cursor[Row]) -> list[str]:
    tables = {"uploads": "id", "runs": "run_id", "upload_batches": "id", "page_ranges": "id"}
    found = []
    for table, key in tables.items():
        rows = cursor.execute(
            f"select {key}::text as key, lease_owner from {table} where lease_until > now()"
        ).fetchall()
        found += [f"{table} {row['key']} is leased to {row['lease_owner']}" for row in rows]
    return found


def told(attempts: Sequence[Attempt]) -> Mapping[str, int]:
    """How often senders were told what."""
    return Counter(attempt.told for attempt in attempts)
