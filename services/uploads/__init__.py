"""Uploads: store files, analyse them, split them into entries, and correct the split."""
