"""What the office does with a season beside reading and reviewing, at the size of a large one."""
