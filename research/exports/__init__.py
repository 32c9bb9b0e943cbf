"""A report as Markdown, HTML, Word, PDF, JSON, BibTeX and CSL."""
