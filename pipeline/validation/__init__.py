"""A season's policy and the confidence of a record; used by `pipeline/validate.py` and the orchestrator."""
