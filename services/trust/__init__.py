"""How often the machine is right without review: audits, their statistics, forecasts for other thresholds."""
