"""What is held of one child: found, exported, erased, and erased in time."""
