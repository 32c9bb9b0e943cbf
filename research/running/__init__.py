"""What nodes of every graph share: context, state, steps, limits and recorded model calls."""
