"""What people set for themselves and take along to every browser."""
