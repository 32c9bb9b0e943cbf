"""Charts as coordinates for SVG, without inline styles."""
