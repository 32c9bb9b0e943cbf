"""One report: rounds, memo, gaps, sources, citations (built after the main job)."""
