"""From abstract syntax back to text: each module writes some classes of expressions."""
