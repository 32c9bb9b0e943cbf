"""Research for one report: allocation, rounds, memo, gaps, sources, citations, writing, and supervision."""
