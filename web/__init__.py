"""HTTP pages and JSON endpoints, one blueprint an area."""
