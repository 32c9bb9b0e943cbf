"""Writers of reports."""

from research.synthesis.write import write_report

__all__ = ["write_report"]
