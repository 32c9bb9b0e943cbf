"""The office's library: documents are stored unchanged, read, searched and removed."""
