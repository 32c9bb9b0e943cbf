"""LangGraph on PostgreSQL: storage and serialisation of checkpoints, and checks of graph state."""
