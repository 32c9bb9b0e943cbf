"""Whether two entries of a season are one: by their pictures, their essays and whose they are. Pure."""
