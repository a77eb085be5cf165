"""Static analysis: names, scopes, functions and what is known of types."""
