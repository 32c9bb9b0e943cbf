"""Pages of the library: the list, the documents, and changes to them."""
