"""The office's library: documents are kept as they came, read, searched and removed."""
