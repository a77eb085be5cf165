"""Items: atomic values and their types, functions, maps and arrays."""
