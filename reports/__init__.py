"""What people look at: reports of runs and suites, comparisons, and exports for other tools."""
