"""The web: fetch pages of public hosts only, and extract their text."""
