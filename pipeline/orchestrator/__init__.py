"""Parts of the orchestrator graph: context, steps, artifacts, runs, and the nodes of the review agent."""
