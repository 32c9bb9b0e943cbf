"""Draws invented contest entries in the layouts that real ones come in. Shares nothing with the reader."""
