"""One report: allocation, rounds, memo, gaps, sources, citations, writing; and the loop that deepens it."""
