"""The page of the set-up of a new installation."""
