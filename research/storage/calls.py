"""Model calls of a report: their ledger and totals."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from core.models import ReportCall
from research.storage.held import Held, insert_of


@dataclass(frozen=True)
class Calls:
    """Rows of `report_calls`; those of a supervision begin with its id, so that another one asks anew."""

    held: Held

    def find(self, call_key: str) -> ReportCall | None:
        """Return the call with this key, or None."""
        own = ReportCall.report_id == self.held.report_id
        return self.held.value(select(ReportCall).where(own, ReportCall.call_key == self._stored(call_key)))

    def keep(self, call_key: str, call: ReportCall) -> None:
        """Store a call durably; an existing one is kept."""
        call.report_id, call.call_key = self.held.report_id, self._stored(call_key)
        self.held.write(insert_of(call))

    def failed(self) -> int:
        """Return the number of calls without a usable reply."""
        own = ReportCall.report_id == self.held.report_id
        return self.held.value(select(func.count()).where(own, ReportCall.error_code.is_not(None))) or 0

    def spent(self) -> tuple[int, int, int, float]:
        """Return requests, input tokens, output tokens and US dollars of all calls."""
        call, total = ReportCall, func.sum
        totals = select(total(call.requests), total(call.tokens_in), total(call.tokens_out), total(call.cost_usd))
        own = ReportCall.report_id == self.held.report_id, ReportCall.call_key.startswith(self._stored(""))
        with self.held.database.session() as session:
            requests, tokens_in, tokens_out, usd = session.execute(totals.where(*own)).one()
        return int(requests or 0), int(tokens_in or 0), int(tokens_out or 0), float(usd or 0)

    def _stored(self, call_key: str) -> str:
        return f"{self.held.supervision_id}:{call_key}" if self.held.supervision_id else call_key
