"""Statistics of the supervisor for admins."""
