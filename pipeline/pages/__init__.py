"""What a page consists of, without recognition: its words, boxes, widgets, ink and pictures."""
