"""Pages of stored files for the screens: pictures, words, places and the original bytes."""
