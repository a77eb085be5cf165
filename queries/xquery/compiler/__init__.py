"""The SQL compiler: the parts of a query that DuckDB answers."""
