"""The queue as admins see it: jobs, workers, failures, what the reconciler found; retry and cancel."""
