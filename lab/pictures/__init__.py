"""Pictures of the pages for `docs/pages.md`, and the table of what each page does."""
