"""The record of events for people: views of entries, the page, and JSON Lines."""
