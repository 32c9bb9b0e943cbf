"""Changes of many entries at once: asked for, previewed entry by entry, applied by a job, undone as one."""
