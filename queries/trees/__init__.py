"""Trees of nodes: the interface, documents, constructed trees, and a run's tables."""
