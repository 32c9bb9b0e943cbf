"""Training of the models that tell the items of a catalog."""
