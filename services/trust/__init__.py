"""How often the machine is right when nobody looks: audits, their statistics, forecasts for other thresholds."""
