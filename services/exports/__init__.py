"""Files that are made of entries: asked for, made by a job, kept for some days, recorded."""
