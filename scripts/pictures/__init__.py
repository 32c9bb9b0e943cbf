"""Pictures of the pages for the README, and the table of what each page does."""
