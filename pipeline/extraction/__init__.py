"""Extract the values of fields from the words of pages, by geometry and form profiles."""
