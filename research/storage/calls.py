"""Model calls of a report: their ledger and totals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from decimal import Decimal

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportCall
from research.recorded_model import Call
from research.storage.held import Held


@dataclass(frozen=True)
class Calls:
    """`research.recorded_model.CallRecord` on PostgreSQL.

    Stored keys of a supervision begin with its id, so that another one asks anew.
    """

    held: Held

    def find_call(self, call_key: str) -> Call | None:
        """See `CallRecord.find_call`."""
        with self.held.reading() as session:
            row = session.get(ReportCall, (self.held.report_id, self._stored(call_key)))
        if row is None:
            return None
        columns = {one.name: getattr(row, one.name) for one in fields(Call)}
        return Call(**columns | {"call_key": call_key, "cost_usd": float(row.cost_usd)})

    def keep_call(self, call: Call) -> None:
        """See `CallRecord.keep_call`."""
        own = {"report_id": self.held.report_id, "call_key": self._stored(call.call_key)}
        row = asdict(call) | own | {"cost_usd": Decimal(str(call.cost_usd))}
        self.held.write(insert(ReportCall).values(row).on_conflict_do_nothing())

    def failed(self) -> int:
        """Return the number of calls without a usable reply."""
        own = ReportCall.report_id == self.held.report_id
        return self.held.value(select(func.count()).where(own, ReportCall.error_code.is_not(None))) or 0

    def spent(self) -> tuple[int, int, int, float]:
        """Return requests, input tokens, output tokens and US dollars of all calls."""
        call, total = ReportCall, func.sum
        totals = select(total(call.requests), total(call.tokens_in), total(call.tokens_out), total(call.cost_usd))
        own = ReportCall.report_id == self.held.report_id, ReportCall.call_key.startswith(self._stored(""))
        with self.held.reading() as session:
            requests, tokens_in, tokens_out, usd = session.execute(totals.where(*own)).one()
        return int(requests or 0), int(tokens_in or 0), int(tokens_out or 0), float(usd or 0)

    def _stored(self, call_key: str) -> str:
        return f"{self.held.supervision_id}:{call_key}" if self.held.supervision_id else call_key
