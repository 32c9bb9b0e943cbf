"""A corpus in which every sentence is labelled with the question that it answers; writers never see the labels."""
