"""The reader without a model."""
