"""Files taken in, analysed, split into entries, and split anew."""
