"""Pages of stored files for display: pictures, words, places and original files."""
