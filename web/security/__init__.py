"""Guards of requests and answers: tokens, attempts, headers, redirects."""
