"""Shared parts of the pages of the review queues: keyboard shortcuts, holds, notices, answers."""
