"""Find the likeliest spelling of uncertain text: recognition probabilities combined with word frequencies."""
