"""The data held about one child: found, exported, erased on request and when its term is over."""
