"""Choose the reader: the only place that asks whether there is a model."""
