"""Reads a folder of entries without server or database and compares what was read with the labels."""
