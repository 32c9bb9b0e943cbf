"""The season's essays: names are taken out before they enter the library, and people decide on doubtful words."""
