"""Write reports from the material that the rounds collected."""

from research.synthesis.write import write_report

__all__ = ["write_report"]
