"""Metrics for Prometheus, computed from the tables and the queue at each scrape."""
