"""A folder that a scanner writes into: complete files are uploaded as batches, and moved out of the way."""
