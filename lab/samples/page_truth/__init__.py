"""Files whose bytes say more, less or something else than their displayed pages, each with what a person sees."""
