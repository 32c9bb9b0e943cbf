"""The set-up of a new installation: its steps, what became of them, and the try of each."""
