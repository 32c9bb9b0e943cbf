"""The second reader: a vision model that reads the header of an entry once, from one small picture."""
