"""What counts as a value of each kind: names, schools, grades, contacts, and comparisons of text."""
