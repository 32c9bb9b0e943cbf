"""Whether two entries of a season are one: by their pictures, essays and children. Pure."""
