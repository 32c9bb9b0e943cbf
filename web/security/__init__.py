"""Security of requests and answers: tokens, rate limits, headers, redirects."""
