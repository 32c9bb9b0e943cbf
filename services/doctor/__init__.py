"""Look for what keeps this installation from working: findings are codes."""
