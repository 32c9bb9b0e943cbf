"""The school list of a season: import it, list it and add to it from the command line."""
