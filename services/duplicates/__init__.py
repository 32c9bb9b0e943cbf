"""Find entries that may have been sent before, as each is settled: docs/adr/0034-duplicates.md."""
