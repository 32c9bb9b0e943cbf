"""The studio of forms: its list, the drafts with their marks, samples, and the versions of forms."""
