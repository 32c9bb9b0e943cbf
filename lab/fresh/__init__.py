"""A new userland of this machine's release, in which what the README promises is tried."""
