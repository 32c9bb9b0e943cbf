"""Write reports from the material that the rounds collected."""

from research.writing.write import write_report

__all__ = ["write_report"]
