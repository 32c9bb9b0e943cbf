"""Benchmark of supervisions: random schedules of decisions and failures."""
