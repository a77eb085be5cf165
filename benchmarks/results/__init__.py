"""What the suite of languages says, as the tables of docs/results.md."""
