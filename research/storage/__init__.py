"""PostgreSQL storage of a report's research."""

from research.storage.store import ReportStore

__all__ = ["ReportStore"]
