"""MuPDF, the parser of uploaded files, behind functions that take bytes and return plain data.

Nothing else in `pipeline/` imports PyMuPDF, and none of its objects leaves this package: numbers, strings, bytes,
NumPy arrays and the tuples of `page_data` do. `file` reads and rejects, `assembly` makes PDFs and draws type.
"""
