"""Further readings of single fields and lines of a page that the first reading left missing or weak."""
