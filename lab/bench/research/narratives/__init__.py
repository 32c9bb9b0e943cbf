"""Reports on packs of sources that strangers wrote, and what makes one good."""
