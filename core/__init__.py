"""What every other layer stands on: settings, errors, database, queue, files, models of language."""
