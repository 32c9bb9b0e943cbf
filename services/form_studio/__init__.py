"""The studio of forms: drafts with marks on a blank, samples that they are tried on, and their versions."""
