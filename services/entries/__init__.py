"""Records of entries: lists, details, corrections, and the transaction parts that decisions share."""
