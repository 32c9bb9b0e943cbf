"""The contents of a page without recognition: words, boxes, widgets, ink and pictures."""
