"""What the screens show. Read only; each query knows what its viewer may see."""
