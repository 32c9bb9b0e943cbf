"""Read the header of a form that an editor re-flowed, cell by cell."""
