"""The loop: its graph, nodes, routing, state, and the actors that its nodes call."""
