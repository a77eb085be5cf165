"""SQL as trees: nodes that the compiler makes and changes, and their text."""
