"""Where a report's research is written down, on PostgreSQL."""

from research.storage.store import ReportStore

__all__ = ["ReportStore"]
