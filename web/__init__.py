"""HTTP pages and JSON endpoints, one blueprint for each area."""
