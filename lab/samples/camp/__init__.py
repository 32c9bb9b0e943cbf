"""A second, entirely different form: the registration for a summer camp, drawn by the project."""
