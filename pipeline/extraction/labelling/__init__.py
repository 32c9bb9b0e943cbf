"""Label the words of an essay's first lines with the role that each plays, by a trained sequence labeller."""
