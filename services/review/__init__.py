"""The review queues: proposals and escalations, the holds on them, and the decisions."""
