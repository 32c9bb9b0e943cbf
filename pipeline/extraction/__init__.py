"""From the words of a page to the values of fields, by geometry over a form profile."""
