"""Parse and check values of each kind: names, schools, grades, contacts; comparisons of text."""
