"""Read a folder of entries without server or database and compare the readings with the labels."""
