"""LangGraph on PostgreSQL: where checkpoints are kept, how they are serialised, and what state may hold."""
