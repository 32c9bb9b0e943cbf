"""The words that headers and essays of the training openings are made of."""
