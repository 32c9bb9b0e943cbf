"""What a supervision finds and closes, over reports and libraries written for it."""
