"""The tree evaluator: a query over nodes."""
