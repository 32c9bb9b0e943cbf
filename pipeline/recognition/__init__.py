"""Recognition of page pictures: preparation, cache, and the choice between text layer and OCR."""
