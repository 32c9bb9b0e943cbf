"""Catalog requests with the pages that answer them, written by strangers, and how a reader's items are scored."""
