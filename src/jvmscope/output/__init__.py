"""Where answers and messages go: stdout, stderr and files."""
