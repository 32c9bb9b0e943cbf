"""Training of the labeller of headers: drawn pages as numbers, the fit by JAX, the measures."""
