"""The reader that asks a language model."""
