"""What a person decides at the desk: proposals and escalations."""
