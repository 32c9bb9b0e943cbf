"""The form layouts that samples are drawn in."""
