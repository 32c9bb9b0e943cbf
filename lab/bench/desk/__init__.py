"""Measurements of the review desk: the server's answers at a long queue and at a short one, and the browser's."""
