"""Sessions of browsers: begin, recognise, confirm, list and end them."""
