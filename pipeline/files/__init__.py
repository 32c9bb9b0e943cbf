"""Convert uploaded files of any accepted format to readable PDFs, or raise typed errors."""
