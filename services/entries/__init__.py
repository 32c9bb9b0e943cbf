"""Records of entries: lists, details, corrections, and the database steps that decisions share."""
