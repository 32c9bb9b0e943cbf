"""What the measure of retrieval is made of: questions over pages, a library of them, and kept vectors."""
