"""A folder that a scanner writes into: what is whole is handed in as batches, and moved out of the way."""
