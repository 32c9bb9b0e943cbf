"""Look for what keeps this installation from working: one check a file, findings as codes."""
