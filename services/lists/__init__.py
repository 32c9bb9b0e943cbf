"""The list of entries as a person has made it theirs: filters under names, and columns."""
