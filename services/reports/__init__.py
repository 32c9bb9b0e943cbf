"""Reports: request them, research them, approve their plans, stop and retry them."""
