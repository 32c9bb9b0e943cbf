"""The lowest layer, imported by all others: settings, errors, database, queue, file store, language models."""
