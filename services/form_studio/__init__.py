"""The studio of forms: drafts with marks on a blank, samples to try them on, and their versions."""
