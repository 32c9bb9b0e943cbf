"""One office at a million entries, fifty reviewers and several workers, and what grows with them."""
