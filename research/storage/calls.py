"""Model calls of a report: their ledger and totals."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.dialects.postgresql import insert

from core.models import ReportCall
from research.recorded_model import Call
from research.storage.held import Held


@dataclass(frozen=True)
class Calls:
    """`research.recorded_model.CallRecord` on PostgreSQL."""

    held: Held

    def find_call(self, call_key: str) -> Call | None:
        """See `CallRecord.find_call`."""
        with self.held.reading() as session:
            row = session.get(ReportCall, (self.held.report_id, call_key))
        if row is None:
            return None
        return Call(
            call_key=row.call_key,
            purpose=row.purpose,
            reply=row.reply,
            error_code=row.error_code,
            provider=row.provider,
            model=row.model,
            requests=row.requests,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            cost_usd=float(row.cost_usd),
        )

    def keep_call(self, call: Call) -> None:
        """See `CallRecord.keep_call`."""
        with self.held.writing() as session:
            session.execute(
                insert(ReportCall)
                .values(
                    report_id=self.held.report_id,
                    call_key=call.call_key,
                    purpose=call.purpose,
                    reply=call.reply,
                    error_code=call.error_code,
                    provider=call.provider,
                    model=call.model,
                    requests=call.requests,
                    tokens_in=call.tokens_in,
                    tokens_out=call.tokens_out,
                    cost_usd=Decimal(str(call.cost_usd)),
                )
                .on_conflict_do_nothing()
            )

    def failed(self) -> int:
        """Return the number of calls without a usable reply."""
        with self.held.reading() as session:
            return (
                session.scalar(
                    select(func.count()).where(
                        ReportCall.report_id == self.held.report_id, ReportCall.error_code.is_not(None)
                    )
                )
                or 0
            )

    def spent(self) -> tuple[int, int, int, float]:
        """Return requests, input tokens, output tokens and US dollars of all calls."""
        with self.held.reading() as session:
            row = session.execute(
                select(
                    func.coalesce(func.sum(ReportCall.requests), 0),
                    func.coalesce(func.sum(ReportCall.tokens_in), 0),
                    func.coalesce(func.sum(ReportCall.tokens_out), 0),
                    func.coalesce(func.sum(ReportCall.cost_usd), 0),
                ).where(self._counted())
            ).one()
        return int(row[0]), int(row[1]), int(row[2]), float(row[3])

    def _counted(self) -> ColumnElement[bool]:
        """Which calls are counted as spent."""
        return ReportCall.report_id == self.held.report_id
