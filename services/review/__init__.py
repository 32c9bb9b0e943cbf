"""The review queues: what waits for a person, who holds it, and the decisions."""
