"""Uploaded files of any accepted format as PDFs that can be read, or typed errors that say why not."""
