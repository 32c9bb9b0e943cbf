"""The queue as admins see it: jobs, workers, failures, passes of the reconciler; retry and cancel."""
