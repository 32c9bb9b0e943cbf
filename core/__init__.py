"""The lowest layer, imported by all others: settings, errors, database, queue, file store, language models."""

import gc

# Modules, and the tuples of a page, are many small objects that live long: looking for garbage among them each 700
# new objects takes a quarter of the time of a start.
gc.set_threshold(50_000)
