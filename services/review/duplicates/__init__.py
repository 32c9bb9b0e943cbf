"""What a person sees and decides of two entries that may be one: docs/adr/0034-duplicates.md."""
