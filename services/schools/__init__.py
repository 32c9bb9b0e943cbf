"""The school list of a season: imported, shown and added to from the command line."""
